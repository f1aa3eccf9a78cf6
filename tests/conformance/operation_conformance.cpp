// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/device_test.h"

#include <bit>
#include <cmath>
#include <limits>

namespace halyard::conformance {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class OperationConformance : public DeviceTest {
 protected:
  // Runs one launch and waits for it.
  void run(const Operation& operation, const LaunchSpec& launch) {
    queue_.enqueue(operation, launch.record());
    queue_.synchronize();
  }
};
HALYARD_ON_EACH_DEVICE(OperationConformance);

const halyard_type_binding kF32 = {"T", HALYARD_TYPE_F32};

std::vector<float> naive_rms_norm(const std::vector<float>& x, const std::vector<float>& weight,
                                  std::size_t batch) {
  const std::size_t hidden = weight.size();
  std::vector<float> y(batch * hidden);
  for (std::size_t b = 0; b < batch; ++b) {
    double sum = 0;
    for (std::size_t h = 0; h < hidden; ++h) {
      sum += static_cast<double>(x[b * hidden + h]) * static_cast<double>(x[b * hidden + h]);
    }
    const double scale = 1 / std::sqrt(sum / static_cast<double>(hidden) + 1e-5);
    for (std::size_t h = 0; h < hidden; ++h) {
      y[b * hidden + h] = static_cast<float>(static_cast<double>(x[b * hidden + h]) * scale *
                                             static_cast<double>(weight[h]));
    }
  }
  return y;
}

TEST_P(OperationConformance, LaunchAxesChangeFromLaunchToLaunch) {
  constexpr std::size_t kHidden = 100;
  const Operation operation = prepare(device_, {"rms_norm", {kF32}, {{"hidden", kHidden}}, {}, {}});
  const auto x = random_floats(64 * kHidden, 1);
  const auto weight = random_floats(kHidden, 2);
  const Buffer input = make_buffer(device_, x);
  const Buffer weights = make_buffer(device_, weight);
  for (const std::int64_t batch : {1, 3, 64, 7, 0, 5}) {
    const Buffer output = make_buffer(device_, std::vector<float>(64 * kHidden, -9));
    run(operation, {{view_of(input), view_of(weights), view_of(output)}, {batch}, {}});
    const auto y = read_buffer<float>(output);
    const auto expected = naive_rms_norm(x, weight, static_cast<std::size_t>(batch));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(expected[i], y[i], 1e-5 * (1 + std::abs(expected[i]))) << batch << " " << i;
    }
    for (std::size_t i = expected.size(); i < y.size(); ++i)
      ASSERT_EQ(-9, y[i]) << batch;
  }
}

TEST_P(OperationConformance, RowsMayBeStridedAndOutputMayAliasInput) {
  constexpr std::size_t kHidden = 33;
  const Operation operation = prepare(device_, {"rms_norm", {kF32}, {{"hidden", kHidden}}, {}, {}});
  const auto weight = random_floats(kHidden, 2);
  auto rows = random_floats(4 * 48, 1);
  std::vector<float> packed;
  for (std::size_t b = 0; b < 4; ++b) {
    packed.insert(packed.end(), rows.begin() + static_cast<std::ptrdiff_t>(b * 48),
                  rows.begin() + static_cast<std::ptrdiff_t>(b * 48 + kHidden));
  }
  const Buffer buffer = make_buffer(device_, rows);
  const Buffer weights = make_buffer(device_, weight);
  const std::int64_t strides[2] = {48, 1};
  const halyard_view view = {buffer.get(), 0, 0, strides};
  run(operation, {{view, view_of(weights), view}, {4}, {}});
  const auto y = read_buffer<float>(buffer);
  const auto expected = naive_rms_norm(packed, weight, 4);
  for (std::size_t b = 0; b < 4; ++b) {
    for (std::size_t h = 0; h < kHidden; ++h) {
      ASSERT_NEAR(expected[b * kHidden + h], y[b * 48 + h], 1e-4);
    }
    for (std::size_t h = kHidden; h < 48; ++h)
      ASSERT_EQ(rows[b * 48 + h], y[b * 48 + h]);
  }
}

