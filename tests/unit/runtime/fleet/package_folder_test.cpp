// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/package_folder.h"

#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace halyard::fleet {
namespace {

namespace fs = std::filesystem;

TEST(PackageFolder, HoldsThePackageAndGoesWithIt) {
  const store::KernelPackage package = store::testing::make_package();
  std::string path;
  {
    const auto folder = PackageFolder::make(package);
    ASSERT_TRUE(folder) << folder.error().message();
    path = folder->path();
    const auto loaded = store::load_kernel_package(
        path, [](const std::string&) -> base::Result<store::Digest> { return store::Digest{}; });
    ASSERT_TRUE(loaded) << loaded.error().message();
    EXPECT_EQ(loaded->id, package.id);
    EXPECT_EQ(fs::status(path).permissions() & fs::perms::all, fs::perms::owner_all);
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace halyard::fleet
