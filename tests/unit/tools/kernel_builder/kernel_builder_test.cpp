// SPDX-License-Identifier: Apache-2.0
#include "tools/kernel_builder/kernel_builder.h"

#include "kernel-store/bundle.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <sstream>

namespace halyard::kernel_builder {
namespace {

using store::testing::kernel_json;
using store::testing::read_file;
using store::testing::TemporaryDirectory;
using store::testing::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

// A stand-in for a compiler: writes its arguments to the file after -o, notes that it ran, and
// fails for a source that holds "error".
constexpr std::string_view kFakeCompiler = R"sh(#!/bin/sh
if [ "$1" = --version ]; then echo "Fake clang version 1.2.3 (x)"; exit 0; fi
echo run >> "$(dirname "$0")/runs"
env > "$(dirname "$0")/environment"
for last; do [ "$previous" = -o ] && output="$last"; previous="$last"; done
if grep -q error a.cpp; then echo "a.cpp:1: error: no"; exit 1; fi
echo "$@" > "$output"
)sh";

class KernelBuilderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.source = directory_ / "kernel-store";
    options_.out = directory_ / "out";
    options_.clang = directory_ / "bin/clang";
    options_.jobs = 2;
    write_file(options_.clang, kFakeCompiler);
    ASSERT_EQ(::chmod(options_.clang.c_str(), 0755), 0);
    write_file(directory_ / "kernel-store/contracts/rms_norm.json", "{}");
    write_file(directory_ / "kernel-store/prelude/c++/1/p.h", "");
    write_kernel("void f() {}\n");
  }

  void write_kernel(std::string_view source) {
    write_file(folder_ + "/kernel.json",
               kernel_json("[{\"T\": \"f32\"}]", "[{\"T\": \"f32\"}, {\"T\": \"bf16\"}]"));
    write_file(folder_ + "/a.cpp", source);
  }

  bool build() {
    std::ostringstream log;
    std::ostringstream errors;
    const bool good = build_data_directory(options_, log, errors);
    errors_ = errors.str();
    return good;
  }

  std::size_t runs() const {
    const std::string text = read_file(directory_ / "bin/runs");
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  TemporaryDirectory directory_;
  std::string folder_ = directory_ / "kernel-store/kernels/rms_norm/rms_norm_plain";
  std::string made_ = directory_ / "out/kernels/rms_norm/rms_norm_plain";
  BuilderOptions options_;
  std::string errors_;
};

TEST_F(KernelBuilderTest, MakesADirectoryThatTheBundleReads) {
  ASSERT_TRUE(build()) << errors_;
  const auto bundle = store::Bundle::open(options_.out.string());
  ASSERT_TRUE(bundle);
  const auto contract = bundle->kernels("rms_norm");
  ASSERT_TRUE(contract);
  ASSERT_EQ((*contract)->kernels.size(), 1U);
  const store::BuiltKernel& kernel = (*contract)->kernels[0];
  const auto* const built =
      store::find_build(kernel, "x86_64-v3", {{"T", base::DataType::kBf16}}, {});
  ASSERT_NE(built, nullptr);
  EXPECT_EQ(built->file, "x86_64-v3.T-bf16.so");
  EXPECT_EQ(built->toolchain, "clang 1.2.3");
  EXPECT_TRUE(bundle->load_code(kernel, *built));
  EXPECT_TRUE(fs::exists(options_.out / "contracts/rms_norm.json"));
  EXPECT_TRUE(fs::exists(options_.out / "prelude/c++/1/p.h"));
}

TEST_F(KernelBuilderTest, CopiesDescriptorsAndTheirSchemas) {
  options_.descriptors = directory_ / "capability-descriptors";
  write_file(directory_ / "capability-descriptors/data/acme/a1.descriptor.json", "{}");
  write_file(directory_ / "capability-descriptors/data/acme/NOTICE", "n");
  write_file(directory_ / "capability-descriptors/schema/descriptor.schema.json", "{}");
  ASSERT_TRUE(build()) << errors_;
  EXPECT_TRUE(fs::exists(options_.out / "descriptors/acme/a1.descriptor.json"));
  EXPECT_TRUE(fs::exists(options_.out / "descriptors/acme/NOTICE"));
  EXPECT_TRUE(fs::exists(options_.out / "descriptor-schema/descriptor.schema.json"));
  fs::remove(directory_ / "capability-descriptors/data/acme/a1.descriptor.json");
  ASSERT_TRUE(build());
  EXPECT_FALSE(fs::exists(options_.out / "descriptors/acme/a1.descriptor.json"));
}

