// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/sandbox_user.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <string_view>

namespace halyard::worker {
namespace {

TEST(SandboxUser, IsFarAwayWhereAllUsersExist) {
  EXPECT_EQ(choose_user("         0          0 4294967295\n", 5), 0x7000'0005U);
  EXPECT_EQ(choose_user("0 0 4294967295\n", 0xffff'ffff), 0x70ff'ffffU);
}

TEST(SandboxUser, IsOfTheUpperHalfOfASmallRange) {
  const std::string_view map = "0 1000 1\n1 100000 65536\n";
  EXPECT_EQ(choose_user(map, 0), 65536U);
  EXPECT_EQ(choose_user(map, 32767), 32769U);
  EXPECT_EQ(choose_user(map, 32768), 65536U);
}

TEST(SandboxUser, IsNoOtherWhereThereIsNone) {
  EXPECT_EQ(choose_user("0 1000 1\n", 7), 0U);
  EXPECT_EQ(choose_user("", 7), 0U);
}

TEST(SandboxUser, IsChosenForRootOnly) {
  EXPECT_TRUE(::geteuid() == 0 || choose_sandbox_user() == 0);
}

TEST(SandboxUser, CountsTasksOfThisUser) {
  EXPECT_GE(count_user_tasks(), 1U);
}

}  // namespace
}  // namespace halyard::worker