TEST_P(OperationConformance, NanInOneRowStaysInThatRow) {
  const Operation operation = prepare(device_, {"rms_norm", {kF32}, {{"hidden", 8}}, {}, {}});
  std::vector<float> x(16, 1);
  x[3] = kNan;
  const Buffer input = make_buffer(device_, x);
  const Buffer weights = make_buffer(device_, std::vector<float>(8, 1));
  const Buffer output = Buffer::create(device_, 64);
  run(operation, {{view_of(input), view_of(weights), view_of(output)}, {2}, {}});
  const auto y = read_buffer<float>(output);
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_NEAR(1, y[8], 1e-4);
}

TEST_P(OperationConformance, ProductSpreadsNanAndHonoursInfinity) {
  const Operation operation = prepare(device_, {"gemm", {kF32}, {{"N", 2}, {"K", 3}}, {}, {}});
  const Buffer a = make_buffer(device_, std::vector<float>{1, 2, 3, kNan, 0, 0, kInfinity, 0, 1});
  const Buffer b = make_buffer(device_, std::vector<float>{1, 1, 1, 2, 0, 1});
  const Buffer c = Buffer::create(device_, 24);
  run(operation, {{view_of(a), view_of(b), halyard_view{}, view_of(c)}, {3}, {}});
  const auto y = read_buffer<float>(c);
  EXPECT_EQ(6, y[0]);
  EXPECT_EQ(5, y[1]);
  EXPECT_TRUE(std::isnan(y[2]) && std::isnan(y[3]));
  EXPECT_EQ(kInfinity, y[4]);
}

TEST_P(OperationConformance, ProductOverNothingIsTheBias) {
  const Operation operation =
      prepare(device_, {"gemm", {kF32}, {{"N", 3}, {"K", 0}}, {{"bias", nullptr, 1}}, {}});
  const Buffer bias = make_buffer(device_, std::vector<float>{5, 6, 7});
  const Buffer c = Buffer::create(device_, 24);
  run(operation, {{halyard_view{}, halyard_view{}, view_of(bias), view_of(c)}, {2}, {}});
  EXPECT_EQ((std::vector<float>{5, 6, 7, 5, 6, 7}), read_buffer<float>(c));
}

TEST_P(OperationConformance, ConstantsServeSeveralOperations) {
  constexpr std::int64_t kN = 70;
  constexpr std::int64_t kK = 65;
  const auto weight = random_floats(kN * kK, 3);
  const Constant constant = Constant::create(device_, HALYARD_TYPE_F32, {kN, kK}, weight.data());
  EXPECT_GE(constant.size_bytes(), weight.size() * 4);
  const auto x = random_floats(5 * kK, 4);
  const Buffer a = make_buffer(device_, x);
  for (const std::int64_t rows : {1, 5}) {
    const Operation operation =
        prepare(device_,
                {"gemm", {kF32}, {{"M", rows}, {"N", kN}, {"K", kK}}, {}, {{"B", constant.get()}}});
    const Buffer c = Buffer::create(device_, static_cast<std::uint64_t>(rows * kN) * 4);
    run(operation, {{view_of(a), halyard_view{}, halyard_view{}, view_of(c)}, {rows}, {}});
    const auto y = read_buffer<float>(c);
    for (std::int64_t m = 0; m < rows; ++m) {
      for (std::int64_t n = 0; n < kN; ++n) {
        double sum = 0;
        for (std::int64_t k = 0; k < kK; ++k) {
          sum += static_cast<double>(x[static_cast<std::size_t>(m * kK + k)]) *
                 static_cast<double>(weight[static_cast<std::size_t>(n * kK + k)]);
        }
        ASSERT_NEAR(sum, y[static_cast<std::size_t>(m * kN + n)], 1e-4);
      }
    }
  }
}

TEST_P(OperationConformance, GateAtInfinityFollowsTheRule) {
  const Operation operation = prepare(device_, {"silu_mul", {kF32}, {{"hidden", 4}}, {}, {}});
  const Buffer x =
      make_buffer(device_, std::vector<float>{kInfinity, -kInfinity, 0, kNan, 2, 2, 2, 2});
  const Buffer y = Buffer::create(device_, 16);
  run(operation, {{view_of(x), view_of(y)}, {1}, {}});
  const auto values = read_buffer<float>(y);
  EXPECT_EQ(kInfinity, values[0]);
  EXPECT_EQ(0, values[2]);
  EXPECT_TRUE(std::isnan(values[3]));
}

