// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_manifests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace halyard::vulkan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class VulkanManifests : public testing::Test {
 protected:
  VulkanManifests() { std::filesystem::create_directories(root_); }
  ~VulkanManifests() override { std::filesystem::remove_all(root_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = root_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  DriverManifests find(const std::map<std::string, std::string>& variables) {
    return find_driver_manifests([&](const char* name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      if (found == variables.end()) return std::nullopt;
      return found->second;
    });
  }

  std::filesystem::path root_ =
      std::filesystem::temp_directory_path() / ("halyard-manifests-" + std::to_string(getpid()));
};

TEST_F(VulkanManifests, ListedFilesAreSortedOut) {
  const std::string good = write("good.json", R"({"ICD": {}})");
  const std::string bad = write("bad.json", "{\"ICD\": {");
  const std::string absent = (root_ / "absent.json").string();
  const DriverManifests manifests = find({{"VK_ICD_FILENAMES", bad + ":" + absent + "::" + good}});
  EXPECT_THAT(manifests.usable, ElementsAre(good));
  ASSERT_EQ(manifests.broken.size(), 2U);
  EXPECT_EQ(manifests.broken[0].path, bad);
  EXPECT_THAT(manifests.broken[0].reason, HasSubstr(bad));
  EXPECT_EQ(manifests.broken[1].path, absent);
}

TEST_F(VulkanManifests, DriverFilesWinAndMayBeFolders) {
  write("folder/b.json", "{}");
  write("folder/a.json", "{}");
  write("folder/notes.txt", "no manifest");
  const DriverManifests manifests = find(
      {{"VK_DRIVER_FILES", (root_ / "folder").string()}, {"VK_ICD_FILENAMES", "/nowhere.json"}});
  EXPECT_THAT(manifests.usable,
              ElementsAre((root_ / "folder/a.json").string(), (root_ / "folder/b.json").string()));
  EXPECT_TRUE(manifests.broken.empty());
}

TEST_F(VulkanManifests, FoldersOfUserAndSystemAreSearched) {
  const std::string user = write("home/.local/share/vulkan/icd.d/user.json", "{}");
  const std::string system = write("share/vulkan/icd.d/system.json", "{}");
  const std::string added = write("added.json", "{}");
  const DriverManifests manifests = find({{"HOME", (root_ / "home").string()},
                                          {"XDG_CONFIG_DIRS", (root_ / "none").string()},
                                          {"XDG_DATA_DIRS", (root_ / "share").string()},
                                          {"VK_ADD_DRIVER_FILES", added}});
  ASSERT_GE(manifests.usable.size(), 3U);
  EXPECT_EQ(manifests.usable.front(), added);
  EXPECT_THAT(manifests.usable, testing::Contains(user));
  EXPECT_EQ(manifests.usable.back(), system);
}

TEST(ScopedEnvironmentVariable, RestoresWhatWasThere) {
  constexpr const char* kName = "HALYARD_TEST_SCOPED_VARIABLE";
  {
    const ScopedEnvironmentVariable outer(kName, "outer");
    {
      const ScopedEnvironmentVariable inner(kName, "inner");
      EXPECT_STREQ(std::getenv(kName), "inner");
    }
    EXPECT_STREQ(std::getenv(kName), "outer");
  }
  EXPECT_EQ(std::getenv(kName), nullptr);
}

}  // namespace
}  // namespace halyard::vulkan
