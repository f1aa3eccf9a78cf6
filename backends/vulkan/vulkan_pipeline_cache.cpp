// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_pipeline_cache.h"

#include "backends/vulkan/vulkan_error.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace halyard::vulkan {
namespace {

constexpr std::size_t kLargestFileBytes = std::size_t{256} << 20;
constexpr std::string_view kMagic = "HALYARD-PIPELINES/1\n";
constexpr std::size_t kIdentityBytes = VK_UUID_SIZE + VK_UUID_SIZE + 3 * sizeof(std::uint32_t);

// What the driver's bytes are valid for.
std::array<std::byte, kIdentityBytes> identity(const VulkanTraits& traits) {
  std::array<std::byte, kIdentityBytes> bytes{};
  std::byte* at = bytes.data();
  const auto put = [&](const void* data, std::size_t size) {
    std::memcpy(at, data, size);
    at += size;
  };
  const VkPhysicalDeviceProperties& properties = traits.properties;
  put(traits.properties11.deviceUUID, VK_UUID_SIZE);
  put(properties.pipelineCacheUUID, VK_UUID_SIZE);
  put(&properties.vendorID, sizeof(properties.vendorID));
  put(&properties.deviceID, sizeof(properties.deviceID));
  put(&properties.driverVersion, sizeof(properties.driverVersion));
  return bytes;
}

base::Error corrupt(std::string message) {
  return base::Error(base::ErrorCode::kCorruptData, std::move(message));
}

}  // namespace

std::vector<std::byte> seal_pipeline_cache(const VulkanTraits& traits,
                                           std::span<const std::byte> driver_bytes) {
  std::vector<std::byte> file;
  const auto put = [&](std::span<const std::byte> bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
  };
  const std::uint64_t length = driver_bytes.size();
  put(std::as_bytes(std::span(kMagic)));
  put(identity(traits));
  put(std::as_bytes(std::span(&length, 1)));
  const base::Sha256Digest digest = base::Sha256::of(driver_bytes);
  put(std::as_bytes(std::span(digest)));
  put(driver_bytes);
  return file;
}

base::Result<std::vector<std::byte>> open_pipeline_cache(const VulkanTraits& traits,
                                                         std::span<const std::byte> file) {
  std::span<const std::byte> rest = file;
  const auto take = [&](std::size_t size) {
    const auto part = rest.first(size);
    rest = rest.subspan(size);
    return part;
  };
  constexpr std::size_t kHeaderBytes =
      kMagic.size() + kIdentityBytes + sizeof(std::uint64_t) + sizeof(base::Sha256Digest);
  if (file.size() < kHeaderBytes) {
    return corrupt(base::concat("It has ", file.size(), " bytes, fewer than its header of ",
                                kHeaderBytes, "."));
  }
  if (!std::ranges::equal(take(kMagic.size()), std::as_bytes(std::span(kMagic)))) {
    return corrupt("It does not begin as a pipeline cache of this version.");
  }
  if (!std::ranges::equal(take(kIdentityBytes), identity(traits))) {
    return corrupt("It belongs to another device or driver.");
  }
  std::uint64_t length = 0;
  std::memcpy(&length, take(sizeof(length)).data(), sizeof(length));
  const auto digest = take(sizeof(base::Sha256Digest));
  if (length != rest.size()) {
    return corrupt(
        base::concat("It holds ", rest.size(), " bytes of the driver instead of ", length, "."));
  }
  const base::Sha256Digest actual = base::Sha256::of(rest);
  if (!std::ranges::equal(digest, std::as_bytes(std::span(actual)))) {
    return corrupt("Its checksum does not match.");
  }
  return std::vector<std::byte>(rest.begin(), rest.end());
}

VulkanPipelineCache::VulkanPipelineCache(VulkanConnection& connection,
                                         const core::BackendSettings& settings)
    : connection_(connection),
      settings_(base::Ref<const core::BackendSettings>::share(&settings)) {
  if (settings.configuration.cache_directory.value) {
    path_ = base::concat(*settings.configuration.cache_directory.value, "/vulkan/",
                         base::to_hex(connection.traits().properties11.deviceUUID), ".pipelines");
  }
  const std::vector<std::byte> bytes = load();
  saved_ = base::Sha256::of(bytes);
  VkPipelineCacheCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  info.initialDataSize = bytes.size();
  info.pInitialData = bytes.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  const VkResult result =
      connection.api().vkCreatePipelineCache(connection.device(), &info, nullptr, &cache);
  if (result == VK_SUCCESS) {
    handle_ = PipelineCacheHandle(connection, cache);
  } else {
    settings.log.write(base::LogLevel::kWarning,
                       vulkan_error(result, "vkCreatePipelineCache").message());
  }
}

std::vector<std::byte> VulkanPipelineCache::load() const {
  if (!path_) return {};
  auto file = base::read_file(*path_, kLargestFileBytes);
  if (!file) {
    if (file.error().code() != base::ErrorCode::kNotFound) {
      settings_->log.write(base::LogLevel::kWarning, file.error().message());
    }
    return {};
  }
  auto bytes = open_pipeline_cache(connection_.traits(), *file);
  if (bytes) return std::move(*bytes);
  settings_->log.write(
      base::LogLevel::kInfo,
      base::concat("The pipeline cache ", *path_, " is ignored: ", bytes.error().message()));
  return {};
}

base::Result<std::vector<std::byte>> VulkanPipelineCache::driver_bytes() const {
  const DeviceApi& api = connection_.api();
  std::size_t size = 0;
  VkResult result = api.vkGetPipelineCacheData(connection_.device(), handle_.get(), &size, nullptr);
  if (result != VK_SUCCESS) return vulkan_error(result, "vkGetPipelineCacheData");
  std::vector<std::byte> bytes(size);
  result = api.vkGetPipelineCacheData(connection_.device(), handle_.get(), &size, bytes.data());
  if (result != VK_SUCCESS) return vulkan_error(result, "vkGetPipelineCacheData");
  bytes.resize(size);
  return bytes;
}

void VulkanPipelineCache::save() {
  if (!path_ || !handle_ || !connection_.alive()) return;
  const auto write = [&]() -> base::Status {
    HALYARD_TRY_ASSIGN(const std::vector<std::byte> bytes, driver_bytes());
    const base::Sha256Digest digest = base::Sha256::of(bytes);
    if (digest == saved_) return base::ok();
    const std::string directory = path_->substr(0, path_->rfind('/'));
    HALYARD_TRY(base::make_private_directories(directory));
    HALYARD_TRY(
        base::write_file_atomic(*path_, seal_pipeline_cache(connection_.traits(), bytes), 0600));
    saved_ = digest;
    return base::ok();
  };
  const base::Status status = write();
  if (!status) settings_->log.write(base::LogLevel::kWarning, status.error().message());
}

}  // namespace halyard::vulkan
