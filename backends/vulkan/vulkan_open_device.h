// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_command_buffer.h"
#include "backends/vulkan/vulkan_connection.h"
#include "backends/vulkan/vulkan_memory.h"
#include "backends/vulkan/vulkan_pipeline_cache.h"
#include "backends/vulkan/vulkan_staging.h"
#include "backends/vulkan/vulkan_storage.h"
#include "backends/vulkan/vulkan_submitter.h"
#include "runtime/base/result.h"
#include "runtime/core/backend.h"

#include <memory>

namespace halyard::vulkan {

// What a device has once it is first used. Each part says what may run at once.
class VulkanOpenDevice {
 public:
  static base::Result<std::unique_ptr<VulkanOpenDevice>> create(
      std::unique_ptr<VulkanConnection> connection, const core::BackendSettings& settings);
  // Waits for the work that the driver was given.
  ~VulkanOpenDevice();

  VulkanConnection& connection() { return *connection_; }
  VulkanMemory& memory() { return *memory_; }
  VulkanPipelineCache& pipeline_cache() { return pipeline_cache_; }
  VulkanSubmitter& submitter() { return submitter_; }
  VulkanStaging& staging() { return staging_; }
  CommandContext command_context() { return {*connection_, *empty_range_}; }

 private:
  VulkanOpenDevice(std::unique_ptr<VulkanConnection> connection,
                   std::unique_ptr<VulkanMemory> memory, base::Ref<VulkanStorage> empty_range,
                   const core::BackendSettings& settings);

  std::unique_ptr<VulkanConnection> connection_;
  std::unique_ptr<VulkanMemory> memory_;
  VulkanPipelineCache pipeline_cache_;
  base::Ref<VulkanStorage> empty_range_;
  VulkanSubmitter submitter_;
  VulkanStaging staging_;
};

}  // namespace halyard::vulkan
