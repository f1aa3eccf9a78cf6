// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_library.h"
#include "runtime/base/fork_guard.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <string>
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
  // What had to be done for the loader to start, for people.
  const std::vector<std::string>& workarounds() const { return workarounds_; }
  // In a forked child nothing of the driver may be called, nor may anything be ended.
  const base::ForkGuard& fork_guard() const { return fork_guard_; }

 private:
  VulkanInstance(VulkanLibrary library, VkInstance instance, InstanceApi api, std::uint32_t version,
                 std::vector<std::string> workarounds);

  VulkanLibrary library_;
  VkInstance instance_;
  InstanceApi api_;
  std::uint32_t version_;
  std::vector<std::string> workarounds_;
  base::ForkGuard fork_guard_{"The Vulkan driver"};
};

}  // namespace halyard::vulkan
