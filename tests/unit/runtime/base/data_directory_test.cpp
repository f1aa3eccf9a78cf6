// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/data_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace halyard::base {
namespace {

class DataDirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "halyard_data_directory_XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  Configuration configuration_;
};

TEST_F(DataDirectoryTest, ConfiguredFolderWithContractsIsTaken) {
  std::filesystem::create_directory(folder_ + "/contracts");
  configuration_.data_directory = {folder_, SettingOrigin::kEnvironment};
  const auto found = find_data_directory(configuration_);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(*found, folder_);
}

TEST_F(DataDirectoryTest, ConfiguredFolderWithoutContractsIsRefusedWithItsOrigin) {
  configuration_.data_directory = {folder_, SettingOrigin::kFile};
  const auto found = find_data_directory(configuration_);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(found.error().message(),
            "Data directory \"" + folder_ + "\" (from file) has no folder \"contracts\".");
}

TEST_F(DataDirectoryTest, WithoutSettingItIsLookedForBesideTheCallersFile) {
  const auto found = find_data_directory(configuration_);
  ASSERT_FALSE(found);
  const auto own = std::filesystem::canonical("/proc/self/exe").parent_path() / "halyard";
  EXPECT_THAT(found.error().message(), testing::HasSubstr(own.string()));
}

}  // namespace
}  // namespace halyard::base
