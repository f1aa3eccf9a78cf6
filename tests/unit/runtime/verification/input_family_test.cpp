// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/input_family.h"

#include "runtime/base/text.h"
#include "tests/unit/runtime/verification/verification_fixture.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace halyard::verification {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the fixture of these tests.
using operators::testing::HostLaunch;

std::vector<double> fill(HostLaunch& launch, InputFamily family, std::string_view tensor,
                         std::uint64_t seed = 1) {
  const InputCase input{family, launch.index(tensor)};
  const base::Status filled =
      fill_inputs(input, {&launch.problem(), launch.launch_axes(), seed}, launch.tensors);
  EXPECT_TRUE(filled) << filled.error().message();
  return launch.get(tensor);
}

std::vector<std::string> names(std::string_view name, const operators::TypeBindings& types,
                               const std::vector<operators::AxisValue>& axes) {
  const HostLaunch launch(name, types, axes);
  std::vector<std::string> names;
  for (const InputCase& input : input_cases(launch.problem()))
    names.push_back(input_case_name(input, launch.problem().contract()));
  return names;
}

TEST(InputFamily, ContractsHaveTheFamiliesThatSaySomething) {
  const auto gemm = names("gemm", kF32, {{"M", 2}, {"N", 2}, {"K", 2}});
  EXPECT_EQ(gemm.front(), "normal");
  EXPECT_THAT(gemm, ::testing::IsSupersetOf({"one-hot", "integers", "ones", "nan in A",
                                             "minus-infinity in bias_vector"}));
  EXPECT_THAT(gemm, ::testing::Not(::testing::Contains("masked")));
  EXPECT_THAT(gemm, ::testing::Not(::testing::Contains("subnormal in A")));
  const auto embedding = names("embedding", kF32, {{"tokens", 1}, {"vocab", 1}, {"hidden", 1}});
  EXPECT_THAT(embedding,
              ::testing::IsSupersetOf({"masked", "index-order", "bits", "subnormal in table"}));
  EXPECT_EQ(names("copy_strided", {{"T", base::DataType::kI8}},
                  {{"d0", 1}, {"d1", 1}, {"d2", 1}, {"d3", 1}}),
            std::vector<std::string>{"normal"});
}

TEST(InputFamily, EachIsTheSameForASeedAndNotForAnother) {
  HostLaunch launch("rms_norm", kF32, {{"batch", 4}, {"hidden", 40}});
  for (const InputCase& input : input_cases(launch.problem())) {
    const std::vector<double> first = fill(launch, input.family, "x", 5);
    const auto text = [](const std::vector<double>& values) {
      std::string all;
      for (const double value : values)
        all += base::concat(value, ' ');
      return all;
    };
    EXPECT_EQ(text(first), text(fill(launch, input.family, "x", 5)));
    EXPECT_NE(text(first), text(fill(launch, input.family, "x", 6)));
  }
}

TEST(InputFamily, MixedScalesMeetInOneTensor) {
  HostLaunch launch("rms_norm", kF32, {{"batch", 16}, {"hidden", 64}});
  const std::vector<double> x = fill(launch, InputFamily::kMixedScales, "x");
  const auto count = [&x](double low, double high) {
    return std::count_if(x.begin(), x.end(), [=](double value) {
      return std::abs(value) > low && std::abs(value) < high;
    });
  };
  EXPECT_GT(count(50, 4e3), 50);
  EXPECT_GT(count(0.1, 4), 50);
  EXPECT_GT(count(1e-6, 4e-3), 50);
}

TEST(InputFamily, ShiftedHasAMeanAndWeightsAreNowhereNeutral) {
  HostLaunch launch("rms_norm", kF32, {{"batch", 50}, {"hidden", 100}});
  double sum = 0;
  for (const double value : fill(launch, InputFamily::kShifted, "x"))
    sum += value;
  EXPECT_NEAR(sum / 5000, 8, 1);
  for (const double weight : launch.get("weight")) {
    EXPECT_GE(weight, 0.5);
    EXPECT_LT(weight, 2);
  }
}

