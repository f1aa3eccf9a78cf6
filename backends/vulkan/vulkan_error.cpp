// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_error.h"

#include "runtime/base/text.h"

namespace halyard::vulkan {
namespace {

struct Meaning {
  base::ErrorCode code;
  std::string_view name;
  std::string_view text;
};

Meaning meaning(VkResult result) {
  using base::ErrorCode;
  switch (result) {
    case VK_SUCCESS:
      return {ErrorCode::kInternal, "VK_SUCCESS", "no failure"};
    case VK_NOT_READY:
      return {ErrorCode::kUnavailable, "VK_NOT_READY", "the result is not there yet"};
    case VK_TIMEOUT:
      return {ErrorCode::kDeadlineExceeded, "VK_TIMEOUT", "the wait ran out of time"};
    case VK_INCOMPLETE:
      return {ErrorCode::kInternal, "VK_INCOMPLETE", "a list was longer than the room for it"};
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return {ErrorCode::kOutOfMemory, "VK_ERROR_OUT_OF_HOST_MEMORY", "the host has no room"};
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return {ErrorCode::kOutOfMemory, "VK_ERROR_OUT_OF_DEVICE_MEMORY", "the device has no room"};
    case VK_ERROR_INITIALIZATION_FAILED:
      return {ErrorCode::kUnavailable, "VK_ERROR_INITIALIZATION_FAILED",
              "the driver could not start"};
    case VK_ERROR_DEVICE_LOST:
      return {ErrorCode::kDeviceLost, "VK_ERROR_DEVICE_LOST", "the device stopped answering"};
    case VK_ERROR_MEMORY_MAP_FAILED:
      return {ErrorCode::kOutOfMemory, "VK_ERROR_MEMORY_MAP_FAILED",
              "the memory cannot be mapped into the process"};
    case VK_ERROR_LAYER_NOT_PRESENT:
      return {ErrorCode::kUnavailable, "VK_ERROR_LAYER_NOT_PRESENT",
              "a layer that the environment asks for is not installed"};
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return {ErrorCode::kUnsupported, "VK_ERROR_EXTENSION_NOT_PRESENT",
              "the driver lacks an extension"};
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return {ErrorCode::kUnsupported, "VK_ERROR_FEATURE_NOT_PRESENT",
              "the driver lacks a feature"};
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return {ErrorCode::kUnavailable, "VK_ERROR_INCOMPATIBLE_DRIVER",
              "the loader finds no driver that works"};
    case VK_ERROR_TOO_MANY_OBJECTS:
      return {ErrorCode::kOutOfMemory, "VK_ERROR_TOO_MANY_OBJECTS",
              "the driver holds as many objects as it can"};
    case VK_ERROR_FRAGMENTED_POOL:
      return {ErrorCode::kOutOfMemory, "VK_ERROR_FRAGMENTED_POOL", "a pool is fragmented"};
    case VK_ERROR_OUT_OF_POOL_MEMORY:
      return {ErrorCode::kOutOfMemory, "VK_ERROR_OUT_OF_POOL_MEMORY", "a pool has no room"};
    case VK_ERROR_INVALID_EXTERNAL_HANDLE:
      return {ErrorCode::kInvalidArgument, "VK_ERROR_INVALID_EXTERNAL_HANDLE",
              "the driver cannot use the memory given"};
    case VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS:
      return {ErrorCode::kOutOfMemory, "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS",
              "the address is not available"};
    case VK_ERROR_FRAGMENTATION:
      return {ErrorCode::kOutOfMemory, "VK_ERROR_FRAGMENTATION", "memory is fragmented"};
    case VK_ERROR_INVALID_SHADER_NV:
      return {ErrorCode::kInvalidArgument, "VK_ERROR_INVALID_SHADER_NV",
              "the driver refuses the code"};
    case VK_ERROR_UNKNOWN:
      return {ErrorCode::kInternal, "VK_ERROR_UNKNOWN", "the driver gives no reason"};
    default:
      return {ErrorCode::kInternal, "an unknown VkResult", "the driver gives no reason"};
  }
}

}  // namespace

std::string_view result_name(VkResult result) {
  return meaning(result).name;
}

base::ErrorCode error_code(VkResult result) {
  return meaning(result).code;
}

base::Error vulkan_error(VkResult result, std::string_view call) {
  const Meaning known = meaning(result);
  return base::Error(known.code, base::concat(call, " answers ", known.name, " (",
                                              static_cast<int>(result), "): ", known.text, "."));
}

}  // namespace halyard::vulkan
