// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_handle.h"
#include "runtime/base/result.h"
#include "runtime/base/sha256.h"
#include "runtime/core/backend.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::vulkan {

// The driver's compiled pipelines, kept in a file of the cache directory. A file that is damaged
// or belongs to another device or driver is ignored: the driver sees only bytes that it wrote.
// Failures are logged and cost time, nothing else.
// Threads: any number at once, but for save.
class VulkanPipelineCache {
 public:
  // The connection, and what the settings refer to, are borrowed and outlive this.
  VulkanPipelineCache(VulkanConnection& connection, const core::BackendSettings& settings);

  // VK_NULL_HANDLE where the driver has none.
  VkPipelineCache handle() const { return handle_.get(); }
  // Writes the file if the driver's bytes have changed since it was read.
  void save();

 private:
  std::vector<std::byte> load() const;
  base::Result<std::vector<std::byte>> driver_bytes() const;

  VulkanConnection& connection_;
  base::Ref<const core::BackendSettings> settings_;
  std::optional<std::string> path_;  // none without a cache directory
  base::Sha256Digest saved_{};       // of the driver's bytes in the file
  PipelineCacheHandle handle_;
};

// The file's form: our header with device, driver, length and checksum, then the driver's bytes.
std::vector<std::byte> seal_pipeline_cache(const VulkanTraits& traits,
                                           std::span<const std::byte> driver_bytes);
// CORRUPT_DATA says which part does not fit.
base::Result<std::vector<std::byte>> open_pipeline_cache(const VulkanTraits& traits,
                                                         std::span<const std::byte> file);

}  // namespace halyard::vulkan
