// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/random_inputs.h"

#include "tests/unit/runtime/operators/host_launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace halyard::operators {
namespace {

using testing::HostLaunch;
using testing::kBf16;
using testing::kF32;

TEST(CounterRandom, DependsOnSeedNameAndIndex) {
  EXPECT_EQ(CounterRandom(1, "x").bits(7), CounterRandom(1, "x").bits(7));
  EXPECT_NE(CounterRandom(1, "x").bits(7), CounterRandom(2, "x").bits(7));
  EXPECT_NE(CounterRandom(1, "x").bits(7), CounterRandom(1, "y").bits(7));
  EXPECT_NE(CounterRandom(1, "x").bits(7), CounterRandom(1, "x").bits(8));
}

TEST(CounterRandom, IsCloseToNormal) {
  const CounterRandom random(3, "x");
  double sum = 0;
  double squares = 0;
  constexpr int kCount = 100000;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    sum += random.normal(i);
    squares += random.normal(i) * random.normal(i);
  }
  EXPECT_NEAR(0, sum / kCount, 0.02);
  EXPECT_NEAR(1, squares / kCount, 0.02);
}

TEST(RandomInputs, TellsPlainTensorsFromThoseWithAMeaning) {
  const base::Ref<const Contract> rope = testing::contract("rope");
  EXPECT_TRUE(is_plain_tensor(*rope, *rope->tensor_index("q")));
  EXPECT_FALSE(is_plain_tensor(*rope, *rope->tensor_index("positions")));
  EXPECT_FALSE(is_plain_tensor(*rope, *rope->tensor_index("cos_sin_cache")));
}

TEST(RandomInputs, SameSeedSameBytes) {
  const std::vector<AxisValue> axes{{"M", 3}, {"N", 5}, {"K", 7}};
  HostLaunch first("gemm", kBf16, axes);
  HostLaunch second("gemm", kBf16, axes);
  first.fill(1);
  second.fill(1);
  EXPECT_EQ(first.get("A"), second.get("A"));
  EXPECT_NE(first.get("A"), std::vector<double>(first.count("A"), 0));
  second.fill(2);
  EXPECT_NE(first.get("A"), second.get("A"));
}

TEST(RandomInputs, PagesAreConsistent) {
  HostLaunch launch("attention_decode_paged", kF32,
                    {{"batch", 5},
                     {"num_pages", 40},
                     {"num_indices", 23},
                     {"kv_length", 70},
                     {"q_heads", 4},
                     {"kv_heads", 2},
                     {"head_dim", 8},
                     {"page_size", 16}});
  launch.fill(9);
  const std::vector<double> indptr = launch.get("kv_indptr");
  EXPECT_EQ(0, indptr.front());
  EXPECT_EQ(23, indptr.back());
  EXPECT_TRUE(std::is_sorted(indptr.begin(), indptr.end()));
  const std::vector<double> pages = launch.get("kv_indices");
  EXPECT_EQ(pages.size(), std::set<double>(pages.begin(), pages.end()).size());
  EXPECT_LT(*std::max_element(pages.begin(), pages.end()), 40);
  const std::vector<double> lengths = launch.get("kv_lengths");
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    EXPECT_GE(lengths[i], 1);
    EXPECT_LE(lengths[i], std::min(70.0, 16 * (indptr[i + 1] - indptr[i])));
  }
}

TEST(RandomInputs, SlotsAreUniqueUntilFull) {
  HostLaunch launch(
      "kv_append_paged", kF32,
      {{"tokens", 9}, {"num_pages", 3}, {"page_size", 2}, {"kv_heads", 1}, {"head_dim", 4}});
  launch.fill(4);
  std::vector<double> slots = launch.get("slots");
  std::sort(slots.begin(), slots.end());
  EXPECT_EQ((std::vector<double>{-1, -1, -1, 0, 1, 2, 3, 4, 5}), slots);
}

TEST(RandomInputs, RotaryTableHoldsCosinesThenSines) {
  HostLaunch launch("rope", kF32,
                    {{"tokens", 2},
                     {"max_positions", 7},
                     {"q_heads", 1},
                     {"kv_heads", 1},
                     {"head_dim", 8},
                     {"rotary_dim", 6}});
  launch.fill(4);
  const std::vector<double> table = launch.get("cos_sin_cache");
  EXPECT_NEAR(std::cos(5.0), table[5 * 6 + 0], 1e-6);
  EXPECT_NEAR(std::sin(5.0), table[5 * 6 + 3], 1e-6);
  for (const double position : launch.get("positions"))
    EXPECT_LT(position, 7);
}

TEST(RandomInputs, TensorsThatDoNotFitAreRefused) {
  HostLaunch launch("gemm", kF32, {{"M", 3}, {"N", 5}, {"K", 7}});
  launch.tensors[0].shape[0] = 4;
  const base::Status refused =
      fill_random_inputs(launch.problem(), launch.launch_axes(), 1, launch.tensors);
  ASSERT_FALSE(refused);
  EXPECT_EQ(base::ErrorCode::kInvalidArgument, refused.error().code());
}

TEST(RandomInputs, ScaleOfAttentionFollowsHeadDim) {
  HostLaunch launch("attention_decode_paged", kF32,
                    {{"batch", 0},
                     {"num_pages", 0},
                     {"num_indices", 0},
                     {"kv_length", 0},
                     {"q_heads", 1},
                     {"kv_heads", 1},
                     {"head_dim", 64},
                     {"page_size", 1}});
  EXPECT_EQ(std::vector<double>{0.125}, launch.scalars);
}

}  // namespace
}  // namespace halyard::operators
