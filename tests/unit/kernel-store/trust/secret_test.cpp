// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/secret.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace halyard::store {
namespace {

TEST(Secret, HoldsACopy) {
  const Secret secret = Secret::copy_of("open sesame");
  EXPECT_EQ(secret.text(), "open sesame");
  EXPECT_TRUE(Secret().empty());
  EXPECT_TRUE(Secret::copy_of("").empty());
}

TEST(Secret, BeginsWithZeros) {
  const Secret secret(5000);
  EXPECT_EQ(secret.size(), 5000U);
  EXPECT_TRUE(std::all_of(secret.data(), secret.data() + secret.size(),
                          [](std::uint8_t byte) { return byte == 0; }));
}

TEST(Secret, MovesWithoutACopy) {
  Secret secret = Secret::copy_of("open sesame");
  const std::uint8_t* const bytes = secret.data();
  Secret moved = std::move(secret);
  EXPECT_EQ(moved.data(), bytes);
  Secret assigned;
  assigned = std::move(moved);
  EXPECT_EQ(assigned.data(), bytes);
  EXPECT_EQ(assigned.text(), "open sesame");
}

TEST(Secret, ShrinkingWipesTheRest) {
  Secret secret = Secret::copy_of("open sesame");
  std::uint8_t* const bytes = secret.data();
  secret.shrink(4);
  EXPECT_EQ(secret.text(), "open");
  EXPECT_TRUE(std::all_of(bytes + 4, bytes + 11, [](std::uint8_t byte) { return byte == 0; }));
  secret.shrink(100);
  EXPECT_EQ(secret.size(), 4U);
}

}  // namespace
}  // namespace halyard::store
