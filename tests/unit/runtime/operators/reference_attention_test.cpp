// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/runtime/operators/host_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace halyard::operators {
namespace {

using ::testing::Each;
using testing::HostLaunch;
using testing::kBf16;
using testing::kF32;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

HostLaunch small(std::int64_t page_size = 2) {
  return HostLaunch("attention_decode_paged", kF32,
                    {{"batch", 1},
                     {"num_pages", 4},
                     {"num_indices", 2},
                     {"kv_length", 2 * page_size},
                     {"q_heads", 1},
                     {"kv_heads", 1},
                     {"head_dim", 1},
                     {"page_size", page_size}});
}

TEST(AttentionReference, HandComputed) {
  HostLaunch launch = small();
  launch.set("q", {1});
  launch.set("k_cache", {9, 9, std::log(2.0), 0, 9, 9, std::log(4.0), 9});
  launch.set("v_cache", {9, 9, 10, 20, 9, 9, 30, 9});
  launch.set("kv_indptr", {0, 2});
  launch.set("kv_indices", {1, 3});
  launch.set("kv_lengths", {3});
  EXPECT_NEAR((2 * 10 + 1 * 20 + 4 * 30) / 7.0, launch.evaluate("output")[0], 1e-5);
  EXPECT_NEAR(std::log2(7.0), launch.evaluate("lse")[0], 1e-6);
}

TEST(AttentionReference, EmptyAndMaskedSequencesGiveZero) {
  for (const double page : {1.0, -1.0, 4.0}) {
    HostLaunch launch = small(1);
    launch.fill(1);
    launch.set("kv_indptr", {0, 2});
    launch.set("kv_indices", {page, page});
    launch.set("kv_lengths", {page == 1.0 ? 0.0 : 2.0});
    EXPECT_EQ(0, launch.evaluate("output")[0]);
    EXPECT_EQ(-kInf, launch.evaluate("lse")[0]);
  }
}

TEST(AttentionReference, UnreadPositionsHaveNoEffect) {
  HostLaunch launch = small(1);
  launch.set("q", {1});
  launch.set("k_cache", {0, kNan, 0, kNan});
  launch.set("v_cache", {5, kNan, 7, kNan});
  launch.set("kv_indptr", {0, 2});
  launch.set("kv_indices", {0, 1});
  launch.set("kv_lengths", {1});
  EXPECT_EQ(5, launch.evaluate("output")[0]);
  EXPECT_EQ(0, launch.evaluate("lse")[0]);
}

TEST(AttentionReference, NanAndInfiniteScoresFollowTheRules) {
  HostLaunch launch = small(1);
  launch.set("q", {1});
  launch.set("v_cache", {5, 7, 0, 0});
  launch.set("kv_indptr", {0, 2});
  launch.set("kv_indices", {0, 1});
  launch.set("kv_lengths", {2});
  launch.set("k_cache", {-kInf, 1, 0, 0});
  EXPECT_EQ(7, launch.evaluate("output")[0]);
  for (const double key : {kNan, kInf}) {
    launch.set("k_cache", {1, key, 0, 0});
    EXPECT_TRUE(std::isnan(launch.evaluate("output")[0]));
    EXPECT_TRUE(std::isnan(launch.evaluate("lse")[0]));
  }
  launch.set("k_cache", {-kInf, -kInf, 0, 0});
  EXPECT_EQ(0, launch.evaluate("output")[0]);
  EXPECT_EQ(-kInf, launch.evaluate("lse")[0]);
}

std::vector<AxisValue> grouped(std::int64_t page_size) {
  const std::int64_t pages = (21 + page_size - 1) / page_size;
  return {{"batch", 3},
          {"num_pages", 3 * pages + 2},
          {"num_indices", 3 * pages},
          {"kv_length", 21},
          {"q_heads", 6},
          {"kv_heads", 2},
          {"head_dim", 5},
          {"page_size", page_size}};
}

TEST(AttentionReference, WeightsSumToOne) {
  HostLaunch launch("attention_decode_paged", kBf16, grouped(4));
  launch.fill(2);
  launch.set("v_cache", std::vector<double>(launch.count("v_cache"), 1));
  std::vector<double> output = launch.evaluate("output");
  for (const double value : output)
    EXPECT_NEAR(1, value, 1e-12);
}

TEST(AttentionReference, HeadsOfAGroupShareTheirKeys) {
  HostLaunch launch("attention_decode_paged", kBf16, grouped(1));
  launch.fill(2);
  const std::vector<double> q = launch.get("q");
  const std::vector<double> k = launch.get("k_cache");
  const std::vector<double> indptr = launch.get("kv_indptr");
  const std::vector<double> pages = launch.get("kv_indices");
  const std::vector<double> lengths = launch.get("kv_lengths");
  const std::vector<double> lse = launch.evaluate("lse");
  for (std::size_t head = 0; head < 18; ++head) {
    const std::size_t kv_head = head % 6 / 3;
    double sum = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(lengths[head / 6]); ++i) {
      const auto page =
          static_cast<std::size_t>(pages[static_cast<std::size_t>(indptr[head / 6]) + i]);
      double dot = 0;
      for (std::size_t d = 0; d < 5; ++d) {
        dot += q[head * 5 + d] * k[(page * 2 + kv_head) * 5 + d];
      }
      sum += std::exp(launch.scalars[0] * dot);
    }
    EXPECT_NEAR(std::log2(sum), lse[head], 1e-9);
  }
}

TEST(AttentionReference, PartsMergeByTheirLse) {
  HostLaunch whole = small(4);
  whole.fill(8);
  whole.set("kv_indptr", {0, 2});
  whole.set("kv_lengths", {8});
  HostLaunch part = small(4);
  std::vector<double> outputs;
  std::vector<double> weights;
  for (const double page : {0.0, 1.0}) {
    for (const char* name : {"q", "k_cache", "v_cache"})
      part.set(name, whole.get(name));
    const double index = whole.get("kv_indices")[static_cast<std::size_t>(page)];
    part.set("kv_indptr", {0, 1});
    part.set("kv_indices", {index, 0});
    part.set("kv_lengths", {4});
    outputs.push_back(part.evaluate("output")[0]);
    weights.push_back(std::exp2(part.evaluate("lse")[0]));
  }
  const double sum = weights[0] + weights[1];
  EXPECT_NEAR((outputs[0] * weights[0] + outputs[1] * weights[1]) / sum,
              whole.evaluate("output")[0], 1e-9);
  EXPECT_NEAR(std::log2(sum), whole.evaluate("lse")[0], 1e-9);
}

}  // namespace
}  // namespace halyard::operators
