// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_library.h"

#include "backends/vulkan/vulkan_error.h"
#include "runtime/base/text.h"

#include <array>
#include <string_view>
#include <utility>

namespace halyard::vulkan {
namespace {

// NOLINTNEXTLINE(readability-identifier-naming): the words of vulkan_symbols.inc.
enum class Need { REQUIRED, OPTIONAL };

// Fills one pointer; remembers the first required entry point that is missing.
class Loading {
 public:
  template <typename Function>
  void take(Function& out, PFN_vkVoidFunction address, const char* name, Need need) {
    out = reinterpret_cast<Function>(address);
    if (address == nullptr && need == Need::REQUIRED && missing_.empty()) missing_ = name;
  }
  base::Status finish(std::string_view owner) const {
    if (missing_.empty()) return base::ok();
    return base::Error(base::ErrorCode::kNotFound, base::concat("The Vulkan entry point ", missing_,
                                                                " is missing in ", owner, "."));
  }

 private:
  std::string_view missing_;
};

}  // namespace

std::span<const char* const> vulkan_library_names() {
  static constexpr std::array<const char*, 2> kNames = {"libvulkan.so.1", "libvulkan.so"};
  return kNames;
}

base::Result<VulkanLibrary> VulkanLibrary::load(std::span<const char* const> names) {
  HALYARD_TRY_ASSIGN(base::DynamicLibrary library, base::DynamicLibrary::open(names));
  // Drivers behind the loader keep threads and exit handlers.
  library.leak();
  const auto entry =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(library.find("vkGetInstanceProcAddr"));
  HALYARD_TRY_ASSIGN(VulkanLibrary loaded, from_entry(entry, library.path()));
  loaded.library_ = std::move(library);
  return loaded;
}

base::Result<VulkanLibrary> VulkanLibrary::from_entry(PFN_vkGetInstanceProcAddr entry,
                                                      std::string path) {
  VulkanLibrary library;
  library.path_ = std::move(path);
  library.api_.vkGetInstanceProcAddr = entry;
  Loading loading;
  loading.take(library.api_.vkGetInstanceProcAddr, reinterpret_cast<PFN_vkVoidFunction>(entry),
               "vkGetInstanceProcAddr", Need::REQUIRED);
  HALYARD_TRY(loading.finish(library.path_));
#define HALYARD_VULKAN_LOADER_SYMBOL(name, need) \
  loading.take(library.api_.name, entry(VK_NULL_HANDLE, #name), #name, Need::need);
#include "backends/vulkan/vulkan_symbols.inc"
  HALYARD_TRY(loading.finish(library.path_));
  return library;
}

base::Result<std::uint32_t> VulkanLibrary::version() const {
  if (api_.vkEnumerateInstanceVersion == nullptr) return std::uint32_t{VK_API_VERSION_1_0};
  std::uint32_t version = 0;
  const VkResult result = api_.vkEnumerateInstanceVersion(&version);
  if (result != VK_SUCCESS) return vulkan_error(result, "vkEnumerateInstanceVersion");
  return version;
}

base::Result<InstanceApi> VulkanLibrary::instance_api(VkInstance instance) const {
  InstanceApi api;
  Loading loading;
#define HALYARD_VULKAN_INSTANCE_SYMBOL(name, need) \
  loading.take(api.name, api_.vkGetInstanceProcAddr(instance, #name), #name, Need::need);
#include "backends/vulkan/vulkan_symbols.inc"
  HALYARD_TRY(loading.finish(path_));
  return api;
}

base::Result<DeviceApi> VulkanLibrary::device_api(const InstanceApi& instance_api, VkDevice device,
                                                  const std::string& owner) {
  DeviceApi api;
  Loading loading;
#define HALYARD_VULKAN_DEVICE_SYMBOL(name, need) \
  loading.take(api.name, instance_api.vkGetDeviceProcAddr(device, #name), #name, Need::need);
#include "backends/vulkan/vulkan_symbols.inc"
  HALYARD_TRY(loading.finish(base::concat("the driver of ", owner)));
  return api;
}

}  // namespace halyard::vulkan
