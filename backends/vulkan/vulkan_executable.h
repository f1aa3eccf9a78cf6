// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_device.h"
#include "backends/vulkan/vulkan_pipeline.h"
#include "runtime/core/executable.h"

#include <vector>

namespace halyard::vulkan {

// A SPIR-V module with one pipeline for each stage.
class VulkanExecutable final : public core::Executable {
 public:
  static base::Result<base::Ref<VulkanExecutable>> create(VulkanDevice& device,
                                                          VulkanOpenDevice& open,
                                                          const core::ExecutableDesc& desc);

  VulkanPipeline& pipeline(std::size_t stage) const { return *pipelines_[stage]; }

 private:
  VulkanExecutable(VulkanDevice& device, const core::ExecutableDesc& desc,
                   std::vector<base::Ref<VulkanPipeline>> pipelines);

  std::vector<base::Ref<VulkanPipeline>> pipelines_;
};

}  // namespace halyard::vulkan
