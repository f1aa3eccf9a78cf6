// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/fork_guard.h"

#include "runtime/base/text.h"
#include "tests/forked_child.h"

#include <gtest/gtest.h>

namespace halyard::base {
namespace {

TEST(ForkGuard, TellsTheChildFromTheParent) {
  const ForkGuard guard("The lamp");
  EXPECT_FALSE(guard.in_child());
  const pid_t parent = ::getpid();
  EXPECT_TRUE(tests::passes_in_child([&]() -> std::string {
    const Status status = guard.check();
    if (!guard.in_child() || status) return "The child passes for the parent.\n";
    if (status.error().code() != ErrorCode::kUnavailable) return "The code is another.\n";
    const std::string wanted = concat("The lamp was opened in process ", parent,
                                      " and cannot be used in its forked child ", ::getpid(),
                                      ", where its threads do not exist.");
    return status.error().message() == wanted ? "" : status.error().message();
  }));
  EXPECT_TRUE(guard.check());
}

}  // namespace
}  // namespace halyard::base
