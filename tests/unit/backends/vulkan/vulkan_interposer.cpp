// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/vulkan/vulkan_interposer.h"

#include "runtime/base/dynamic_library.h"

#include <map>
#include <mutex>

namespace halyard::vulkan {
namespace {

struct State {
  std::mutex mutex;  // guards all below
  PFN_vkGetInstanceProcAddr entry = nullptr;
  PFN_vkGetDeviceProcAddr device_entry = nullptr;
  std::map<std::string, PFN_vkVoidFunction> replaced;
  std::map<std::string, PFN_vkVoidFunction> originals;
};

State& state() {
  static State value;
  return value;
}

PFN_vkVoidFunction choose(const char* name, PFN_vkVoidFunction original) {
  if (original != nullptr) state().originals[name] = original;
  const auto found = state().replaced.find(name);
  return found == state().replaced.end() ? original : found->second;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char* name) {
  const std::lock_guard lock(state().mutex);
  return choose(name, state().device_entry(device, name));
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance, const char* name) {
  const std::lock_guard lock(state().mutex);
  const PFN_vkVoidFunction original = state().entry(instance, name);
  if (std::string_view(name) == "vkGetDeviceProcAddr") {
    state().device_entry = reinterpret_cast<PFN_vkGetDeviceProcAddr>(original);
    return reinterpret_cast<PFN_vkVoidFunction>(&device_proc);
  }
  return choose(name, original);
}

void clear() {
  const std::lock_guard lock(state().mutex);
  state().replaced.clear();
  state().originals.clear();
}

}  // namespace

VulkanInterposer::VulkanInterposer() {
  clear();
}

VulkanInterposer::~VulkanInterposer() {
  clear();
}

base::Result<VulkanLibrary> VulkanInterposer::load() {
  HALYARD_TRY_ASSIGN(base::DynamicLibrary library,
                     base::DynamicLibrary::open(vulkan_library_names()));
  library.leak();
  {
    const std::lock_guard lock(state().mutex);
    state().entry =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(library.find("vkGetInstanceProcAddr"));
  }
  return VulkanLibrary::from_entry(&instance_proc, "the interposed loader");
}

void VulkanInterposer::set(const std::string& name, PFN_vkVoidFunction function) {
  const std::lock_guard lock(state().mutex);
  state().replaced[name] = function;
}

PFN_vkVoidFunction VulkanInterposer::find_original(const std::string& name) {
  const std::lock_guard lock(state().mutex);
  return state().originals.at(name);
}

}  // namespace halyard::vulkan
