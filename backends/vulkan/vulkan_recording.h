// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_command_buffer.h"
#include "backends/vulkan/vulkan_device.h"
#include "runtime/core/queue.h"

#include <span>

namespace halyard::vulkan {

class VulkanRecording final : public core::Recording {
 public:
  static base::Result<base::Ref<VulkanRecording>> create(
      VulkanDevice& device, VulkanOpenDevice& open, std::span<const core::Dispatch> dispatches);

  VulkanRecordedCommands& commands() const { return *commands_; }

 private:
  VulkanRecording(VulkanDevice& device, base::Ref<VulkanRecordedCommands> commands);

  base::Ref<VulkanRecordedCommands> commands_;
};

}  // namespace halyard::vulkan