TEST_F(KernelBuilderTest, DefinesTypesAndParameters) {
  ASSERT_TRUE(build());
  const std::string arguments = read_file(made_ + "/x86_64-v3.T-bf16.so");
  EXPECT_THAT(arguments, HasSubstr("-march=x86-64-v3"));
  EXPECT_THAT(arguments, HasSubstr("-DHALYARD_TYPE_T=4 -DHALYARD_TYPE_T_BF16=1"));
  EXPECT_THAT(arguments, HasSubstr("-DHALYARD_PARAM_ROWS=2"));
  EXPECT_THAT(arguments, Not(HasSubstr("CHUNK")));
}

TEST_F(KernelBuilderTest, MakesBinariesForTheNamedProcessorsOfAmdOnly) {
  std::string json = kernel_json("\"c++\"", "\"hip\"");
  const std::size_t at = json.find("[\"x86_64-v3\"]");
  ASSERT_NE(at, std::string::npos);
  json.replace(at, 13, R"(["amdgcn-gfx942:xnack-", "amdgcn-gfx1100", "amdgcn-gfx1200"])");
  write_file(folder_ + "/kernel.json", json);
  options_.processors = {"gfx942", "gfx1200"};
  ASSERT_TRUE(build()) << errors_;
  EXPECT_TRUE(fs::exists(made_ + "/amdgcn-gfx942_xnack-.T-f32.co"));
  EXPECT_TRUE(fs::exists(made_ + "/amdgcn-gfx1200.T-f32.co"));
  EXPECT_FALSE(fs::exists(made_ + "/amdgcn-gfx1100.T-f32.co"));
}

TEST_F(KernelBuilderTest, CompilersSeeAFixedEnvironment) {
  ASSERT_TRUE(build());
  const std::string environment = read_file(directory_ / "bin/environment");
  EXPECT_THAT(environment, HasSubstr("LC_ALL=C"));
  EXPECT_THAT(environment, Not(HasSubstr("HOME=")));
}

TEST_F(KernelBuilderTest, CompilesAgainOnlyWhatChanged) {
  ASSERT_TRUE(build());
  ASSERT_TRUE(build());
  EXPECT_EQ(runs(), 2U);
  write_file(made_ + "/x86_64-v3.T-f32.so", "damaged");
  ASSERT_TRUE(build());
  EXPECT_EQ(runs(), 3U);
  write_kernel("void g() {}\n");
  ASSERT_TRUE(build());
  EXPECT_EQ(runs(), 5U);
}

TEST_F(KernelBuilderTest, FailureNamesKernelBinaryAndCompilerOutput) {
  write_kernel("error\n");
  EXPECT_FALSE(build());
  EXPECT_THAT(errors_, HasSubstr("Kernel \"rms_norm_plain\" does not compile to x86_64-v3.T-f32.so "
                                 "(exit code 1)"));
  EXPECT_THAT(errors_, HasSubstr("a.cpp:1: error: no"));
}

TEST_F(KernelBuilderTest, KernelsThatDoNotParseDoNotStopOthers) {
  write_file(directory_ / "kernel-store/kernels/rms_norm/broken/kernel.json", "{");
  EXPECT_FALSE(build());
  EXPECT_THAT(errors_, HasSubstr("broken/kernel.json:1:"));
  EXPECT_TRUE(fs::exists(made_ + "/builds.json"));
}

TEST_F(KernelBuilderTest, RemovesWhatHasVanished) {
  ASSERT_TRUE(build());
  write_file(made_ + "/stray.so", "");
  ASSERT_TRUE(build());
  EXPECT_FALSE(fs::exists(made_ + "/stray.so"));
  fs::remove_all(folder_);
  fs::remove(directory_ / "kernel-store/contracts/rms_norm.json");
  ASSERT_TRUE(build());
  EXPECT_FALSE(fs::exists(options_.out / "kernels/rms_norm"));
  EXPECT_FALSE(fs::exists(options_.out / "contracts/rms_norm.json"));
}

TEST_F(KernelBuilderTest, MissingCompilerIsOneSentence) {
  options_.clang = "no-such-clang";
  EXPECT_FALSE(build());
  EXPECT_THAT(errors_, HasSubstr("The compiler \"no-such-clang\" is not there"));
  EXPECT_EQ(std::count(errors_.begin(), errors_.end(), '\n'), 1);
}

TEST_F(KernelBuilderTest, LanguagesItDoesNotBuildAreNamed) {
  write_file(folder_ + "/kernel.json", kernel_json("\"c++\"", "\"cuda\""));
  EXPECT_FALSE(build());
  EXPECT_THAT(errors_,
              HasSubstr("While planning kernel \"rms_norm_plain\": No compiler of cuda is known"));
}

}  // namespace
}  // namespace halyard::kernel_builder