TEST_P(OperationConformance, ArgmaxTakesTheLowestIndexAndTheFirstNan) {
  const Operation operation = prepare(device_, {"argmax", {kF32}, {{"vocab", 5}}, {}, {}});
  const Buffer x =
      make_buffer(device_, std::vector<float>{1, 7, 7, 2, 7,  //
                                              1, kNan, 9, kNan, 2, -kInfinity, -kInfinity,
                                              -kInfinity, -kInfinity, -kInfinity});
  const Buffer index = Buffer::create(device_, 12);
  run(operation, {{view_of(x), view_of(index)}, {3}, {}});
  EXPECT_EQ((std::vector<std::int32_t>{1, 1, 0}), read_buffer<std::int32_t>(index));
}

TEST_P(OperationConformance, EmbeddingOfUnknownIdsIsZero) {
  const Operation operation =
      prepare(device_, {"embedding", {kF32}, {{"vocab", 3}, {"hidden", 2}}, {}, {}});
  const Buffer ids = make_buffer(
      device_, std::vector<std::int32_t>{2, -1, 3, 0, std::numeric_limits<std::int32_t>::min()});
  const Buffer table = make_buffer(device_, std::vector<float>{1, 2, 3, 4, 5, 6});
  const Buffer y = make_buffer(device_, std::vector<float>(10, 9));
  run(operation, {{view_of(ids), view_of(table), view_of(y)}, {5}, {}});
  EXPECT_EQ((std::vector<float>{5, 6, 0, 0, 0, 0, 1, 2, 0, 0}), read_buffer<float>(y));
}

TEST_P(OperationConformance, CacheAppendSkipsSlotsOutsideTheCache) {
  const Operation operation = prepare(
      device_,
      {"kv_append_paged", {kF32}, {{"kv_heads", 1}, {"head_dim", 2}, {"page_size", 2}}, {}, {}});
  const Buffer k = make_buffer(device_, std::vector<float>{1, 2, 3, 4, 5, 6});
  const Buffer v = make_buffer(device_, std::vector<float>{7, 8, 9, 10, 11, 12});
  const Buffer slots = make_buffer(device_, std::vector<std::int64_t>{3, -1, 4});
  const Buffer k_cache = make_buffer(device_, std::vector<float>(8, 0));
  const Buffer v_cache = make_buffer(device_, std::vector<float>(8, 0));
  const std::vector<halyard_view> views = {view_of(k), view_of(v), view_of(slots), view_of(k_cache),
                                           view_of(v_cache)};
  run(operation, {views, {3, 2}, {}});
  EXPECT_EQ((std::vector<float>{0, 0, 0, 0, 0, 0, 1, 2}), read_buffer<float>(k_cache));
  EXPECT_EQ((std::vector<float>{0, 0, 0, 0, 0, 0, 7, 8}), read_buffer<float>(v_cache));
}

TEST_P(OperationConformance, CopyTransposes) {
  const Operation operation =
      prepare(device_, {"copy_strided", {{"T", HALYARD_TYPE_I32}}, {}, {}, {}});
  const Buffer x = make_buffer(device_, std::vector<std::int32_t>{1, 2, 3, 4, 5, 6});
  const Buffer y = Buffer::create(device_, 24);
  const std::int64_t transposed[4] = {6, 6, 1, 3};
  const halyard_view view = {x.get(), 0, 0, transposed};
  run(operation, {{view, view_of(y)}, {1, 1, 3, 2}, {}});
  EXPECT_EQ((std::vector<std::int32_t>{1, 4, 2, 5, 3, 6}), read_buffer<std::int32_t>(y));
}

