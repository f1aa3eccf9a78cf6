// SPDX-License-Identifier: Apache-2.0
// C09: packages that mean different things have different ids.
#include "kernel-store/kernel_package.h"
#include "runtime/base/text.h"
#include "tests/adversarial/base_kernels.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

namespace halyard::adversarial {
namespace {

namespace fs = std::filesystem;

std::string id_of(const Package& package) {
  EXPECT_EQ(package.fault, "");
  std::string folder = (fs::temp_directory_path() / "halyard-identity-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr || !write_package(package, folder)) return "";
  const auto loaded = store::load_kernel_package(
      folder, [](const std::string&) -> base::Result<store::Digest> { return store::Digest{}; });
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  EXPECT_TRUE(loaded.has_value()) << loaded.error().message();
  return loaded ? store::digest_text(loaded->id) : "";
}

void expect_different(const Package& one, const Package& other) {
  const std::string id = id_of(one);
  EXPECT_NE(id, "");
  EXPECT_NE(id, id_of(other));
}

Package with_files(std::string_view first, std::string_view second) {
  return with_file(with_file(cast_cpu(), "a.h", first), "b.h", second);
}

TEST(PackageIdentity, SeesWhereOneFileEnds) {
  expect_different(with_files("bc", ""), with_files("b", "c"));
  expect_different(with_files("b", "c"), with_files("", "bc"));
}

TEST(PackageIdentity, SeesWhereANameEnds) {
  expect_different(with_file(cast_cpu(), "a", "bc"), with_file(cast_cpu(), "ab", "c"));
}

TEST(PackageIdentity, SeesWhichFileHoldsWhat) {
  expect_different(with_files("x", "y"), with_files("y", "x"));
}

TEST(PackageIdentity, SeesEveryFieldOfTheLaunch) {
  const std::pair<std::string_view, std::string_view> kEdits[] = {
      {"/stages/0/grid", R"json(["ceil_div(n, 2048)", 1, 1])json"},
      {"/stages/0/cpu/partition", R"("dynamic")"},
      {"/stages/0/cpu/scratch_bytes", "64"},
      {"/stages/0/entry", R"("walk")"},
      {"/targets", R"(["x86_64-v2"])"},
      {"/types", R"([{"S": "f32", "T": "f16"}])"},
      {"/where", R"(["n > 0"])"},
      {"/license", R"("MIT")"},
      {"/version", R"("1.0.1")"},
      {"/contract", R"("cast@2")"},
      {"/prelude", R"("c++/2")"},
      {"/stages/0/arguments/2", R"({"axis": "n", "type": "i32"})"},
  };
  std::set<std::string> ids{id_of(cast_cpu())};
  for (const auto& [pointer, value] : kEdits) {
    EXPECT_TRUE(ids.insert(id_of(with_value(cast_cpu(), pointer, value))).second) << pointer;
  }
}

TEST(PackageIdentity, SeesNoDifferenceInTheOrderOfKeys) {
  Package reversed = cast_cpu();
  boost::json::object record;
  for (auto i = reversed.record.end(); i != reversed.record.begin();) {
    --i;
    record.emplace(i->key(), i->value());
  }
  reversed.record = record;
  EXPECT_EQ(id_of(cast_cpu()), id_of(reversed));
}

}  // namespace
}  // namespace halyard::adversarial
