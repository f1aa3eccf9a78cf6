// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_traits.h"

#include "backends/vulkan/vulkan_error.h"
#include "capability-descriptors/vulkan_facts.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <vector>

namespace halyard::vulkan {
namespace {

base::Result<std::set<std::string, std::less<>>> query_extensions(const InstanceApi& api,
                                                                  VkPhysicalDevice device) {
  std::vector<VkExtensionProperties> list;
  VkResult result = VK_INCOMPLETE;
  while (result == VK_INCOMPLETE) {
    std::uint32_t count = 0;
    result = api.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
    if (result != VK_SUCCESS) break;
    list.resize(count);
    result = api.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, list.data());
    list.resize(count);
  }
  if (result != VK_SUCCESS) return vulkan_error(result, "vkEnumerateDeviceExtensionProperties");
  std::set<std::string, std::less<>> names;
  for (const VkExtensionProperties& extension : list)
    names.emplace(extension.extensionName);
  return names;
}

void query_properties(const InstanceApi& api, VkPhysicalDevice device, VulkanTraits& traits) {
  StructureChain chain;
  chain.add(traits.properties11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
  chain.add(traits.properties12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
  const bool is13 = traits.offers(VK_API_VERSION_1_3);
  if (is13 || traits.has_extension(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) {
    chain.add(traits.subgroup_size,
              VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  }
  if (is13 || traits.has_extension(VK_KHR_MAINTENANCE_4_EXTENSION_NAME)) {
    chain.add(traits.maintenance4, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES);
  }
  if (traits.has_extension(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) {
    chain.add(traits.external_host,
              VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT);
  }
  if (traits.has_extension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME)) {
    chain.add(traits.push_descriptor,
              VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR);
  }
  if (traits.has_extension(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME)) {
    chain.add(traits.pci, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT);
  }
  if (traits.has_extension(VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
    chain.add(traits.amd_cores, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD);
  }
  if (traits.has_extension(VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
    chain.add(traits.nvidia_cores,
              VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV);
  }
  VkPhysicalDeviceProperties2 properties{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, chain.head(), {}};
  api.vkGetPhysicalDeviceProperties2(device, &properties);
}

void query_features(const InstanceApi& api, VkPhysicalDevice device, VulkanTraits& traits) {
  StructureChain chain;
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_size{};
  VkPhysicalDeviceMaintenance4Features maintenance4{};
  const bool is13 = traits.offers(VK_API_VERSION_1_3);
  chain.add(traits.features11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  chain.add(traits.features12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  if (is13) chain.add(traits.features13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  if (!is13 && traits.has_extension(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) {
    chain.add(subgroup_size, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
  }
  if (!is13 && traits.has_extension(VK_KHR_MAINTENANCE_4_EXTENSION_NAME)) {
    chain.add(maintenance4, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES);
  }
  if (traits.has_extension(kCooperativeMatrixExtension)) {
    chain.add(traits.cooperative_matrix, kCooperativeMatrixFeaturesType);
  }
  VkPhysicalDeviceFeatures2 features{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, chain.head(), {}};
  api.vkGetPhysicalDeviceFeatures2(device, &features);
  traits.features = features.features;
  if (!is13) {
    traits.features13.subgroupSizeControl = subgroup_size.subgroupSizeControl;
    traits.features13.computeFullSubgroups = subgroup_size.computeFullSubgroups;
    traits.features13.maintenance4 = maintenance4.maintenance4;
  }
}

std::optional<QueueFamily> find_family(const InstanceApi& api, VkPhysicalDevice device) {
  std::uint32_t count = 0;
  api.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  api.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  std::vector<descriptors::VulkanQueueFamily> choices;
  choices.reserve(families.size());
  for (const VkQueueFamilyProperties& family : families)
    choices.push_back({family.queueFlags, family.queueCount, family.timestampValidBits});
  const std::optional<std::size_t> chosen = descriptors::vulkan_compute_family(choices);
  if (!chosen) return std::nullopt;
  return QueueFamily{static_cast<std::uint32_t>(*chosen), choices[*chosen].timestamp_valid_bits};
}

}  // namespace

bool VulkanTraits::controls_subgroup_size() const {
  return features13.subgroupSizeControl == VK_TRUE &&
         (subgroup_size.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
}

std::uint64_t VulkanTraits::largest_allocation_bytes() const {
  const std::uint64_t allocation = properties11.maxMemoryAllocationSize;
  return maintenance4.maxBufferSize == 0 ? allocation
                                         : std::min(allocation, maintenance4.maxBufferSize);
}

bool VulkanTraits::is_unified() const {
  return properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU ||
         properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

base::Result<VulkanTraits> query_traits(const InstanceApi& api, VkPhysicalDevice device,
                                        std::uint32_t instance_version) {
  VulkanTraits traits;
  api.vkGetPhysicalDeviceProperties(device, &traits.properties);
  traits.api_version = std::min(traits.properties.apiVersion, instance_version);
  if (!traits.offers(VK_API_VERSION_1_2)) {
    return base::Error(base::ErrorCode::kUnsupported,
                       base::concat("Vulkan ", version_text(traits.properties.apiVersion),
                                    " of the device is below 1.2."));
  }
  HALYARD_TRY_ASSIGN(traits.extensions, query_extensions(api, device));
  query_properties(api, device, traits);
  query_features(api, device, traits);
  if (traits.features12.timelineSemaphore == VK_FALSE) {
    return base::Error(base::ErrorCode::kUnsupported, "The device has no timeline semaphores.");
  }
  const std::optional<QueueFamily> family = find_family(api, device);
  if (!family) {
    return base::Error(base::ErrorCode::kUnsupported, "The device has no compute queue.");
  }
  traits.family = *family;
  VkPhysicalDeviceMemoryProperties2 memory{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, nullptr, {}};
  api.vkGetPhysicalDeviceMemoryProperties2(device, &memory);
  traits.memory = memory.memoryProperties;
  return traits;
}

std::string version_text(std::uint32_t version) {
  return descriptors::vulkan_version_text(version);
}

}  // namespace halyard::vulkan
