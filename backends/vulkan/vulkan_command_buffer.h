// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_descriptors.h"
#include "backends/vulkan/vulkan_handle.h"
#include "backends/vulkan/vulkan_kept_object.h"
#include "backends/vulkan/vulkan_storage.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/core/queue.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace halyard::vulkan {

class VulkanPipeline;
class VulkanRecordedCommands;

// What an encoded command may refer to besides its arguments.
struct CommandContext {
  VulkanConnection& connection;
  VulkanStorage& empty_range;  // bound where an argument has no bytes
};

// One VkCommandBuffer with a pool of its own, and what its commands keep alive. Each command sees
// the results of those before it. Calls no allocator once it has been filled as much before.
// Threads: one at a time.
class VulkanCommandBuffer {
 public:
  // `context` refers to what outlives this.
  static base::Result<VulkanCommandBuffer> create(const CommandContext& context,
                                                  VkCommandBufferLevel level);

  VkCommandBuffer handle() const { return handle_; }
  bool is_open() const { return is_open_; }
  std::uint32_t command_count() const { return command_count_; }

  base::Status begin(VkCommandBufferUsageFlags usage);
  base::Status end();
  // Forgets all commands and what they kept alive; the device no longer runs them.
  base::Status reset();

  // Refuses what is not of `device`, whose connection this has, or is past its limits, before the
  // driver sees it: INVALID_ARGUMENT, or UNSUPPORTED with the numbers.
  base::Status dispatch(const core::Device& device, const core::Dispatch& dispatch);
  void copy(VulkanStorage& source, std::uint64_t source_offset, VulkanStorage& destination,
            std::uint64_t destination_offset, std::uint64_t length_bytes);
  void fill(VulkanStorage& storage, std::uint64_t offset_bytes, std::uint64_t length_bytes,
            std::uint32_t pattern);
  void execute(VulkanRecordedCommands& commands);
  void write_timestamp(VkQueryPool pool, std::uint32_t query);

  void keep(KeptObject& object) {
    if (object.is_new_to(epoch_)) kept_.push_back(base::Ref<KeptObject>::share(&object));
  }

 private:
  struct EncodedArguments;

  VulkanCommandBuffer(const CommandContext& context, CommandPoolHandle pool, VkCommandBuffer handle,
                      VkCommandBufferLevel level);

  // Both false where the dispatch must be refused.
  bool accepts(const core::Device& device, const core::Dispatch& dispatch) const;
  bool encode(const core::Device& device, const VulkanPipeline& pipeline,
              std::span<const core::ArgumentValue> arguments, EncodedArguments& out);
  base::Status bind_set(const VulkanPipeline& pipeline, const EncodedArguments& arguments);
  void finish_command();

  CommandContext context_;
  const VkPhysicalDeviceLimits& limits_;
  CommandPoolHandle pool_;
  VkCommandBuffer handle_;
  VkCommandBufferLevel level_;
  DescriptorArena descriptors_;
  std::vector<base::Ref<KeptObject>> kept_;
  std::uint64_t epoch_;
  VkPipeline bound_pipeline_ = VK_NULL_HANDLE;
  std::uint32_t command_count_ = 0;
  bool is_open_ = false;
};

// Commands recorded once, to be executed any number of times, also at once. Immutable.
class VulkanRecordedCommands final : public KeptObject {
 public:
  explicit VulkanRecordedCommands(VulkanCommandBuffer commands);

  VkCommandBuffer handle() const { return commands_.handle(); }

 private:
  VulkanCommandBuffer commands_;
};

}  // namespace halyard::vulkan
