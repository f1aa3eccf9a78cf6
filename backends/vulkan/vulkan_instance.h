// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_library.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <vector>

namespace halyard::vulkan {

// One VkInstance and the loader behind it. Immutable; any number of threads may use it.
class VulkanInstance final : public base::RefCounted {
 public:
  // UNAVAILABLE for a loader below Vulkan 1.2. Enables no layer: those come from the environment.
  static base::Result<base::Ref<VulkanInstance>> create(VulkanLibrary library);
  ~VulkanInstance() override;

  const InstanceApi& api() const { return api_; }
  const VulkanLibrary& library() const { return library_; }
  // What we use of it: the lower of the loader's version and 1.3.
  std::uint32_t version() const { return version_; }

  base::Result<std::vector<VkPhysicalDevice>> physical_devices() const;

 private:
  VulkanInstance(VulkanLibrary library, VkInstance instance, InstanceApi api,
                 std::uint32_t version);

  VulkanLibrary library_;
  VkInstance instance_;
  InstanceApi api_;
  std::uint32_t version_;
};

}  // namespace halyard::vulkan
