// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_pipeline_cache.h"

#include "runtime/base/file.h"
#include "tests/unit/backends/vulkan/vulkan_fixture.h"

#include <gmock/gmock.h>

namespace halyard::vulkan {
namespace {

class VulkanPipelineCacheTest : public VulkanFixture {
 protected:
  std::filesystem::path only_file() {
    std::filesystem::path found;
    for (const auto& entry : std::filesystem::directory_iterator(cache_directory_ / "vulkan"))
      found = entry.path();
    return found;
  }
  std::vector<std::byte> file_bytes() {
    return unwrap(base::read_file(only_file().string(), 1 << 28));
  }
};

TEST_F(VulkanPipelineCacheTest, FileOfThisDeviceOpens) {
  static_cast<void>(load("scale", scale_stage()));
  const VulkanTraits traits = open().connection().traits();
  reopen();
  EXPECT_TRUE(open_pipeline_cache(traits, file_bytes()));
  EXPECT_EQ(std::filesystem::status(only_file()).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(VulkanPipelineCacheTest, AnyChangedByteIsRefused) {
  const VulkanTraits& traits = open().connection().traits();
  const std::vector<std::byte> content(100, std::byte{7});
  std::vector<std::byte> file = seal_pipeline_cache(traits, content);
  EXPECT_EQ(unwrap(open_pipeline_cache(traits, file)), content);
  for (std::byte& byte : file) {
    byte ^= std::byte{0x40};
    const auto opened = open_pipeline_cache(traits, file);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code(), base::ErrorCode::kCorruptData);
    byte ^= std::byte{0x40};
  }
  for (std::size_t size = 0; size < file.size(); ++size)
    ASSERT_FALSE(open_pipeline_cache(traits, std::span(file).first(size)));
  file.push_back(std::byte{0});
  EXPECT_FALSE(open_pipeline_cache(traits, file));
}

TEST_F(VulkanPipelineCacheTest, FileOfAnotherDriverIsRefused) {
  VulkanTraits traits = open().connection().traits();
  const auto file = seal_pipeline_cache(traits, {});
  ++traits.properties.driverVersion;
  EXPECT_EQ(open_pipeline_cache(traits, file).error().message(),
            "It belongs to another device or driver.");
}

TEST_F(VulkanPipelineCacheTest, DamagedFileIsIgnoredAndReplaced) {
  static_cast<void>(load("scale", scale_stage()));
  reopen();
  auto damaged = file_bytes();
  damaged.back() ^= std::byte{1};
  ASSERT_TRUE(base::write_file_atomic(only_file().string(), damaged));
  std::vector<std::string> sentences;
  settings_->log.set_level(base::LogLevel::kInfo);
  settings_->log.set_callback(
      [&](base::LogLevel, std::string_view sentence) { sentences.emplace_back(sentence); });
  static_cast<void>(load("scale", scale_stage()));
  EXPECT_THAT(sentences,
              testing::ElementsAre(testing::HasSubstr("is ignored: Its checksum does not match.")));
  const VulkanTraits traits = open().connection().traits();
  reopen();
  EXPECT_TRUE(open_pipeline_cache(traits, file_bytes()));
}

TEST_F(VulkanPipelineCacheTest, DirectoryThatCannotBeMadeIsLogged) {
  ASSERT_TRUE(base::write_file_atomic(cache_directory_.string(), "a file"));
  std::vector<std::string> sentences;
  settings_->log.set_callback(
      [&](base::LogLevel, std::string_view sentence) { sentences.emplace_back(sentence); });
  static_cast<void>(load("scale", scale_stage()));
  reopen();
  EXPECT_FALSE(sentences.empty());
}

}  // namespace
}  // namespace halyard::vulkan
