// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_command_buffer.h"

#include "backends/vulkan/vulkan_buffer.h"
#include "backends/vulkan/vulkan_executable.h"
#include "backends/vulkan/vulkan_pipeline.h"
#include "runtime/base/text.h"

#include <cstddef>
#include <cstring>
#include <utility>

namespace halyard::vulkan {
namespace {

base::Error unsupported(std::string message) {
  return base::Error(base::ErrorCode::kUnsupported, std::move(message));
}

base::Error grid_error(const VulkanConnection& connection, std::size_t dimension,
                       std::uint32_t size) {
  return unsupported(base::concat(
      "A grid of ", size, " workgroups in dimension ", dimension, " is larger than the ",
      connection.traits().properties.limits.maxComputeWorkGroupCount[dimension], " of ",
      connection.name(), "."));
}

base::Error range_error(const VulkanConnection& connection, std::size_t argument,
                        const core::ArgumentValue& value) {
  const VkPhysicalDeviceLimits& limits = connection.traits().properties.limits;
  if (value.length_bytes > limits.maxStorageBufferRange) {
    return unsupported(base::concat("Argument ", argument, " binds ", value.length_bytes,
                                    " bytes, more than the ", limits.maxStorageBufferRange, " of ",
                                    connection.name(), "."));
  }
  return unsupported(base::concat("Argument ", argument, " begins at offset ", value.offset_bytes,
                                  ", which is not a multiple of ",
                                  limits.minStorageBufferOffsetAlignment, ", the alignment of ",
                                  connection.name(), "."));
}

base::Error argument_count_error(const core::Executable& executable, std::size_t expected,
                                 std::size_t given) {
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("A stage of \"", executable.name(), "\" takes ", expected,
                                  " arguments, not ", given, "."));
}

}  // namespace

struct VulkanCommandBuffer::EncodedArguments {
  std::array<VkDescriptorBufferInfo, kMaxBindings> buffers;
  alignas(8) std::array<std::byte, kMaxPushBytes> push;
};

VulkanCommandBuffer::VulkanCommandBuffer(const CommandContext& context, CommandPoolHandle pool,
                                         VkCommandBuffer handle, VkCommandBufferLevel level)
    : context_(context),
      pool_(std::move(pool)),
      handle_(handle),
      level_(level),
      descriptors_(context.connection) {}

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
  descriptors_.reset();
  bound_pipeline_ = VK_NULL_HANDLE;
  command_count_ = 0;
  is_open_ = false;
  return context_.connection.check(
      context_.connection.api().vkResetCommandPool(context_.connection.device(), pool_.get(), 0),
      "vkResetCommandPool");
}

base::Status VulkanCommandBuffer::dispatch(const core::Dispatch& dispatch) {
  const auto& executable = static_cast<const VulkanExecutable&>(*dispatch.executable);
  VulkanPipeline& pipeline = executable.pipeline(dispatch.stage);
  if (dispatch.arguments.size() != pipeline.plan().places.size()) {
    return argument_count_error(executable, pipeline.plan().places.size(),
                                dispatch.arguments.size());
  }
  const VkPhysicalDeviceLimits& limits = context_.connection.traits().properties.limits;
  for (std::size_t i = 0; i < 3; ++i) {
    if (dispatch.grid[i] > limits.maxComputeWorkGroupCount[i]) {
      return grid_error(context_.connection, i, dispatch.grid[i]);
    }
  }
  EncodedArguments arguments;
  HALYARD_TRY(encode(pipeline, dispatch, arguments));
  HALYARD_TRY(bind(pipeline, arguments));
  context_.connection.api().vkCmdDispatch(handle_, dispatch.grid[0], dispatch.grid[1],
                                          dispatch.grid[2]);
  keep(pipeline);
  for (const core::ArgumentValue& value : dispatch.arguments) {
    if (value.buffer != nullptr) keep(static_cast<VulkanBuffer*>(value.buffer)->storage());
  }
  finish_command();
  return base::ok();
}

base::Status VulkanCommandBuffer::encode(const VulkanPipeline& pipeline,
                                         const core::Dispatch& dispatch, EncodedArguments& out) {
  const VkPhysicalDeviceLimits& limits = context_.connection.traits().properties.limits;
  const std::uint64_t alignment_mask = limits.minStorageBufferOffsetAlignment - 1;
  const std::vector<ArgumentPlace>& places = pipeline.plan().places;
  // Bytes between the arguments are never read, but the driver copies them.
  if (pipeline.plan().push_bytes != 0) std::memset(out.push.data(), 0, pipeline.plan().push_bytes);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ArgumentPlace& place = places[i];
    const core::ArgumentValue& value = dispatch.arguments[i];
    if (place.kind == ArgumentKind::kValue) {
      std::memcpy(out.push.data() + place.position, &value.bits, place.size_bytes);
      continue;
    }
    const bool is_empty = value.buffer == nullptr || value.length_bytes == 0;
    const VulkanStorage& storage =
        is_empty ? context_.empty_range : static_cast<VulkanBuffer*>(value.buffer)->storage();
    if (place.kind == ArgumentKind::kAddress) {
      const VkDeviceAddress address =
          storage.device_address() + (is_empty ? 0 : value.offset_bytes);
      std::memcpy(out.push.data() + place.position, &address, sizeof(address));
    } else if (is_empty) {
      out.buffers[place.position] = {storage.handle(), 0, VK_WHOLE_SIZE};
    } else {
      if (value.length_bytes > limits.maxStorageBufferRange ||
          (value.offset_bytes & alignment_mask) != 0) {
        return range_error(context_.connection, i, value);
      }
      out.buffers[place.position] = {storage.handle(), value.offset_bytes, value.length_bytes};
    }
  }
  return base::ok();
}

base::Status VulkanCommandBuffer::bind(const VulkanPipeline& pipeline,
                                       const EncodedArguments& arguments) {
  const DeviceApi& api = context_.connection.api();
  if (bound_pipeline_ != pipeline.handle()) {
    api.vkCmdBindPipeline(handle_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
    bound_pipeline_ = pipeline.handle();
  }
  if (pipeline.plan().push_bytes != 0) {
    api.vkCmdPushConstants(handle_, pipeline.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           pipeline.plan().push_bytes, arguments.push.data());
  }
  if (pipeline.plan().bindings.empty()) return base::ok();
  if (pipeline.pushes_descriptors()) {
    api.vkCmdPushDescriptorSetWithTemplateKHR(handle_, pipeline.update_template(),
                                              pipeline.layout(), 0, arguments.buffers.data());
    return base::ok();
  }
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

void VulkanCommandBuffer::keep(base::RefCounted& object) {
  kept_.push_back(base::Ref<base::RefCounted>::share(&object));
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
