// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan.h>

namespace halyard::vulkan {

#ifdef VK_KHR_cooperative_matrix
using CooperativeMatrixFeatures = VkPhysicalDeviceCooperativeMatrixFeaturesKHR;
#else
// Newer than the oldest header we build with.
struct CooperativeMatrixFeatures {
  VkStructureType sType;
  void* pNext;
  VkBool32 cooperativeMatrix;
  VkBool32 cooperativeMatrixRobustBufferAccess;
};
#endif
inline constexpr auto kCooperativeMatrixFeaturesType = static_cast<VkStructureType>(1000506000);
inline constexpr const char* kCooperativeMatrixExtension = "VK_KHR_cooperative_matrix";

// Entry points that need no instance.
struct LoaderApi {
  PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;
#define HALYARD_VULKAN_LOADER_SYMBOL(name, need) PFN_##name name = nullptr;
#include "backends/vulkan/vulkan_symbols.inc"
};

// Entry points of one VkInstance. OPTIONAL ones may be null.
struct InstanceApi {
#define HALYARD_VULKAN_INSTANCE_SYMBOL(name, need) PFN_##name name = nullptr;
#include "backends/vulkan/vulkan_symbols.inc"
};

// Entry points of one VkDevice, past the loader's trampolines. OPTIONAL ones may be null.
struct DeviceApi {
#define HALYARD_VULKAN_DEVICE_SYMBOL(name, need) PFN_##name name = nullptr;
#include "backends/vulkan/vulkan_symbols.inc"
};

}  // namespace halyard::vulkan
