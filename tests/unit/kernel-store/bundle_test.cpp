// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/bundle.h"

#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace halyard::store {
namespace {

using ::testing::HasSubstr;
using testing::kernel_json;
using testing::TemporaryDirectory;
using testing::write_file;

constexpr std::string_view kCode =
    "\x7f"
    "ELF, or so";

// A data directory with one kernel and one build of it.
class BundleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_ + "/kernel.json", kernel_json());
    write_file(folder_ + "/a.cpp", "void f() {}\n");
    write_file(folder_ + "/x86_64-v3.T-f32.so", kCode);
    write_builds(testing::make_package().id);
  }

  void write_builds(const KernelId& id) {
    KernelBuild build;
    build.target = "x86_64-v3";
    build.types = {{"T", base::DataType::kF32}};
    build.parameters = {{"ROWS", 2}};
    build.file = "x86_64-v3.T-f32.so";
    build.sha256 = base::Sha256::of(kCode);
    build.toolchain = "clang 19.1.7";
    build.flags = {"-O3"};
    write_file(folder_ + "/builds.json", builds_json(id, std::span(&build, 1)));
  }

  Bundle open() {
    auto bundle = Bundle::open(directory_.path());
    EXPECT_TRUE(bundle);
    return std::move(*bundle);
  }

  TemporaryDirectory directory_;
  std::string folder_ = directory_ / "kernels/rms_norm/rms_norm_plain";
};

TEST_F(BundleTest, FindsKernelBuildAndCode) {
  const Bundle bundle = open();
  const auto contract = bundle.kernels("rms_norm");
  ASSERT_TRUE(contract);
  ASSERT_EQ((*contract)->kernels.size(), 1U);
  const BuiltKernel& kernel = (*contract)->kernels[0];
  const KernelBuild* const build =
      find_build(kernel, "x86_64-v3", {{"T", base::DataType::kF32}}, {});
  ASSERT_NE(build, nullptr);
  const auto code = bundle.load_code(kernel, *build);
  ASSERT_TRUE(code) << code.error().message();
  EXPECT_EQ(code->size(), kCode.size());
}

TEST_F(BundleTest, BuildMatchesCompiledInParametersOnly) {
  const Bundle bundle = open();
  const BuiltKernel& kernel = (*bundle.kernels("rms_norm"))->kernels[0];
  const TypeBinding types = {{"T", base::DataType::kF32}};
  EXPECT_NE(find_build(kernel, "x86_64-v3", types, {{"ROWS", 2}, {"CHUNK", 64}}), nullptr);
  EXPECT_EQ(find_build(kernel, "x86_64-v3", types, {{"ROWS", 1}}), nullptr);
  EXPECT_EQ(find_build(kernel, "x86_64-v4", types, {}), nullptr);
  EXPECT_EQ(find_build(kernel, "x86_64-v3", {{"T", base::DataType::kF16}}, {}), nullptr);
}

TEST_F(BundleTest, ChangedCodeIsRefusedWithBothDigests) {
  write_file(folder_ + "/x86_64-v3.T-f32.so", "other");
  const Bundle bundle = open();
  const BuiltKernel& kernel = (*bundle.kernels("rms_norm"))->kernels[0];
  const auto code = bundle.load_code(kernel, kernel.builds[0]);
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_THAT(code.error().message(), HasSubstr("x86_64-v3.T-f32.so"));
  EXPECT_THAT(code.error().message(), HasSubstr(digest_text(base::Sha256::of(kCode))));
  EXPECT_THAT(code.error().message(), HasSubstr(digest_text(base::Sha256::of("other"))));
}

TEST_F(BundleTest, BuildsOfAnotherKernelAreAProblemOfThatKernel) {
  write_builds(testing::make_package("other").id);
  write_file(directory_ / "kernels/rms_norm/second/kernel.json", kernel_json());
  write_file(directory_ / "kernels/rms_norm/second/a.cpp", "second");
  const Bundle bundle = open();
  const auto contract = bundle.kernels("rms_norm");
  ASSERT_TRUE(contract);
  EXPECT_EQ((*contract)->kernels.size(), 1U);
  ASSERT_EQ((*contract)->problems.size(), 1U);
  EXPECT_THAT((*contract)->problems[0].message(), HasSubstr("/kernel is "));
}

TEST_F(BundleTest, KernelOfAnotherContractIsAProblem) {
  write_file(directory_ / "kernels/gemm/stray/kernel.json", kernel_json());
  write_file(directory_ / "kernels/gemm/stray/a.cpp", "");
  const Bundle bundle = open();
  const auto contract = bundle.kernels("gemm");
  ASSERT_TRUE(contract);
  EXPECT_TRUE((*contract)->kernels.empty());
  ASSERT_EQ((*contract)->problems.size(), 1U);
  EXPECT_THAT((*contract)->problems[0].message(),
              HasSubstr("is of contract \"rms_norm\", not \"gemm\""));
}

TEST_F(BundleTest, UnknownAndHostileContractsHaveNoKernels) {
  const Bundle bundle = open();
  for (const char* const name : {"none", "../kernels/rms_norm", "", "rms_norm/.."}) {
    const auto contract = bundle.kernels(name);
    ASSERT_TRUE(contract);
    EXPECT_TRUE((*contract)->kernels.empty()) << name;
  }
}

TEST_F(BundleTest, FindsByIdAcrossContracts) {
  const Bundle bundle = open();
  const auto found = bundle.find_kernel(testing::make_package().id);
  ASSERT_TRUE(found);
  ASSERT_NE(*found, nullptr);
  EXPECT_EQ(*bundle.find_kernel(KernelId{}), nullptr);
}

TEST_F(BundleTest, ThreadsShareOneList) {
  const Bundle bundle = open();
  std::vector<const BundledContract*> seen(8);
  std::vector<std::thread> threads;
  for (auto& each : seen)
    threads.emplace_back([&] { each = *bundle.kernels("rms_norm"); });
  for (std::thread& thread : threads)
    thread.join();
  for (const BundledContract* const each : seen)
    EXPECT_EQ(each, seen[0]);
}

TEST(Bundle, MissingDirectoryIsNamed) {
  const auto bundle = Bundle::open("/nowhere/at/all");
  ASSERT_FALSE(bundle);
  EXPECT_EQ(bundle.error().code(), base::ErrorCode::kNotFound);
  EXPECT_THAT(bundle.error().message(), HasSubstr("/nowhere/at/all"));
}

TEST(Builds, KeepWhatBinariesOccupy) {
  KernelBuild build;
  build.target = "amdgcn-gfx942";
  build.file = "amdgcn-gfx942.T-f32.co";
  build.toolchain = "clang 19.1.7";
  build.resources = {{"first", 128, 64, 98, 20480, 16, 1, 2}, {"second", 12, 0, 31, 0, 0, 0, 0}};
  const KernelId id{};
  const std::string text = builds_json(id, std::span(&build, 1));
  const auto read = parse_builds(text, "builds.json", id);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->front().resources, build.resources);
  std::string negative = text;
  negative.replace(negative.find("20480"), 5, "-1");
  const auto refused = parse_builds(negative, "builds.json", id);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("/builds/0/resources/0/shared_bytes"), std::string::npos)
      << refused.error().message();
}

}  // namespace
}  // namespace halyard::store
