// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/program_files.h"

#include "tests/unit/runtime/worker/sandbox_fixture.h"

namespace halyard::worker {
namespace {

using base::ErrorCode;

TEST(ProgramFiles, AreTheLoaderAndTheLibraries) {
  const auto files = program_files("/bin/ls");
  ASSERT_TRUE(files) << files.error().message();
  EXPECT_EQ(files->front().host, "/bin/ls");
  const auto count_ending = [&](const std::string& end) {
    return std::count_if(files->begin(), files->end(), [&](const VisiblePath& file) {
      return file.host == file.inside && file.host.ends_with(end);
    });
  };
  EXPECT_EQ(count_ending("libc.so.6"), 1);
  EXPECT_GE(files->size(), 3U);
}

TEST(ProgramFiles, AreTheProgramAloneWhenItIsLinkedStatically) {
  const auto files = program_files(kHostileProgram);
  ASSERT_TRUE(files) << files.error().message();
  ASSERT_EQ(files->size(), 1U);
  EXPECT_EQ(files->front().inside, kHostileProgram);
}

TEST(ProgramFiles, RefusesWhatIsNoProgram) {
  const HostFolder folder;
  const std::string text = folder.write("text", "text");
  const auto files = program_files(text);
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(files.error().message(), "\"" + text + "\" is no ELF program of 64 bits.");
  const auto missing = program_files("/nothing/there");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().message(), "The program \"/nothing/there\" cannot be opened.");
}

// With its files and nothing else, a program of the host starts at each level.
TEST_P(SandboxTest, RunsAProgramOfTheHostWithItsFiles) {
  SandboxDesc desc;
  desc.arguments = {"/bin/ls", "/bin/ls"};
  const auto files = program_files("/bin/ls");
  ASSERT_TRUE(files) << files.error().message();
  desc.visible = *files;
  const SandboxExit exit = run(desc);
  EXPECT_THAT(exit, EndsWithKind(SandboxExit::Kind::kExited, 0));
  EXPECT_EQ(exit.output, "/bin/ls\n");
}

}  // namespace
}  // namespace halyard::worker
