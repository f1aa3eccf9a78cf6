// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_api.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace halyard::vulkan {

struct QueueFamily {
  std::uint32_t index = 0;
  std::uint32_t timestamp_valid_bits = 0;
};

// What a driver says of one physical device, asked once. Structures whose extension is absent
// stay zero.
struct VulkanTraits {
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceVulkan11Properties properties11{};
  VkPhysicalDeviceVulkan12Properties properties12{};
  VkPhysicalDeviceSubgroupSizeControlProperties subgroup_size{};
  VkPhysicalDeviceMaintenance4Properties maintenance4{};
  VkPhysicalDeviceExternalMemoryHostPropertiesEXT external_host{};
  VkPhysicalDevicePushDescriptorPropertiesKHR push_descriptor{};
  VkPhysicalDevicePCIBusInfoPropertiesEXT pci{};
  VkPhysicalDeviceShaderCorePropertiesAMD amd_cores{};
  VkPhysicalDeviceShaderSMBuiltinsPropertiesNV nvidia_cores{};

  VkPhysicalDeviceFeatures features{};
  VkPhysicalDeviceVulkan11Features features11{};
  VkPhysicalDeviceVulkan12Features features12{};
  VkPhysicalDeviceVulkan13Features features13{};  // of 1.2 devices: what extensions offer
  CooperativeMatrixFeatures cooperative_matrix{};

  VkPhysicalDeviceMemoryProperties memory{};
  std::set<std::string, std::less<>> extensions;
  std::uint32_t api_version = 0;  // the lower of the device's and the instance's
  QueueFamily family;

  bool has_extension(std::string_view name) const { return extensions.contains(name); }
  bool offers(std::uint32_t version) const { return api_version >= version; }
  // A kernel may require a subgroup size.
  bool controls_subgroup_size() const;
  // The most bytes that one allocation or buffer holds.
  std::uint64_t largest_allocation_bytes() const;
  bool is_unified() const;
};

// Collects structures behind one pNext pointer, and sets their types.
class StructureChain {
 public:
  template <typename T>
  void add(T& structure, VkStructureType type) {
    structure.sType = type;
    structure.pNext = head_;
    head_ = &structure;
  }
  void* head() const { return head_; }

 private:
  void* head_ = nullptr;
};

// UNSUPPORTED for a device that lacks what this backend needs, which the message names.
base::Result<VulkanTraits> query_traits(const InstanceApi& api, VkPhysicalDevice device,
                                        std::uint32_t instance_version);

// "1.3.230"
std::string version_text(std::uint32_t version);

}  // namespace halyard::vulkan
