// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_package.h"

#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

namespace halyard::store {
namespace {

using ::testing::HasSubstr;
using testing::kernel_json;
using testing::TemporaryDirectory;
using testing::write_file;

base::Result<KernelPackage> load(const TemporaryDirectory& directory) {
  return load_kernel_package(directory.path(), [&](const std::string& name) {
    return load_prelude_digest(directory / "prelude", name);
  });
}

TEST(KernelPackage, LoadsTheNamedFilesOnly) {
  const TemporaryDirectory directory;
  write_file(directory / "kernel.json", kernel_json());
  write_file(directory / "a.cpp", "void f() {}\n");
  write_file(directory / "stray.cpp", "not read");
  const auto package = load(directory);
  ASSERT_TRUE(package) << package.error().message();
  EXPECT_EQ(package->files, (PackageFiles{{"a.cpp", "void f() {}\n"}}));
  EXPECT_EQ(package->id, testing::make_package().id);
}

TEST(KernelPackage, FilesThatDifferInCaseOnlyAreRefused) {
  auto record = parse_kernel_record(kernel_json("\"source\"", "\"files\": [\"A.CPP\"], \"source\""),
                                    "kernel.json");
  ASSERT_TRUE(record) << record.error().message();
  const auto package =
      make_kernel_package(std::move(*record), {{"a.cpp", ""}, {"A.CPP", ""}}, std::nullopt);
  ASSERT_FALSE(package);
  EXPECT_EQ(package.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(package.error().message(),
            "Kernel \"rms_norm_plain\" holds the files \"A.CPP\" and \"a.cpp\", which differ in "
            "case only.");
}

TEST(KernelPackage, PreludeIsPartOfTheIdentity) {
  const TemporaryDirectory directory;
  write_file(directory / "kernel.json",
             kernel_json("\"source\"", "\"prelude\": \"c++/1\", \"source\""));
  write_file(directory / "a.cpp", "");
  write_file(directory / "prelude/c++/1/p.h", "int a;");
  const auto before = load(directory);
  write_file(directory / "prelude/c++/1/p.h", "int b;");
  const auto after = load(directory);
  ASSERT_TRUE(before && after) << before.error().message();
  EXPECT_NE(before->id, after->id);
}

TEST(KernelPackage, MissingPreludeIsNamed) {
  const TemporaryDirectory directory;
  write_file(directory / "kernel.json",
             kernel_json("\"source\"", "\"prelude\": \"c++/9\", \"source\""));
  write_file(directory / "a.cpp", "");
  const auto package = load(directory);
  ASSERT_FALSE(package);
  EXPECT_EQ(package.error().code(), base::ErrorCode::kNotFound);
  EXPECT_THAT(package.error().message(), HasSubstr("prelude/c++/9"));
}

TEST(KernelPackage, MissingFileIsNamed) {
  const TemporaryDirectory directory;
  write_file(directory / "kernel.json", kernel_json());
  const auto package = load(directory);
  ASSERT_FALSE(package);
  EXPECT_EQ(package.error().code(), base::ErrorCode::kNotFound);
  EXPECT_THAT(package.error().message(), HasSubstr("/a.cpp"));
}

TEST(KernelPackage, SymbolicLinkIsRefused) {
  const TemporaryDirectory directory;
  write_file(directory / "kernel.json", kernel_json());
  ASSERT_EQ(::symlink("/etc/hostname", (directory / "a.cpp").c_str()), 0);
  const auto package = load(directory);
  ASSERT_FALSE(package);
  EXPECT_EQ(package.error().code(), base::ErrorCode::kPermissionDenied);
  EXPECT_THAT(package.error().message(), HasSubstr("is a symbolic link"));
}

TEST(KernelPackage, PipeIsRefusedWithoutWaiting) {
  const TemporaryDirectory directory;
  write_file(directory / "kernel.json", kernel_json());
  ASSERT_EQ(::mkfifo((directory / "a.cpp").c_str(), 0600), 0);
  const auto package = load(directory);
  ASSERT_FALSE(package);
  EXPECT_THAT(package.error().message(), HasSubstr("is no regular file"));
}

TEST(KernelPackage, FileAboveTheLimitIsRefused) {
  const TemporaryDirectory directory;
  write_file(directory / "file", std::string(11, 'x'));
  EXPECT_TRUE(read_plain_file(directory / "file", 11));
  const auto text = read_plain_file(directory / "file", 10);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_THAT(text.error().message(), HasSubstr("has more than 10 bytes"));
}

TEST(KernelPackage, UnnamedFileIsRefused) {
  auto record = parse_kernel_record(kernel_json(), "kernel.json");
  ASSERT_TRUE(record);
  const auto package =
      make_kernel_package(std::move(*record), {{"a.cpp", ""}, {"b.cpp", ""}}, std::nullopt);
  ASSERT_FALSE(package);
  EXPECT_THAT(package.error().message(), HasSubstr("holds 2 files and names 1"));
}

}  // namespace
}  // namespace halyard::store