TEST_P(OperationConformance, CastRoundsToNearestEvenAndKeepsSpecialValues) {
  const Operation operation =
      prepare(device_, {"cast", {{"S", HALYARD_TYPE_F32}, {"T", HALYARD_TYPE_F16}}, {}, {}, {}});
  const Buffer x =
      make_buffer(device_, std::vector<float>{1.0F + 0x1p-11F, 1.0F + 0x3p-11F, 65519.0F, 65520.0F,
                                              0x1p-25F, 0x1.8p-24F, -kInfinity, kNan});
  const Buffer y = Buffer::create(device_, 16);
  run(operation, {{view_of(x), view_of(y)}, {8}, {}});
  const auto bits = read_buffer<std::uint16_t>(y);
  EXPECT_EQ(0x3c00, bits[0]);
  EXPECT_EQ(0x3c02, bits[1]);
  EXPECT_EQ(0x7bff, bits[2]);
  EXPECT_EQ(0x7c00, bits[3]);
  EXPECT_EQ(0x0000, bits[4]);
  EXPECT_EQ(0x0002, bits[5]);
  EXPECT_EQ(0xfc00, bits[6]);
  EXPECT_EQ(0x7c00, bits[7] & 0x7c00);
  EXPECT_NE(0, bits[7] & 0x03ff);
}

// A small attention problem whose cache holds 1,024 positions.
class AttentionConformance : public OperationConformance {
 protected:
  static constexpr std::int64_t kPages = 64;

  OperationSpec spec() const {
    return {"attention_decode_paged",
            {kF32},
            {{"q_heads", 4}, {"kv_heads", 2}, {"head_dim", 16}, {"page_size", 16}},
            {},
            {}};
  }
  // One sequence of `length` positions over all pages, in reverse order.
  LaunchSpec launch(const Buffer& q, const Buffer& cache, const Buffer& tables,
                    const Buffer& output, std::int64_t bound) const {
    halyard_scalar scale{};
    scale.f32 = 0.25F;
    return {{view_of(q), view_of(cache), view_of(cache, 64 * 1024 * 2), view_of(tables),
             view_of(tables, 256), view_of(tables, 1024), view_of(output), view_of(output, 1024)},
            {1, kPages, kPages, bound},
            {scale}};
  }
  Buffer make_tables(std::int32_t length) const {
    std::vector<std::int32_t> tables(512, 0);
    tables[1] = static_cast<std::int32_t>(kPages);
    for (std::int32_t page = 0; page < kPages; ++page) {
      tables[static_cast<std::size_t>(64 + page)] = static_cast<std::int32_t>(kPages) - 1 - page;
    }
    tables[256] = length;
    return make_buffer(device_, tables);
  }
};
HALYARD_ON_EACH_DEVICE(AttentionConformance);

TEST_P(AttentionConformance, GrowingLengthGivesWhatAFreshOperationGives) {
  const Operation operation = prepare(device_, spec());
  const Buffer q = make_buffer(device_, random_floats(64, 1));
  const Buffer cache = make_buffer(device_, random_floats(2 * 1024 * 2 * 16, 2));
  // An interpreter takes each length a thousand times longer.
  const std::int32_t step = device_.info().kind == HALYARD_DEVICE_KIND_EMULATOR ? 64 : 1;
  for (std::int32_t length = 1; length <= 1000; length += step) {
    const Buffer tables = make_tables(length);
    const Buffer grown = make_buffer(device_, std::vector<float>(512, -1));
    run(operation, launch(q, cache, tables, grown, length));
    if (length % 8 != 1) continue;
    const Buffer fresh = make_buffer(device_, std::vector<float>(512, -1));
    run(prepare(device_, spec()), launch(q, cache, tables, fresh, length));
    ASSERT_EQ(read_buffer<std::uint32_t>(fresh), read_buffer<std::uint32_t>(grown)) << length;
  }
}

TEST_P(AttentionConformance, EmptySequenceIsZeroWithMinusInfinity) {
  const Operation operation = prepare(device_, spec());
  const Buffer q = make_buffer(device_, random_floats(64, 1));
  const Buffer cache = make_buffer(device_, random_floats(2 * 1024 * 2 * 16, 2));
  const Buffer output = make_buffer(device_, std::vector<float>(512, 5));
  run(operation, launch(q, cache, make_tables(0), output, 8));
  const auto values = read_buffer<float>(output);
  for (std::size_t i = 0; i < 64; ++i)
    ASSERT_EQ(0, values[i]);
  for (std::size_t i = 256; i < 260; ++i)
    ASSERT_EQ(-kInfinity, values[i]);
}

}  // namespace
}  // namespace halyard::conformance
