// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_instance.h"

#include "backends/vulkan/vulkan_error.h"
#include "backends/vulkan/vulkan_traits.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::vulkan {

VulkanInstance::VulkanInstance(VulkanLibrary library, VkInstance instance, InstanceApi api,
                               std::uint32_t version)
    : library_(std::move(library)),
      instance_(instance),
      api_(api),
      version_(version) {}

VulkanInstance::~VulkanInstance() {
  api_.vkDestroyInstance(instance_, nullptr);
}

base::Result<base::Ref<VulkanInstance>> VulkanInstance::create(VulkanLibrary library) {
  HALYARD_TRY_ASSIGN(const std::uint32_t offered, library.version());
  if (offered < VK_API_VERSION_1_2) {
    return base::Error(base::ErrorCode::kUnavailable,
                       base::concat("The Vulkan loader ", library.path(), " offers version ",
                                    version_text(offered), ", which is below 1.2."));
  }
  const std::uint32_t version = std::min<std::uint32_t>(offered, VK_API_VERSION_1_3);
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pEngineName = "Halyard";
  application.apiVersion = version;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  VkInstance instance = VK_NULL_HANDLE;
  const VkResult result = library.api().vkCreateInstance(&info, nullptr, &instance);
  if (result != VK_SUCCESS) return vulkan_error(result, "vkCreateInstance");
  auto api = library.instance_api(instance);
  if (!api) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyInstance>(
        library.api().vkGetInstanceProcAddr(instance, "vkDestroyInstance"));
    if (destroy != nullptr) destroy(instance, nullptr);
    return std::move(api.error());
  }
  return base::Ref<VulkanInstance>::adopt(
      new VulkanInstance(std::move(library), instance, *api, version));
}

base::Result<std::vector<VkPhysicalDevice>> VulkanInstance::physical_devices() const {
  std::vector<VkPhysicalDevice> devices;
  VkResult result = VK_INCOMPLETE;
  while (result == VK_INCOMPLETE) {
    std::uint32_t count = 0;
    result = api_.vkEnumeratePhysicalDevices(instance_, &count, nullptr);
    if (result != VK_SUCCESS) break;
    devices.resize(count);
    result = api_.vkEnumeratePhysicalDevices(instance_, &count, devices.data());
    devices.resize(count);
  }
  if (result != VK_SUCCESS) return vulkan_error(result, "vkEnumeratePhysicalDevices");
  return devices;
}

}  // namespace halyard::vulkan
