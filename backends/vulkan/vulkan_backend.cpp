// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_backend.h"

#include "backends/vulkan/vulkan_capability.h"
#include "backends/vulkan/vulkan_device.h"
#include "backends/vulkan/vulkan_instance.h"
#include "backends/vulkan/vulkan_traits.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::vulkan {
namespace {

struct Candidate {
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VulkanTraits traits;
  core::DeviceInfo info;
};

int rank(core::DeviceKind kind) {
  switch (kind) {
    case core::DeviceKind::kDiscreteGpu:
      return 0;
    case core::DeviceKind::kIntegratedGpu:
      return 1;
    case core::DeviceKind::kVirtualGpu:
      return 2;
    default:
      return 3;
  }
}

}  // namespace

std::unique_ptr<core::Backend> create_vulkan_backend(const core::BackendSettings& settings) {
  return std::make_unique<VulkanBackend>(
      settings, [] { return VulkanLibrary::load(vulkan_library_names()); });
}

VulkanBackend::VulkanBackend(const core::BackendSettings& settings, LibraryLoader load_library)
    : settings_(base::Ref<const core::BackendSettings>::share(&settings)),
      load_library_(std::move(load_library)) {}

base::Result<std::vector<base::Ref<core::Device>>> VulkanBackend::enumerate() {
  HALYARD_TRY_ASSIGN(VulkanLibrary library, load_library_());
  notes_.push_back(base::concat("loader: ", library.path()));
  HALYARD_TRY_ASSIGN(const base::Ref<VulkanInstance> instance,
                     VulkanInstance::create(std::move(library)));
  notes_.push_back(base::concat("API version: ", version_text(instance->version())));
  for (const std::string& workaround : instance->workarounds())
    notes_.push_back(base::concat("workaround: ", workaround));
  HALYARD_TRY_ASSIGN(const std::vector<VkPhysicalDevice> all, instance->physical_devices());

  std::vector<Candidate> candidates;
  std::string refusals;
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto traits = query_traits(instance->api(), all[i], instance->version());
    if (traits) {
      core::DeviceInfo info = describe_device(*traits);
      candidates.push_back({all[i], std::move(*traits), std::move(info)});
      continue;
    }
    VkPhysicalDeviceProperties properties{};
    instance->api().vkGetPhysicalDeviceProperties(all[i], &properties);
    notes_.push_back(base::concat("refused: ", std::string_view(properties.deviceName), ": ",
                                  traits.error().message()));
    refusals += " " + notes_.back();
  }
  if (candidates.empty()) {
    return base::Error(base::ErrorCode::kUnavailable,
                       base::concat("The Vulkan loader ", instance->library().path(), " lists ",
                                    all.size(), " devices, none of which can be used.", refusals));
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return rank(a.info.kind) < rank(b.info.kind);
  });
  std::vector<base::Ref<core::Device>> devices;
  for (Candidate& candidate : candidates) {
    candidate.info.id = base::concat("vulkan:", devices.size());
    devices.emplace_back(base::make_ref<VulkanDevice>(instance, candidate.physical,
                                                      std::move(candidate.traits),
                                                      std::move(candidate.info), *settings_));
  }
  return devices;
}

}  // namespace halyard::vulkan
