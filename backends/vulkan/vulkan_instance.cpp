// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_instance.h"

#include "backends/vulkan/vulkan_error.h"
#include "backends/vulkan/vulkan_manifests.h"
#include "backends/vulkan/vulkan_traits.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::vulkan {
namespace {

VkResult create_instance(const LoaderApi& api, std::uint32_t version, VkInstance* instance) {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pEngineName = "Halyard";
  application.apiVersion = version;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  return api.vkCreateInstance(&info, nullptr, instance);
}

// Loaders from 1.3.236 to 1.3.268 take one driver manifest that is no JSON for a lack of memory,
// and start no driver at all: https://github.com/KhronosGroup/Vulkan-Loader/issues/1324. They start
// once they are told of the others alone.
base::Result<VkInstance> create_despite_manifests(const LoaderApi& api, std::uint32_t version,
                                                  std::vector<std::string>& workarounds) {
  VkInstance instance = VK_NULL_HANDLE;
  VkResult result = create_instance(api, version, &instance);
  if (result == VK_SUCCESS) return instance;
  const DriverManifests manifests = find_driver_manifests();
  std::string reasons;
  for (const BrokenManifest& broken : manifests.broken) {
    workarounds.push_back(
        base::concat("left out the driver manifest ", broken.path, ": ", broken.reason));
    reasons += base::concat(" The driver manifest ", broken.path, " is broken: ", broken.reason);
  }
  if (result == VK_ERROR_OUT_OF_HOST_MEMORY && !manifests.broken.empty() &&
      !manifests.usable.empty()) {
    const ScopedEnvironmentVariable only("VK_DRIVER_FILES", base::join(manifests.usable, ":"));
    result = create_instance(api, version, &instance);
    if (result == VK_SUCCESS) return instance;
  }
  const base::Error error = vulkan_error(result, "vkCreateInstance");
  return base::Error(error.code(), error.message() + reasons);
}

}  // namespace

VulkanInstance::VulkanInstance(VulkanLibrary library, VkInstance instance, InstanceApi api,
                               std::uint32_t version, std::vector<std::string> workarounds)
    : library_(std::move(library)),
      instance_(instance),
      api_(api),
      version_(version),
      workarounds_(std::move(workarounds)) {}

VulkanInstance::~VulkanInstance() {
  if (!fork_guard_.in_child()) api_.vkDestroyInstance(instance_, nullptr);
}

base::Result<base::Ref<VulkanInstance>> VulkanInstance::create(VulkanLibrary library) {
  HALYARD_TRY_ASSIGN(const std::uint32_t offered, library.version());
  if (offered < VK_API_VERSION_1_2) {
    return base::Error(base::ErrorCode::kUnavailable,
                       base::concat("The Vulkan loader ", library.path(), " offers version ",
                                    version_text(offered), ", which is below 1.2."));
  }
  const std::uint32_t version = std::min<std::uint32_t>(offered, VK_API_VERSION_1_3);
  std::vector<std::string> workarounds;
  HALYARD_TRY_ASSIGN(const VkInstance instance,
                     create_despite_manifests(library.api(), version, workarounds));
  auto api = library.instance_api(instance);
  if (!api) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyInstance>(
        library.api().vkGetInstanceProcAddr(instance, "vkDestroyInstance"));
    if (destroy != nullptr) destroy(instance, nullptr);
    return std::move(api.error());
  }
  return base::Ref<VulkanInstance>::adopt(
      new VulkanInstance(std::move(library), instance, *api, version, std::move(workarounds)));
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
