// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_connection.h"

#include "backends/vulkan/vulkan_error.h"
#include "runtime/base/text.h"

#include <utility>
#include <vector>

namespace halyard::vulkan {
namespace {

// The features that kernels and this backend use, as far as the device offers them. Everything
// else, bounds checks among it, stays off.
struct EnabledFeatures {
  explicit EnabledFeatures(const VulkanTraits& traits);

  VkPhysicalDeviceFeatures2 root{};
  VkPhysicalDeviceVulkan11Features vulkan11{};
  VkPhysicalDeviceVulkan12Features vulkan12{};
  VkPhysicalDeviceVulkan13Features vulkan13{};
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_size{};
  VkPhysicalDeviceMaintenance4Features maintenance4{};
  CooperativeMatrixFeatures cooperative_matrix{};
  std::vector<const char*> extensions;
};

EnabledFeatures::EnabledFeatures(const VulkanTraits& traits) {
  StructureChain chain;
  root.features.shaderFloat64 = traits.features.shaderFloat64;
  root.features.shaderInt64 = traits.features.shaderInt64;
  root.features.shaderInt16 = traits.features.shaderInt16;

  chain.add(vulkan11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  vulkan11.storageBuffer16BitAccess = traits.features11.storageBuffer16BitAccess;
  vulkan11.variablePointers = traits.features11.variablePointers;
  vulkan11.variablePointersStorageBuffer = traits.features11.variablePointersStorageBuffer;

  chain.add(vulkan12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  vulkan12.timelineSemaphore = VK_TRUE;
  vulkan12.bufferDeviceAddress = traits.features12.bufferDeviceAddress;
  vulkan12.storageBuffer8BitAccess = traits.features12.storageBuffer8BitAccess;
  vulkan12.shaderFloat16 = traits.features12.shaderFloat16;
  vulkan12.shaderInt8 = traits.features12.shaderInt8;
  vulkan12.shaderSubgroupExtendedTypes = traits.features12.shaderSubgroupExtendedTypes;
  vulkan12.scalarBlockLayout = traits.features12.scalarBlockLayout;
  vulkan12.vulkanMemoryModel = traits.features12.vulkanMemoryModel;
  vulkan12.vulkanMemoryModelDeviceScope = traits.features12.vulkanMemoryModelDeviceScope;

  const bool is13 = traits.offers(VK_API_VERSION_1_3);
  if (is13) {
    chain.add(vulkan13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    vulkan13.subgroupSizeControl = traits.features13.subgroupSizeControl;
    vulkan13.computeFullSubgroups = traits.features13.computeFullSubgroups;
    vulkan13.maintenance4 = traits.features13.maintenance4;
    vulkan13.shaderIntegerDotProduct = traits.features13.shaderIntegerDotProduct;
  }
  const auto take = [&](const char* name) {
    if (!traits.has_extension(name)) return false;
    extensions.push_back(name);
    return true;
  };
  if (!is13 && take(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME)) {
    chain.add(subgroup_size, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
    subgroup_size.subgroupSizeControl = traits.features13.subgroupSizeControl;
    subgroup_size.computeFullSubgroups = traits.features13.computeFullSubgroups;
  }
  if (!is13 && take(VK_KHR_MAINTENANCE_4_EXTENSION_NAME)) {
    chain.add(maintenance4, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES);
    maintenance4.maintenance4 = traits.features13.maintenance4;
  }
  if (traits.cooperative_matrix.cooperativeMatrix == VK_TRUE && take(kCooperativeMatrixExtension)) {
    chain.add(cooperative_matrix, kCooperativeMatrixFeaturesType);
    cooperative_matrix.cooperativeMatrix = VK_TRUE;
  }
  take(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME);
  take(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  root.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  root.pNext = chain.head();
}

// Leaves out what was not enabled: a loader may hand out entry points of those too.
void drop_disabled(const VulkanTraits& traits, DeviceApi& api) {
  if (!traits.has_extension(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME)) {
    api.vkCmdPushDescriptorSetWithTemplateKHR = nullptr;
  }
  if (!traits.has_extension(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) {
    api.vkGetMemoryHostPointerPropertiesEXT = nullptr;
  }
  if (traits.features12.bufferDeviceAddress == VK_FALSE) api.vkGetBufferDeviceAddress = nullptr;
}

}  // namespace

VulkanConnection::VulkanConnection(base::Ref<VulkanInstance> instance, const VulkanTraits& traits,
                                   std::string name, VkDevice device, const DeviceApi& api)
    : instance_(std::move(instance)),
      fork_guard_(instance_->fork_guard()),
      traits_(traits),
      name_(std::move(name)),
      device_(device),
      api_(api) {
  drop_disabled(traits_, api_);
  api_.vkGetDeviceQueue(device_, traits_.family.index, 0, &queue_);
}

VulkanConnection::~VulkanConnection() {
  if (!in_child()) api_.vkDestroyDevice(device_, nullptr);
}

base::Result<std::unique_ptr<VulkanConnection>> VulkanConnection::create(
    base::Ref<VulkanInstance> instance, VkPhysicalDevice physical, const VulkanTraits& traits,
    std::string name) {
  const EnabledFeatures features(traits);
  const float priority = 1.0F;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = traits.family.index;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features.root;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<std::uint32_t>(features.extensions.size());
  info.ppEnabledExtensionNames = features.extensions.data();
  VkDevice device = VK_NULL_HANDLE;
  const VkResult result = instance->api().vkCreateDevice(physical, &info, nullptr, &device);
  if (result != VK_SUCCESS) {
    return vulkan_error(result, "vkCreateDevice").with_context(base::concat("opening ", name));
  }
  auto api = VulkanLibrary::device_api(instance->api(), device, name);
  if (!api) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyDevice>(
        instance->api().vkGetDeviceProcAddr(device, "vkDestroyDevice"));
    if (destroy != nullptr) destroy(device, nullptr);
    return std::move(api.error());
  }
  return std::unique_ptr<VulkanConnection>(
      new VulkanConnection(std::move(instance), traits, std::move(name), device, *api));
}

base::Error VulkanConnection::failure(VkResult result, std::string_view call) {
  base::Error error = vulkan_error(result, call);
  if (result == VK_ERROR_DEVICE_LOST) lose(error.message());
  return error;
}

void VulkanConnection::lose(std::string reason) {
  const std::lock_guard lock(loss_mutex_);
  if (lost_.load(std::memory_order_relaxed)) return;
  loss_reason_ = std::move(reason);
  lost_.store(true, std::memory_order_release);
}

base::Status VulkanConnection::unusable_error() const {
  HALYARD_TRY(fork_guard_.check());
  const std::lock_guard lock(loss_mutex_);
  return base::Error(base::ErrorCode::kDeviceLost,
                     base::concat("The device ", name_, " is lost: ", loss_reason_));
}

}  // namespace halyard::vulkan
