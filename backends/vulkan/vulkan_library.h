// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_api.h"
#include "runtime/base/dynamic_library.h"
#include "runtime/base/result.h"

#include <optional>
#include <span>
#include <string>

namespace halyard::vulkan {

// The Vulkan loader, open for as long as this lives.
class VulkanLibrary {
 public:
  // Opens the first of `names` that there is. UNAVAILABLE names each and why it cannot be opened.
  static base::Result<VulkanLibrary> load(std::span<const char* const> names);
  // Entry points of a loader that is already in the process; `path` is for people.
  static base::Result<VulkanLibrary> from_entry(PFN_vkGetInstanceProcAddr entry, std::string path);

  const LoaderApi& api() const { return api_; }
  const std::string& path() const { return path_; }
  // VK_API_VERSION_1_0 for a loader that cannot be asked.
  base::Result<std::uint32_t> version() const;

  // NOT_FOUND names a REQUIRED entry point that is missing, and `owner`.
  base::Result<InstanceApi> instance_api(VkInstance instance) const;
  static base::Result<DeviceApi> device_api(const InstanceApi& instance_api, VkDevice device,
                                            const std::string& owner);

 private:
  VulkanLibrary() = default;

  std::optional<base::DynamicLibrary> library_;
  LoaderApi api_;
  std::string path_;
};

// The sonames of the loader, best first.
std::span<const char* const> vulkan_library_names();

}  // namespace halyard::vulkan
