// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/confinement_policy.h"

#include "runtime/worker/sandbox.h"

#include <gtest/gtest.h>

namespace halyard::worker {
namespace {

ConfinementPolicy full_policy() {
  ConfinementPolicy policy;
  policy.profile = SyscallProfile::kDevice;
  policy.is_namespaced = true;
  policy.has_filter = false;
  policy.user = 4'000'000'000;
  policy.control_file = 9;
  policy.limits = {1, 2, 3, 4};
  policy.working_directory = "/out";
  policy.kept_files = {3, 7};
  policy.paths = {{"/a", kReadPath}, {"/b", kReadPath | kWritePath}};
  policy.arguments = {"/program", "", "x y"};
  policy.environment = {"A=b"};
  return policy;
}

TEST(ConfinementPolicy, ReadsWhatItWrites) {
  const auto read = decode_policy(encode_policy(full_policy()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->profile, SyscallProfile::kDevice);
  EXPECT_TRUE(read->is_namespaced);
  EXPECT_TRUE(read->has_landlock);
  EXPECT_FALSE(read->has_filter);
  EXPECT_EQ(read->user, 4'000'000'000);
  EXPECT_EQ(read->control_file, 9);
  EXPECT_EQ(read->limits.memory_bytes, 1U);
  EXPECT_EQ(read->limits.file_bytes, 2U);
  EXPECT_EQ(read->limits.cpu_seconds, 3U);
  EXPECT_EQ(read->limits.user_processes, 4U);
  EXPECT_EQ(read->working_directory, "/out");
  EXPECT_EQ(read->kept_files, (std::vector<std::int32_t>{3, 7}));
  ASSERT_EQ(read->paths.size(), 2U);
  EXPECT_EQ(read->paths[1].path, "/b");
  EXPECT_EQ(read->paths[1].rights, kReadPath | kWritePath);
  EXPECT_EQ(read->arguments, (std::vector<std::string>{"/program", "", "x y"}));
  EXPECT_EQ(read->environment, (std::vector<std::string>{"A=b"}));
}

TEST(ConfinementPolicy, RefusesEveryBeginningAndWhatIsTooLong) {
  const std::string bytes = encode_policy(full_policy());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_policy(std::string_view(bytes).substr(0, size))) << size;
  }
  EXPECT_FALSE(decode_policy(bytes + "x"));
}

TEST(ConfinementPolicy, RefusesCountsAndSizesBeyondItsEnd) {
  const std::string bytes = encode_policy(full_policy());
  std::string magic = bytes;
  magic[0] = 'x';
  EXPECT_FALSE(decode_policy(magic));
  // The size of the working directory is the twelfth number.
  std::string size = bytes;
  size[11 * 8 + 3] = 'x';
  EXPECT_FALSE(decode_policy(size));
  std::string profile = bytes;
  profile[8] = 3;
  EXPECT_FALSE(decode_policy(profile));
}

TEST(ConfinementPolicy, RefusesAProgramThatIsNotNamed) {
  ConfinementPolicy policy = full_policy();
  policy.arguments.clear();
  EXPECT_FALSE(decode_policy(encode_policy(policy)));
}

}  // namespace
}  // namespace halyard::worker
