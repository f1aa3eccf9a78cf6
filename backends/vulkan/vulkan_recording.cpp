// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_recording.h"

#include <utility>

namespace halyard::vulkan {

VulkanRecording::VulkanRecording(VulkanDevice& device, base::Ref<VulkanRecordedCommands> commands)
    : core::Recording(device),
      commands_(std::move(commands)) {}

base::Result<base::Ref<VulkanRecording>> VulkanRecording::create(
    VulkanDevice& device, VulkanOpenDevice& open, std::span<const core::Dispatch> dispatches) {
  HALYARD_TRY_ASSIGN(
      VulkanCommandBuffer commands,
      VulkanCommandBuffer::create(open.command_context(), VK_COMMAND_BUFFER_LEVEL_SECONDARY));
  HALYARD_TRY(commands.begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT));
  for (const core::Dispatch& dispatch : dispatches) {
    HALYARD_TRY(commands.dispatch(device, dispatch));
  }
  HALYARD_TRY(commands.end());
  return base::Ref<VulkanRecording>::adopt(
      new VulkanRecording(device, base::make_ref<VulkanRecordedCommands>(std::move(commands))));
}

}  // namespace halyard::vulkan
