// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_library.h"
#include "runtime/base/result.h"

#include <string>

namespace halyard::vulkan {

// Stands between the backend and the loader of the machine: entry points are replaced by name, or
// hidden. One at a time in a process.
class VulkanInterposer {
 public:
  VulkanInterposer();
  ~VulkanInterposer();
  VulkanInterposer(const VulkanInterposer&) = delete;
  VulkanInterposer& operator=(const VulkanInterposer&) = delete;

  // Used in place of the driver's `name` by everything opened from now on.
  template <typename Function>
  void replace(const std::string& name, Function function) {
    set(name, reinterpret_cast<PFN_vkVoidFunction>(function));
  }
  void hide(const std::string& name) { set(name, nullptr); }

  // What the driver itself has, once something has asked for it.
  template <typename Function>
  static Function original(const std::string& name) {
    return reinterpret_cast<Function>(find_original(name));
  }

  // For VulkanBackend.
  static base::Result<VulkanLibrary> load();

 private:
  static void set(const std::string& name, PFN_vkVoidFunction function);
  static PFN_vkVoidFunction find_original(const std::string& name);
};

}  // namespace halyard::vulkan
