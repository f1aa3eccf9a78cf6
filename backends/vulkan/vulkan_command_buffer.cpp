// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_command_buffer.h"

#include "backends/vulkan/vulkan_buffer.h"
#include "backends/vulkan/vulkan_executable.h"
#include "backends/vulkan/vulkan_pipeline.h"
#include "backends/vulkan/vulkan_refusal.h"

#include <cstddef>
#include <cstring>
#include <utility>

namespace halyard::vulkan {

struct VulkanCommandBuffer::EncodedArguments {
  std::array<VkDescriptorBufferInfo, kMaxBindings> buffers;
  alignas(8) std::array<std::byte, kMaxPushBytes> push;
};

VulkanCommandBuffer::VulkanCommandBuffer(const CommandContext& context, CommandPoolHandle pool,
                                         VkCommandBuffer handle, VkCommandBufferLevel level)
    : context_(context),
      limits_(context.connection.traits().properties.limits),
      pool_(std::move(pool)),
      handle_(handle),
      level_(level),
      descriptors_(context.connection),
      epoch_(context.connection.next_epoch()) {}

base::Result<VulkanCommandBuffer> VulkanCommandBuffer::create(const CommandContext& context,
                                                              VkCommandBufferLevel level) {
  VulkanConnection& connection = context.connection;
  VkCommandPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool_info.queueFamilyIndex = connection.traits().family.index;
  VkCommandPool pool = VK_NULL_HANDLE;
  HALYARD_TRY(connection.check(
      connection.api().vkCreateCommandPool(connection.device(), &pool_info, nullptr, &pool),
      "vkCreateCommandPool"));
  CommandPoolHandle owned_pool(connection, pool);
  VkCommandBufferAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = pool;
  info.level = level;
  info.commandBufferCount = 1;
  VkCommandBuffer handle = VK_NULL_HANDLE;
  HALYARD_TRY(connection.check(
      connection.api().vkAllocateCommandBuffers(connection.device(), &info, &handle),
      "vkAllocateCommandBuffers"));
  return VulkanCommandBuffer(context, std::move(owned_pool), handle, level);
}

base::Status VulkanCommandBuffer::begin(VkCommandBufferUsageFlags usage) {
  VkCommandBufferInheritanceInfo inheritance{};
  inheritance.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = usage;
  if (level_ == VK_COMMAND_BUFFER_LEVEL_SECONDARY) info.pInheritanceInfo = &inheritance;
  HALYARD_TRY(context_.connection.check(
      context_.connection.api().vkBeginCommandBuffer(handle_, &info), "vkBeginCommandBuffer"));
  is_open_ = true;
  return base::ok();
}

base::Status VulkanCommandBuffer::end() {
  is_open_ = false;
  return context_.connection.check(context_.connection.api().vkEndCommandBuffer(handle_),
                                   "vkEndCommandBuffer");
}

base::Status VulkanCommandBuffer::reset() {
  kept_.clear();
  epoch_ = context_.connection.next_epoch();
  descriptors_.reset();
  bound_pipeline_ = VK_NULL_HANDLE;
  command_count_ = 0;
  is_open_ = false;
  return context_.connection.check(
      context_.connection.api().vkResetCommandPool(context_.connection.device(), pool_.get(), 0),
      "vkResetCommandPool");
}

base::Status VulkanCommandBuffer::dispatch(const core::Device& device,
                                           const core::Dispatch& dispatch) {
  if (!accepts(device, dispatch)) return explain_refusal(device, context_.connection, dispatch);
  VulkanPipeline& pipeline =
      static_cast<const VulkanExecutable*>(dispatch.executable)->pipeline(dispatch.stage);
  EncodedArguments arguments;
  if (!encode(device, pipeline, dispatch.arguments, arguments)) {
    return explain_refusal(device, context_.connection, dispatch);
  }
  const DeviceApi& api = context_.connection.api();
  if (bound_pipeline_ != pipeline.handle()) {
    api.vkCmdBindPipeline(handle_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
    bound_pipeline_ = pipeline.handle();
  }
  const ArgumentPlan& plan = pipeline.plan();
  if (plan.push_bytes != 0) {
    api.vkCmdPushConstants(handle_, pipeline.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           plan.push_bytes, arguments.push.data());
  }
  if (pipeline.pushes_descriptors()) {
    api.vkCmdPushDescriptorSetWithTemplateKHR(handle_, pipeline.update_template(),
                                              pipeline.layout(), 0, arguments.buffers.data());
  } else if (!plan.bindings.empty()) {
    HALYARD_TRY(bind_set(pipeline, arguments));
  }
  api.vkCmdDispatch(handle_, dispatch.grid[0], dispatch.grid[1], dispatch.grid[2]);
  keep(pipeline);
  finish_command();
  return base::ok();
}

bool VulkanCommandBuffer::accepts(const core::Device& device,
                                  const core::Dispatch& dispatch) const {
  const core::Executable& executable = *dispatch.executable;
  if (&executable.device() != &device || dispatch.stage >= executable.stage_count()) return false;
  const VulkanPipeline& pipeline =
      static_cast<const VulkanExecutable&>(executable).pipeline(dispatch.stage);
  return dispatch.arguments.size() == pipeline.plan().places.size() &&
         dispatch.grid[0] <= limits_.maxComputeWorkGroupCount[0] &&
         dispatch.grid[1] <= limits_.maxComputeWorkGroupCount[1] &&
         dispatch.grid[2] <= limits_.maxComputeWorkGroupCount[2];
}

bool VulkanCommandBuffer::encode(const core::Device& device, const VulkanPipeline& pipeline,
                                 std::span<const core::ArgumentValue> arguments,
                                 EncodedArguments& out) {
  const std::uint64_t largest_range = limits_.maxStorageBufferRange;
  const std::uint64_t offset_mask = limits_.minStorageBufferOffsetAlignment - 1;
  // No shader reads the gaps, but the driver copies them.
  if (pipeline.plan().has_push_gaps) out.push.fill(std::byte{0});
  const ArgumentPlace* place = pipeline.plan().places.data();
  for (const core::ArgumentValue& value : arguments) {
    std::uint64_t bits = value.bits;
    if (place->kind != ArgumentKind::kValue) {
      const bool is_empty = value.buffer == nullptr || value.length_bytes == 0;
      if (value.buffer != nullptr && &value.buffer->device() != &device) return false;
      VulkanStorage& storage =
          is_empty ? context_.empty_range : static_cast<VulkanBuffer*>(value.buffer)->storage();
      keep(storage);
      if (place->kind == ArgumentKind::kBinding) {
        VkDescriptorBufferInfo& info = out.buffers[place->position];
        info = {storage.handle(), value.offset_bytes, value.length_bytes};
        if (is_empty) info = {storage.handle(), 0, VK_WHOLE_SIZE};
        const bool fits =
            is_empty || (value.length_bytes <= largest_range && (info.offset & offset_mask) == 0);
        if (!fits) return false;
        ++place;
        continue;
      }
      bits = storage.device_address() + (is_empty ? 0 : value.offset_bytes);
    }
    std::byte* const target = out.push.data() + place->position;
    if (place->size_bytes == 8) {
      std::memcpy(target, &bits, 8);
    } else {
      std::memcpy(target, &bits, 4);
    }
    ++place;
  }
  return true;
}

base::Status VulkanCommandBuffer::bind_set(const VulkanPipeline& pipeline,
                                           const EncodedArguments& arguments) {
  const DeviceApi& api = context_.connection.api();
  HALYARD_TRY_ASSIGN(const VkDescriptorSet set, descriptors_.allocate(pipeline.set_layout()));
  api.vkUpdateDescriptorSetWithTemplate(context_.connection.device(), set,
                                        pipeline.update_template(), arguments.buffers.data());
  api.vkCmdBindDescriptorSets(handle_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout(), 0, 1,
                              &set, 0, nullptr);
  return base::ok();
}

void VulkanCommandBuffer::copy(VulkanStorage& source, std::uint64_t source_offset,
                               VulkanStorage& destination, std::uint64_t destination_offset,
                               std::uint64_t length_bytes) {
  const VkBufferCopy region{source_offset, destination_offset, length_bytes};
  context_.connection.api().vkCmdCopyBuffer(handle_, source.handle(), destination.handle(), 1,
                                            &region);
  keep(source);
  keep(destination);
  finish_command();
}

void VulkanCommandBuffer::fill(VulkanStorage& storage, std::uint64_t offset_bytes,
                               std::uint64_t length_bytes, std::uint32_t pattern) {
  context_.connection.api().vkCmdFillBuffer(handle_, storage.handle(), offset_bytes, length_bytes,
                                            pattern);
  keep(storage);
  finish_command();
}

void VulkanCommandBuffer::execute(VulkanRecordedCommands& commands) {
  const VkCommandBuffer secondary = commands.handle();
  context_.connection.api().vkCmdExecuteCommands(handle_, 1, &secondary);
  bound_pipeline_ = VK_NULL_HANDLE;
  keep(commands);
  ++command_count_;
}

void VulkanCommandBuffer::write_timestamp(VkQueryPool pool, std::uint32_t query) {
  const DeviceApi& api = context_.connection.api();
  api.vkCmdResetQueryPool(handle_, pool, query, 1);
  api.vkCmdWriteTimestamp(handle_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, query);
  ++command_count_;
}

void VulkanCommandBuffer::finish_command() {
  constexpr VkPipelineStageFlags kDeviceStages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  static constexpr VkMemoryBarrier kBarrier = {
      VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
      VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
          VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT};
  context_.connection.api().vkCmdPipelineBarrier(handle_, kDeviceStages,
                                                 kDeviceStages | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                                                 &kBarrier, 0, nullptr, 0, nullptr);
  ++command_count_;
}

VulkanRecordedCommands::VulkanRecordedCommands(VulkanCommandBuffer commands)
    : commands_(std::move(commands)) {}

}  // namespace halyard::vulkan
