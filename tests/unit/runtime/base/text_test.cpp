// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace halyard::base {
namespace {

TEST(Text, PiecesOfEveryKindAreJoined) {
  const std::string name = "x";
  EXPECT_EQ(concat("Offset of ", name, " (", 256, ") is ", std::string_view("past"), '.', true),
            "Offset of x (256) is past.true");
}

TEST(Text, LimitsOfIntegersAreWritten) {
  EXPECT_EQ(concat(std::numeric_limits<std::int64_t>::min(), ' ',
                   std::numeric_limits<std::uint64_t>::max()),
            "-9223372036854775808 18446744073709551615");
}

TEST(Text, FloatsReadBackTheSame) {
  EXPECT_EQ(concat(0.1, ' ', 1e-5, ' ', 0.1F), "0.1 1e-05 0.1");
}

TEST(Text, JoinPutsSeparatorsBetween) {
  EXPECT_EQ(join(std::vector<std::string>{"a", "b"}), "a, b");
  EXPECT_EQ(join(std::vector<int>{}), "");
  EXPECT_EQ(join(std::vector<int>{1, 2, 3}, "/"), "1/2/3");
}

}  // namespace
}  // namespace halyard::base
