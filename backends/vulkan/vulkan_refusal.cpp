// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_refusal.h"

#include "backends/vulkan/vulkan_device.h"
#include "runtime/base/text.h"
#include "runtime/core/buffer.h"
#include "runtime/core/executable.h"

#include <string>
#include <utility>

namespace halyard::vulkan {
namespace {

base::Error unsupported(std::string message) {
  return base::Error(base::ErrorCode::kUnsupported, std::move(message));
}

base::Error invalid(std::string message) {
  return base::Error(base::ErrorCode::kInvalidArgument, std::move(message));
}

base::Status check_stage(const core::Device& device, const core::Dispatch& dispatch) {
  const core::Executable& executable = *dispatch.executable;
  HALYARD_TRY(check_owner(device, executable.device(), "The executable"));
  if (dispatch.stage >= executable.stage_count()) {
    return invalid(base::concat("Stage ", dispatch.stage, " is past the ", executable.stage_count(),
                                " of \"", executable.name(), "\"."));
  }
  const std::size_t expected = executable.stage(dispatch.stage).arguments.size();
  if (dispatch.arguments.size() != expected) {
    return invalid(base::concat("A stage of \"", executable.name(), "\" takes ", expected,
                                " arguments, not ", dispatch.arguments.size(), "."));
  }
  return base::ok();
}

base::Status check_grid(const VulkanConnection& connection, const core::Dispatch& dispatch) {
  const VkPhysicalDeviceLimits& limits = connection.traits().properties.limits;
  for (std::size_t i = 0; i < 3; ++i) {
    if (dispatch.grid[i] <= limits.maxComputeWorkGroupCount[i]) continue;
    return unsupported(base::concat("A grid of ", dispatch.grid[i], " workgroups in dimension ", i,
                                    " is larger than the ", limits.maxComputeWorkGroupCount[i],
                                    " of ", connection.name(), "."));
  }
  return base::ok();
}

base::Status check_argument(const core::Device& device, const VulkanConnection& connection,
                            const core::Dispatch& dispatch, std::size_t index) {
  const core::ArgumentValue& value = dispatch.arguments[index];
  if (value.buffer == nullptr) return base::ok();
  HALYARD_TRY(check_owner(device, value.buffer->device(), "A buffer of the dispatch"));
  if (!dispatch.executable->stage(dispatch.stage).arguments[index].binding) return base::ok();
  const VkPhysicalDeviceLimits& limits = connection.traits().properties.limits;
  if (value.length_bytes > limits.maxStorageBufferRange) {
    return unsupported(base::concat("Argument ", index, " binds ", value.length_bytes,
                                    " bytes, more than the ", limits.maxStorageBufferRange, " of ",
                                    connection.name(), "."));
  }
  if (value.length_bytes != 0 && value.offset_bytes % limits.minStorageBufferOffsetAlignment != 0) {
    return unsupported(base::concat("Argument ", index, " begins at offset ", value.offset_bytes,
                                    ", which is not a multiple of ",
                                    limits.minStorageBufferOffsetAlignment, ", the alignment of ",
                                    connection.name(), "."));
  }
  return base::ok();
}

base::Status check(const core::Device& device, const VulkanConnection& connection,
                   const core::Dispatch& dispatch) {
  HALYARD_TRY(check_stage(device, dispatch));
  HALYARD_TRY(check_grid(connection, dispatch));
  for (std::size_t i = 0; i < dispatch.arguments.size(); ++i)
    HALYARD_TRY(check_argument(device, connection, dispatch, i));
  return base::ok();
}

}  // namespace

base::Error explain_refusal(const core::Device& device, const VulkanConnection& connection,
                            const core::Dispatch& dispatch) {
  base::Status status = check(device, connection, dispatch);
  if (!status) return std::move(status.error());
  return base::Error(base::ErrorCode::kInternal,
                     base::concat("A dispatch of \"", dispatch.executable->name(),
                                  "\" is refused without a reason."));
}

}  // namespace halyard::vulkan
