// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/sandbox_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace halyard::worker {
namespace {

using base::ErrorCode;
using testing::Contains;
using testing::Not;

SandboxDesc plain_desc() {
  SandboxDesc desc;
  desc.arguments = {"/program"};
  desc.visible = {{"/dev/null", "/program"}};
  return desc;
}

void expect_invalid(const SandboxDesc& desc, const std::string& sentence,
                    Isolation isolation = Isolation::kFull) {
  const auto plan = plan_sandbox("/x/halyard-worker", isolation, desc);
  ASSERT_FALSE(plan) << sentence;
  EXPECT_EQ(plan.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(plan.error().message(), sentence);
}

TEST(SandboxPlan, RefusesTexts) {
  SandboxDesc desc = plain_desc();
  desc.arguments.clear();
  expect_invalid(desc, "A confined process has no program.");
  desc.arguments = {"program"};
  expect_invalid(desc, "The program \"program\" is not an absolute path without \"..\".");
  desc.arguments = {"/program", std::string("a\0b", 3)};
  expect_invalid(desc, "An argument holds a zero byte.");
  desc = plain_desc();
  desc.environment = {"NAME"};
  expect_invalid(desc, "\"NAME\" is not of the form NAME=value.");
  desc = plain_desc();
  desc.limits.wall = std::chrono::milliseconds{0};
  expect_invalid(desc, "A limit of time, memory or processes is not above zero.");
}

TEST(SandboxPlan, RefusesPaths) {
  SandboxDesc desc = plain_desc();
  desc.visible = {{"/dev/../etc", "/etc"}};
  expect_invalid(desc, "The visible path \"/dev/../etc\" is not an absolute path without \"..\".");
  desc.visible = {{"/nothing/there", "/x"}};
  expect_invalid(desc, "The visible path \"/nothing/there\" does not exist.");
  desc = plain_desc();
  expect_invalid(desc, "The path \"/dev/null\" cannot be seen as \"/program\" without namespaces.",
                 Isolation::kReduced);
  desc.output_folder = "/nothing/there";
  expect_invalid(desc, "The output folder \"/nothing/there\" does not exist.");
  desc = plain_desc();
  desc.device_nodes = {"/dev/null"};
  expect_invalid(desc,
                 "The device node \"/dev/null\" is not below /dev, or the profile is not that of "
                 "devices.");
  desc = plain_desc();
  desc.working_directory = "out";
  expect_invalid(desc, "The working directory \"out\" is not an absolute path without \"..\".");
}

TEST(SandboxPlan, RefusesDescriptors) {
  SandboxDesc desc = plain_desc();
  desc.files = {{0, 2}};
  expect_invalid(desc, "The descriptor number 2 is outside 3 to 128, or stands twice.");
  desc.files = {{0, 4}, {0, 4}};
  expect_invalid(desc, "The descriptor number 4 is outside 3 to 128, or stands twice.");
  desc.files = {{999, 4}};
  expect_invalid(desc, "The descriptor 999 is not open.");
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM, 0, ends.data()), 0);
  desc.files = {{ends[0], 4}};
  expect_invalid(desc, "The descriptor " + std::to_string(ends[0]) +
                           " is a socket, but not a connected local one.");
  for (const int file : ends)
    ::close(file);
}

TEST(SandboxPlan, NamesNoFolderOfTheHostButTheDescribed) {
  SandboxDesc desc = plain_desc();
  desc.profile = SyscallProfile::kWorker;
  desc.files = {{0, 8}, {1, 3}};
  const auto plan = plan_sandbox("/x/halyard-worker", Isolation::kFull, desc);
  ASSERT_TRUE(plan) << plan.error().message();
  EXPECT_EQ(plan->policy_file, 9);
  EXPECT_EQ(plan->policy.control_file, 10);
  EXPECT_EQ(plan->policy.kept_files, (std::vector<std::int32_t>{3, 8}));
  EXPECT_THAT(plan->arguments, Not(Contains("--tmpfs")));
  EXPECT_THAT(plan->arguments, Not(Contains("--bind")));
  EXPECT_THAT(plan->arguments, Contains("/x/halyard-confine"));
  EXPECT_EQ(std::count(plan->arguments.begin(), plan->arguments.end(), "--ro-bind"), 2);
  EXPECT_EQ(plan->arguments.back(), "9");
}

TEST(SandboxPlan, ShowsACompilerNoProcesses) {
  const auto plan = plan_sandbox("/x/halyard-worker", Isolation::kFull, plain_desc());
  ASSERT_TRUE(plan) << plan.error().message();
  EXPECT_THAT(plan->arguments, Not(Contains("--proc")));
  EXPECT_THAT(plan->arguments, Contains("--tmpfs"));
}

// The folder for temporary files would hide what lies below it.
TEST(SandboxPlan, PutsWhatIsVisibleOverTheFolderForTemporaryFiles) {
  const auto plan = plan_sandbox("/x/halyard-worker", Isolation::kFull, plain_desc());
  ASSERT_TRUE(plan) << plan.error().message();
  const auto& all = plan->arguments;
  EXPECT_LT(std::find(all.begin(), all.end(), "--tmpfs"),
            std::find(all.begin(), all.end(), "--ro-bind"));
}

TEST(SandboxPlan, StartsTheGuardAloneWithoutNamespaces) {
  SandboxDesc desc;
  desc.arguments = {"/program"};
  const auto plan = plan_sandbox("/x/halyard-worker", Isolation::kReduced, desc);
  ASSERT_TRUE(plan) << plan.error().message();
  EXPECT_EQ(plan->arguments, (std::vector<std::string>{"/x/halyard-confine", "3"}));
  EXPECT_FALSE(plan->policy.is_namespaced);
  EXPECT_TRUE(plan->policy.has_landlock);
}

}  // namespace
}  // namespace halyard::worker
