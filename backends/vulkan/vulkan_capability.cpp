// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_capability.h"

#include "runtime/base/sha256.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>

namespace halyard::vulkan {
namespace {

using core::CapabilityKey;

std::string hex(std::uint32_t value, int digits) {
  std::array<std::uint8_t, 4> bytes{};
  for (int i = 0; i < 4; ++i)
    bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
  return base::to_hex(bytes).substr(static_cast<std::size_t>(8 - digits));
}

std::string vendor_name(std::uint32_t vendor_id) {
  switch (vendor_id) {
    case 0x1002:
      return "AMD";
    case 0x10de:
      return "NVIDIA";
    case 0x8086:
      return "Intel";
    case 0x13b5:
      return "Arm";
    case 0x5143:
      return "Qualcomm";
    case 0x1010:
      return "Imagination";
    case 0x106b:
      return "Apple";
    case 0x1ae0:
      return "Google";
    case VK_VENDOR_ID_MESA:
      return "Mesa";
    default:
      return "0x" + hex(vendor_id, vendor_id > 0xffff ? 8 : 4);
  }
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

std::vector<std::string> targets(const VulkanTraits& traits) {
  std::vector<std::string> list;
  if (traits.offers(VK_API_VERSION_1_3)) list.emplace_back("spirv-1.6");
  for (const char* portable : {"spirv-1.5", "spirv-1.4", "spirv-1.3"})
    list.emplace_back(portable);
  return list;
}

std::uint64_t total_memory_bytes(const VulkanTraits& traits) {
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < traits.memory.memoryHeapCount; ++i) {
    const VkMemoryHeap& heap = traits.memory.memoryHeaps[i];
    if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) total = std::max(total, heap.size);
  }
  return total;
}

void set_units(const VulkanTraits& traits, core::CapabilitySet& set) {
  if (traits.has_extension(VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
    const VkPhysicalDeviceShaderCorePropertiesAMD& cores = traits.amd_cores;
    set.set_number(CapabilityKey::kComputeUnits, static_cast<double>(cores.shaderEngineCount) *
                                                     cores.shaderArraysPerEngineCount *
                                                     cores.computeUnitsPerShaderArray);
  } else if (traits.has_extension(VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
    set.set_number(CapabilityKey::kComputeUnits, traits.nvidia_cores.shaderSMCount);
  }
}

void set_types(const VulkanTraits& traits, core::CapabilitySet& set) {
  set.set_flag(CapabilityKey::kTypeF16, traits.features12.shaderFloat16 == VK_TRUE);
  set.set_flag(CapabilityKey::kTypeF64, traits.features.shaderFloat64 == VK_TRUE);
  set.set_flag(CapabilityKey::kTypeI64, traits.features.shaderInt64 == VK_TRUE);
  set.set_flag(CapabilityKey::kTypeI16, traits.features.shaderInt16 == VK_TRUE);
  set.set_flag(CapabilityKey::kTypeI8, traits.features12.shaderInt8 == VK_TRUE);
  set.set_flag(CapabilityKey::kStorage16bit, traits.features11.storageBuffer16BitAccess == VK_TRUE);
  set.set_flag(CapabilityKey::kStorage8bit, traits.features12.storageBuffer8BitAccess == VK_TRUE);
}

void set_subgroups(const VulkanTraits& traits, core::CapabilitySet& set) {
  const VkPhysicalDeviceVulkan11Properties& base = traits.properties11;
  const bool controls = traits.controls_subgroup_size();
  set.set_number(CapabilityKey::kSubgroupSize, base.subgroupSize);
  set.set_number(CapabilityKey::kSubgroupSizeMin,
                 controls ? traits.subgroup_size.minSubgroupSize : base.subgroupSize);
  set.set_number(CapabilityKey::kSubgroupSizeMax,
                 controls ? traits.subgroup_size.maxSubgroupSize : base.subgroupSize);
  set.set_flag(CapabilityKey::kSubgroupSizeControl, controls);
  const auto offers = [&](VkSubgroupFeatureFlags bits) {
    return (base.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 &&
           (base.subgroupSupportedOperations & bits) == bits;
  };
  set.set_flag(CapabilityKey::kSubgroupArithmetic, offers(VK_SUBGROUP_FEATURE_ARITHMETIC_BIT));
  set.set_flag(CapabilityKey::kSubgroupShuffle,
               offers(VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT));
}

void set_limits(const VulkanTraits& traits, core::CapabilitySet& set) {
  const VkPhysicalDeviceLimits& limits = traits.properties.limits;
  set.set_number(CapabilityKey::kLimitWorkgroupInvocations, limits.maxComputeWorkGroupInvocations);
  set.set_number(CapabilityKey::kLimitWorkgroupSizeX, limits.maxComputeWorkGroupSize[0]);
  set.set_number(CapabilityKey::kLimitGridX, limits.maxComputeWorkGroupCount[0]);
  set.set_number(CapabilityKey::kLimitGridY, limits.maxComputeWorkGroupCount[1]);
  set.set_number(CapabilityKey::kLimitGridZ, limits.maxComputeWorkGroupCount[2]);
  set.set_number(CapabilityKey::kLimitSharedBytes, limits.maxComputeSharedMemorySize);
  set.set_number(CapabilityKey::kLimitPushConstantBytes, limits.maxPushConstantsSize);
  set.set_number(CapabilityKey::kLimitStorageBufferRangeBytes, limits.maxStorageBufferRange);
  set.set_number(CapabilityKey::kLimitAllocationBytes,
                 static_cast<double>(traits.largest_allocation_bytes()));
  set.set_number(CapabilityKey::kLimitBufferOffsetAlignmentBytes,
                 static_cast<double>(limits.minStorageBufferOffsetAlignment));
}

}  // namespace

core::DeviceInfo describe_device(const VulkanTraits& traits) {
  const VkPhysicalDeviceProperties& properties = traits.properties;
  const VkPhysicalDeviceVulkan12Properties& driver = traits.properties12;
  core::DeviceInfo info;
  info.name = properties.deviceName;
  info.vendor = vendor_name(properties.vendorID);
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
  info.targets = targets(traits);
  return info;
}

core::CapabilitySet query_capabilities(const VulkanTraits& traits) {
  core::CapabilitySet set;
  set_units(traits, set);
  set_types(traits, set);
  set_subgroups(traits, set);
  set_limits(traits, set);
  const float period = traits.properties.limits.timestampPeriod;
  set.set_number(CapabilityKey::kClockTimestampPeriodNs, static_cast<double>(period));
  set.set_number(CapabilityKey::kClockTimestampValidBits, traits.family.timestamp_valid_bits);
  set.set_number(CapabilityKey::kMemoryTotalBytes, static_cast<double>(total_memory_bytes(traits)));
  set.set_flag(CapabilityKey::kMemoryUnified, traits.is_unified());
  set.set_text(CapabilityKey::kVulkanApiVersion, version_text(traits.api_version));
  set.set_flag(CapabilityKey::kVulkanBufferDeviceAddress,
               traits.features12.bufferDeviceAddress == VK_TRUE);
  set.set_flag(CapabilityKey::kVulkanPushDescriptor,
               traits.has_extension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME));
  set.set_flag(CapabilityKey::kMatrixCooperative,
               traits.cooperative_matrix.cooperativeMatrix == VK_TRUE);
  return set;
}

}  // namespace halyard::vulkan
