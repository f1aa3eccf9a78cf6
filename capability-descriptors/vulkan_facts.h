// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::descriptors {

// Vulkan's own numbers, so that a report can be read where no Vulkan header is.
inline constexpr std::uint32_t kVulkanQueueGraphics = 0x1;
inline constexpr std::uint32_t kVulkanQueueCompute = 0x2;
inline constexpr std::uint32_t kVulkanHeapDeviceLocal = 0x1;
inline constexpr std::uint32_t kVulkanStageCompute = 0x20;
inline constexpr std::uint32_t kVulkanSubgroupArithmetic = 0x4;
inline constexpr std::uint32_t kVulkanSubgroupShuffle = 0x10;
inline constexpr std::uint32_t kVulkanSubgroupShuffleRelative = 0x20;
inline constexpr std::uint32_t kVulkanIntegratedGpu = 1;
inline constexpr std::uint32_t kVulkanCpu = 4;

constexpr std::uint32_t vulkan_version(std::uint32_t major, std::uint32_t minor) {
  return major << 22 | minor << 12;
}

struct VulkanQueueFamily {
  std::uint32_t flags = 0;
  std::uint32_t queue_count = 0;
  std::uint32_t timestamp_valid_bits = 0;
};

struct VulkanMemoryHeap {
  std::uint32_t flags = 0;
  std::uint64_t size_bytes = 0;
};

// What Vulkan says of one device, as far as capabilities follow from it. The live backend knows all
// of it; a report may lack some, and then what follows is unknown. A number of a structure whose
// extension is absent is absent too.
struct VulkanFacts {
  using Flag = std::optional<bool>;
  using Number = std::optional<std::uint64_t>;

  Number api_version;  // as Vulkan packs it
  Number device_type;  // VkPhysicalDeviceType

  Flag float16;
  Flag float64;
  Flag int64;
  Flag int16;
  Flag int8;
  Flag storage_buffer_16bit;
  Flag storage_buffer_8bit;
  Flag buffer_device_address;
  Flag timeline_semaphore;
  Flag subgroup_size_control;
  Flag cooperative_matrix;
  Flag push_descriptor;  // the extension

  Number subgroup_size;
  Number subgroup_stages;
  Number subgroup_operations;
  Number subgroup_size_min;
  Number subgroup_size_max;
  Number subgroup_size_stages;  // in which a size can be required

  Number workgroup_invocations;
  std::array<Number, 3> workgroup_size;
  std::array<Number, 3> grid;
  Number shared_bytes;
  Number push_constant_bytes;
  Number storage_buffer_range;
  Number storage_buffer_alignment;
  Number allocation_bytes;
  Number buffer_bytes;  // 0 or absent: no limit besides that of an allocation
  std::optional<double> timestamp_period_ns;

  std::optional<std::vector<VulkanQueueFamily>> queue_families;
  std::optional<std::vector<VulkanMemoryHeap>> heaps;

  Number amd_engines;
  Number amd_arrays_per_engine;
  Number amd_units_per_array;
  Number nvidia_multiprocessors;
};

// What the facts say, under the known keys. The values' origin is the driver.
CapabilitySet vulkan_capabilities(const VulkanFacts& facts);
// The keys that vulkan_capabilities() can give, in the order of the list of known keys.
std::span<const CapabilityKey> vulkan_capability_keys();

// Why the Vulkan backend takes no such device, one sentence, or "" where nothing speaks against it.
std::string vulkan_refusal(const VulkanFacts& facts);

// The queue family that kernels run in: the first with compute and without graphics, which runs
// beside a desktop's drawing, else the first with compute. An index, or nothing.
std::optional<std::size_t> vulkan_compute_family(std::span<const VulkanQueueFamily> families);

// What a device takes that offers this version, best first: "spirv-1.6", "spirv-1.5", …
std::vector<std::string> vulkan_targets(std::uint64_t api_version);

// "AMD" for 0x1002; "0x1234" for a vendor that is not known.
std::string vulkan_vendor_name(std::uint64_t vendor_id);

// "1.3.230".
std::string vulkan_version_text(std::uint64_t version);

}  // namespace halyard::descriptors
