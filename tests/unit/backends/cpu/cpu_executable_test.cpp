// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/cpu/cpu_fixture.h"

#include <gmock/gmock.h>

#include <array>
#include <fstream>

namespace halyard::cpu {
namespace {

class CpuExecutable : public CpuFixture {
 protected:
  base::Error failure_of(const core::ExecutableDesc& desc) {
    auto executable = device_->load_executable(desc);
    EXPECT_FALSE(executable);
    return executable ? base::Error(base::ErrorCode::kInternal, "none")
                      : std::move(executable.error());
  }
  static core::ExecutableDesc make_desc() {
    core::ExecutableDesc desc;
    desc.name = "probe";
    desc.target = "x86_64-v2";
    desc.code = probe_kernel();
    desc.stages = {make_stage("do_nothing", 0)};
    return desc;
  }
};

TEST_F(CpuExecutable, LoadsManyTimesAtOnce) {
  std::vector<base::Ref<core::Executable>> all;
  all.reserve(20);
  for (int i = 0; i < 20; ++i)
    all.push_back(load({make_stage("do_nothing", 0)}));
  const auto queue = make_queue();
  for (const auto& executable : all)
    EXPECT_TRUE(queue->dispatch({executable.get(), 0, {1, 1, 1}, {}}));
}

TEST_F(CpuExecutable, NameShowsInTheMapsOfTheProcess) {
  const auto executable = load({make_stage("do_nothing", 0)});
  std::ifstream maps("/proc/self/maps");
  const std::string text{std::istreambuf_iterator<char>(maps), {}};
  EXPECT_NE(text.find("/memfd:halyard-probe"), std::string::npos);
}

TEST_F(CpuExecutable, MissingEntryIsNamed) {
  core::ExecutableDesc desc = make_desc();
  desc.stages.push_back(make_stage("absent", 1));
  const base::Error error = failure_of(desc);
  EXPECT_EQ(error.code(), base::ErrorCode::kCorruptData);
  EXPECT_EQ(error.message(), "The code of kernel \"probe\" has no entry \"absent\".");
}

TEST_F(CpuExecutable, CodeThatIsNoElfFileIsRefused) {
  core::ExecutableDesc desc = make_desc();
  const std::array<std::byte, 4> junk{};
  desc.code = junk;
  EXPECT_EQ(failure_of(desc).code(), base::ErrorCode::kCorruptData);
}

TEST_F(CpuExecutable, OtherTargetIsUnsupported) {
  core::ExecutableDesc desc = make_desc();
  desc.target = "x86_64-v9";
  const base::Error error = failure_of(desc);
  EXPECT_EQ(error.code(), base::ErrorCode::kUnsupported);
  EXPECT_THAT(error.message(), testing::StartsWith("Kernel \"probe\" is built for x86_64-v9; "
                                                   "device \"cpu:0\" takes "));
}

TEST_F(CpuExecutable, TooManyArgumentsAreRefused) {
  core::ExecutableDesc desc = make_desc();
  desc.stages = {make_stage("do_nothing", 0, 65)};
  EXPECT_EQ(failure_of(desc).message(),
            "Entry \"do_nothing\" of kernel \"probe\" takes 65 arguments, above the limit of 64.");
}

}  // namespace
}  // namespace halyard::cpu
