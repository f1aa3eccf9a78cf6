// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/device_test.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace halyard::conformance {
namespace {

constexpr std::size_t kHidden = 8192;
constexpr std::size_t kRows = 12'321;
constexpr std::size_t kDistinct = 16;  // rows, which repeat
constexpr halyard_type_binding kBf16 = {"T", HALYARD_TYPE_BF16};

using Elements = std::vector<std::uint16_t>;

Elements random_bf16(std::size_t count, std::uint32_t seed) {
  Elements elements;
  for (const float value : random_floats(count, seed)) {
    elements.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
  }
  return elements;
}

Elements repeat(const Elements& part, std::size_t count) {
  Elements whole(count);
  for (std::size_t at = 0; at < count; at += part.size()) {
    const std::size_t length = std::min(part.size(), count - at);
    std::memcpy(whole.data() + at, part.data(), length * sizeof(std::uint16_t));
  }
  return whole;
}

// Tensors larger than what a driver may bind at once (128 MiB in many): what a launch of few rows
// gives, a launch of many gives in each of them, bit for bit.
class LargeTensorConformance : public DeviceTest {
 protected:
  void run(const Operation& operation, const std::vector<halyard_view>& views, std::size_t rows) {
    const LaunchSpec launch = {views, {static_cast<std::int64_t>(rows)}, {}};
    queue_.enqueue(operation, launch.record());
    queue_.synchronize();
  }
  Buffer make_output(std::size_t rows) {
    const Buffer buffer = Buffer::create(device_, rows * kHidden * sizeof(std::uint16_t));
    queue_.fill(buffer, 0, buffer.size_bytes(), 0xffffffff);
    return buffer;
  }
};
HALYARD_ON_EACH_DEVICE(LargeTensorConformance);

TEST_P(LargeTensorConformance, NormGivesEachRowWhatASmallLaunchGives) {
  const Operation operation =
      prepare(device_, {"rms_norm", {kBf16}, {{"hidden", kHidden}}, {}, {}});
  const Elements x = random_bf16(kDistinct * kHidden, 1);
  const Buffer weight = make_buffer(device_, random_bf16(kHidden, 2));
  const auto normalise = [&](std::size_t rows) {
    const Buffer input = make_buffer(device_, repeat(x, rows * kHidden));
    const Buffer output = make_output(rows);
    run(operation, {view_of(input), view_of(weight), view_of(output)}, rows);
    return read_buffer<std::uint16_t>(output);
  };
  EXPECT_TRUE(repeat(normalise(kDistinct), kRows * kHidden) == normalise(kRows));
}

TEST_P(LargeTensorConformance, AddAndNormGivesEachRowWhatASmallLaunchGives) {
  const Operation operation =
      prepare(device_, {"add_rms_norm", {kBf16}, {{"hidden", kHidden}}, {}, {}});
  const Elements x = random_bf16(kDistinct * kHidden, 1);
  const Elements residual = random_bf16(kDistinct * kHidden, 3);
  const Buffer weight = make_buffer(device_, random_bf16(kHidden, 2));
  const auto normalise = [&](std::size_t rows) {
    const Buffer input = make_buffer(device_, repeat(x, rows * kHidden));
    const Buffer sum = make_buffer(device_, repeat(residual, rows * kHidden));
    const Buffer output = make_output(rows);
    run(operation, {view_of(input), view_of(sum), view_of(weight), view_of(output)}, rows);
    return std::pair(read_buffer<std::uint16_t>(output), read_buffer<std::uint16_t>(sum));
  };
  const auto [y, sum] = normalise(kDistinct);
  const auto [all_y, all_sums] = normalise(kRows);
  EXPECT_TRUE(repeat(y, kRows * kHidden) == all_y);
  EXPECT_TRUE(repeat(sum, kRows * kHidden) == all_sums);
}

TEST_P(LargeTensorConformance, GateGivesEachRowWhatASmallLaunchGives) {
  const Operation operation =
      prepare(device_, {"silu_mul", {kBf16}, {{"hidden", kHidden}}, {}, {}});
  const Elements x = random_bf16(kDistinct * 2 * kHidden, 4);
  const auto multiply = [&](std::size_t rows) {
    const Buffer input = make_buffer(device_, repeat(x, rows * 2 * kHidden));
    const Buffer output = make_output(rows);
    run(operation, {view_of(input), view_of(output)}, rows);
    return read_buffer<std::uint16_t>(output);
  };
  EXPECT_TRUE(repeat(multiply(kDistinct), kRows * kHidden) == multiply(kRows));
}

}  // namespace
}  // namespace halyard::conformance
