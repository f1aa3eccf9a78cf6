// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_capability.h"

#include "capability-descriptors/vulkan_facts.h"
#include "runtime/base/sha256.h"
#include "runtime/base/text.h"

#include <array>
#include <vector>

namespace halyard::vulkan {
namespace {

using descriptors::VulkanFacts;

std::string hex(std::uint32_t value, int digits) {
  std::array<std::uint8_t, 4> bytes{};
  for (int i = 0; i < 4; ++i)
    bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
  return base::to_hex(bytes).substr(static_cast<std::size_t>(8 - digits));
}

core::DeviceKind device_kind(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return core::DeviceKind::kDiscreteGpu;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return core::DeviceKind::kIntegratedGpu;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return core::DeviceKind::kSoftware;
    default:
      return core::DeviceKind::kVirtualGpu;
  }
}

std::string physical_id(const VulkanTraits& traits) {
  if (traits.has_extension(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME)) {
    const VkPhysicalDevicePCIBusInfoPropertiesEXT& pci = traits.pci;
    return base::concat(hex(pci.pciDomain, 4), ':', hex(pci.pciBus, 2), ':', hex(pci.pciDevice, 2),
                        '.', pci.pciFunction);
  }
  return base::to_hex(traits.properties11.deviceUUID);
}

std::vector<descriptors::VulkanQueueFamily> queue_families(const VulkanTraits& traits) {
  // The one that kernels run in, which stands for all.
  return {{descriptors::kVulkanQueueCompute, 1, traits.family.timestamp_valid_bits}};
}

std::vector<descriptors::VulkanMemoryHeap> heaps(const VulkanTraits& traits) {
  std::vector<descriptors::VulkanMemoryHeap> list;
  for (std::uint32_t i = 0; i < traits.memory.memoryHeapCount; ++i)
    list.push_back({traits.memory.memoryHeaps[i].flags, traits.memory.memoryHeaps[i].size});
  return list;
}

void set_features(const VulkanTraits& traits, VulkanFacts& facts) {
  facts.float16 = traits.features12.shaderFloat16 == VK_TRUE;
  facts.float64 = traits.features.shaderFloat64 == VK_TRUE;
  facts.int64 = traits.features.shaderInt64 == VK_TRUE;
  facts.int16 = traits.features.shaderInt16 == VK_TRUE;
  facts.int8 = traits.features12.shaderInt8 == VK_TRUE;
  facts.storage_buffer_16bit = traits.features11.storageBuffer16BitAccess == VK_TRUE;
  facts.storage_buffer_8bit = traits.features12.storageBuffer8BitAccess == VK_TRUE;
  facts.buffer_device_address = traits.features12.bufferDeviceAddress == VK_TRUE;
  facts.timeline_semaphore = traits.features12.timelineSemaphore == VK_TRUE;
  facts.subgroup_size_control = traits.features13.subgroupSizeControl == VK_TRUE;
  facts.cooperative_matrix = traits.cooperative_matrix.cooperativeMatrix == VK_TRUE;
  facts.push_descriptor = traits.has_extension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
}

void set_subgroups(const VulkanTraits& traits, VulkanFacts& facts) {
  facts.subgroup_size = traits.properties11.subgroupSize;
  facts.subgroup_stages = traits.properties11.subgroupSupportedStages;
  facts.subgroup_operations = traits.properties11.subgroupSupportedOperations;
  facts.subgroup_size_min = traits.subgroup_size.minSubgroupSize;
  facts.subgroup_size_max = traits.subgroup_size.maxSubgroupSize;
  facts.subgroup_size_stages = traits.subgroup_size.requiredSubgroupSizeStages;
}

void set_limits(const VulkanTraits& traits, VulkanFacts& facts) {
  const VkPhysicalDeviceLimits& limits = traits.properties.limits;
  facts.workgroup_invocations = limits.maxComputeWorkGroupInvocations;
  for (std::size_t i = 0; i < facts.grid.size(); ++i) {
    facts.workgroup_size[i] = limits.maxComputeWorkGroupSize[i];
    facts.grid[i] = limits.maxComputeWorkGroupCount[i];
  }
  facts.shared_bytes = limits.maxComputeSharedMemorySize;
  facts.push_constant_bytes = limits.maxPushConstantsSize;
  facts.storage_buffer_range = limits.maxStorageBufferRange;
  facts.storage_buffer_alignment = limits.minStorageBufferOffsetAlignment;
  facts.allocation_bytes = traits.properties11.maxMemoryAllocationSize;
  facts.buffer_bytes = traits.maintenance4.maxBufferSize;
  facts.timestamp_period_ns = static_cast<double>(limits.timestampPeriod);
}

void set_units(const VulkanTraits& traits, VulkanFacts& facts) {
  if (traits.has_extension(VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
    facts.amd_engines = traits.amd_cores.shaderEngineCount;
    facts.amd_arrays_per_engine = traits.amd_cores.shaderArraysPerEngineCount;
    facts.amd_units_per_array = traits.amd_cores.computeUnitsPerShaderArray;
  }
  if (traits.has_extension(VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
    facts.nvidia_multiprocessors = traits.nvidia_cores.shaderSMCount;
  }
}

}  // namespace

core::DeviceInfo describe_device(const VulkanTraits& traits) {
  const VkPhysicalDeviceProperties& properties = traits.properties;
  const VkPhysicalDeviceVulkan12Properties& driver = traits.properties12;
  core::DeviceInfo info;
  info.name = properties.deviceName;
  info.vendor = descriptors::vulkan_vendor_name(properties.vendorID);
  info.backend = "vulkan";
  info.kind = device_kind(properties.deviceType);
  info.driver =
      base::concat(std::string_view(driver.driverName), ' ', std::string_view(driver.driverInfo));
  info.driver_id = base::concat("vulkan:", static_cast<std::uint32_t>(driver.driverID), ':',
                                properties.driverVersion, ':', std::string_view(driver.driverInfo));
  info.fingerprint = base::concat("vulkan:", hex(properties.vendorID, 8), ':',
                                  hex(properties.deviceID, 8), ':', info.name);
  info.physical_id = physical_id(traits);
  // Vendors without a PCI id have a number of Khronos, beyond 16 bits.
  if (properties.vendorID <= 0xffff && properties.deviceID <= 0xffff) {
    info.pci_id = base::concat(hex(properties.vendorID, 4), ':', hex(properties.deviceID, 4));
  }
  info.targets = descriptors::vulkan_targets(traits.api_version);
  return info;
}

core::CapabilitySet query_capabilities(const VulkanTraits& traits) {
  VulkanFacts facts;
  facts.api_version = traits.api_version;
  facts.device_type = traits.properties.deviceType;
  facts.queue_families = queue_families(traits);
  facts.heaps = heaps(traits);
  set_features(traits, facts);
  set_subgroups(traits, facts);
  set_limits(traits, facts);
  set_units(traits, facts);
  return descriptors::vulkan_capabilities(facts);
}

}  // namespace halyard::vulkan