TEST(InputFamily, IntegersAndOnesAreThat) {
  HostLaunch launch("gemm", kBf16, {{"M", 4}, {"N", 4}, {"K", 50}});
  const std::vector<double> integers = fill(launch, InputFamily::kIntegers, "A");
  EXPECT_EQ(std::set<double>(integers.begin(), integers.end()), (std::set<double>{-1, 0, 1}));
  const std::vector<double> ones = fill(launch, InputFamily::kOnes, "A");
  EXPECT_EQ(std::count(ones.begin(), ones.begin() + 50, 1), 50);
}

TEST(InputFamily, OneHotRowsSpreadOverTheReduction) {
  HostLaunch launch("gemm", kF32, {{"M", 8}, {"N", 2}, {"K", 64}});
  const std::vector<double> a = fill(launch, InputFamily::kOneHot, "A");
  std::set<std::ptrdiff_t> blocks;
  for (std::ptrdiff_t row = 0; row < 8; ++row) {
    const auto begin = a.begin() + row * 64;
    EXPECT_EQ(std::count(begin, begin + 64, 1), 1);
    EXPECT_EQ(std::count(begin, begin + 64, 0), 63);
    blocks.insert((std::find(begin, begin + 64, 1) - begin) / 8);
  }
  EXPECT_EQ(blocks.size(), 8U);
}

TEST(InputFamily, OneSpecialValueStandsAlone) {
  HostLaunch launch("gemm", kF16, {{"M", 4}, {"N", 4}, {"K", 20}});
  const std::vector<double> a = fill(launch, InputFamily::kNan, "A");
  EXPECT_EQ(std::count_if(a.begin(), a.end(), [](double value) { return std::isnan(value); }), 1);
  const std::vector<double> b = launch.get("B");
  EXPECT_EQ(std::count_if(b.begin(), b.end(), [](double value) { return std::isnan(value); }), 0);
  const std::vector<double> infinite = fill(launch, InputFamily::kNegativeInfinity, "B");
  EXPECT_EQ(std::count(infinite.begin(), infinite.end(), -HUGE_VAL), 1);
  const std::vector<double> small = fill(launch, InputFamily::kSubnormal, "A");
  EXPECT_EQ(std::count_if(small.begin(), small.end(),
                          [](double value) { return value > 0 && value < 0x1p-17; }),
            4);
}

TEST(InputFamily, IndexOrderDescendsAndRepeats) {
  HostLaunch launch("embedding", kF32, {{"tokens", 7}, {"vocab", 5}, {"hidden", 1}});
  EXPECT_THAT(fill(launch, InputFamily::kIndexOrder, "ids"),
              ::testing::ElementsAre(4, 4, 3, 3, 2, 2, 0));
}

TEST(InputFamily, SlotsStayUnique) {
  HostLaunch launch(
      "kv_append_paged", kF32,
      {{"tokens", 7}, {"num_pages", 2}, {"kv_heads", 1}, {"head_dim", 1}, {"page_size", 3}});
  EXPECT_THAT(fill(launch, InputFamily::kIndexOrder, "slots"),
              ::testing::ElementsAre(5, 4, 3, 2, 1, 0, -1));
}

TEST(InputFamily, RaggedSequencesStayWithinThePages) {
  HostLaunch launch("attention_decode_paged", kF32,
                    {{"batch", 4},
                     {"num_pages", 9},
                     {"num_indices", 8},
                     {"kv_length", 20},
                     {"q_heads", 1},
                     {"kv_heads", 1},
                     {"head_dim", 1},
                     {"page_size", 4}});
  EXPECT_THAT(fill(launch, InputFamily::kIndexOrder, "kv_indptr"),
              ::testing::ElementsAre(0, 5, 6, 7, 8));
  EXPECT_THAT(launch.get("kv_lengths"), ::testing::ElementsAre(20, 1, 0, 1));
}

TEST(InputFamily, MaskedIndicesLieOutside) {
  HostLaunch launch("rope", kF32,
                    {{"tokens", 30},
                     {"max_positions", 5},
                     {"q_heads", 1},
                     {"kv_heads", 1},
                     {"head_dim", 2},
                     {"rotary_dim", 2}});
  const std::vector<double> positions = fill(launch, InputFamily::kMasked, "positions");
  const auto outside = std::count_if(positions.begin(), positions.end(),
                                     [](double value) { return value < 0 || value >= 5; });
  EXPECT_GE(outside, 4);
  EXPECT_LT(outside, 30);
}

}  // namespace
}  // namespace halyard::verification
