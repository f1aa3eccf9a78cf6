// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/vulkan_facts.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>

namespace halyard::descriptors {
namespace {

using Key = CapabilityKey;

constexpr auto kKeys = std::to_array<CapabilityKey>({
    Key::kComputeUnits,
    Key::kClockTimestampPeriodNs,
    Key::kClockTimestampValidBits,
    Key::kClockTimestamps,
    Key::kMemoryTotalBytes,
    Key::kMemoryUnified,
    Key::kTypeF16,
    Key::kTypeF64,
    Key::kTypeI64,
    Key::kTypeI16,
    Key::kTypeI8,
    Key::kStorage16bit,
    Key::kStorage8bit,
    Key::kSubgroupSize,
    Key::kSubgroupSizeMin,
    Key::kSubgroupSizeMax,
    Key::kSubgroupSizeControl,
    Key::kSubgroupArithmetic,
    Key::kSubgroupShuffle,
    Key::kLimitWorkgroupInvocations,
    Key::kLimitWorkgroupSizeX,
    Key::kLimitGridX,
    Key::kLimitGridY,
    Key::kLimitGridZ,
    Key::kLimitSharedBytes,
    Key::kLimitPushConstantBytes,
    Key::kLimitStorageBufferRangeBytes,
    Key::kLimitAllocationBytes,
    Key::kLimitBufferOffsetAlignmentBytes,
    Key::kVulkanApiVersion,
    Key::kVulkanBufferDeviceAddress,
    Key::kVulkanPushDescriptor,
    Key::kMatrixCooperative,
    Key::kLimitWorkgroupSizeY,
    Key::kLimitWorkgroupSizeZ,
});

struct Vendor {
  std::uint64_t id;
  std::string_view name;
};

// PCI vendors, then Khronos's own numbers.
constexpr auto kVendors = std::to_array<Vendor>({
    {0x1002, "AMD"},
    {0x1010, "Imagination"},
    {0x106b, "Apple"},
    {0x10de, "NVIDIA"},
    {0x13b5, "Arm"},
    {0x144d, "Samsung"},
    {0x14e4, "Broadcom"},
    {0x1ae0, "Google"},
    {0x1ed5, "Moore Threads"},
    {0x5143, "Qualcomm"},
    {0x8086, "Intel"},
    {0x10005, "Mesa"},
});

// A set whose unknown values stay unknown.
class Writer {
 public:
  void flag(Key key, std::optional<bool> value) {
    if (value) set_.set_flag(key, *value);
  }
  void number(Key key, std::optional<std::uint64_t> value) {
    if (value) set_.set_number(key, static_cast<double>(*value));
  }
  void number(Key key, std::optional<double> value) {
    if (value) set_.set_number(key, *value);
  }
  void text(Key key, std::string value) { set_.set_text(key, std::move(value)); }

  CapabilitySet take() && { return std::move(set_); }

 private:
  CapabilitySet set_;
};

std::optional<double> compute_units(const VulkanFacts& facts) {
  if (facts.amd_engines && facts.amd_arrays_per_engine && facts.amd_units_per_array) {
    return static_cast<double>(*facts.amd_engines) *
           static_cast<double>(*facts.amd_arrays_per_engine) *
           static_cast<double>(*facts.amd_units_per_array);
  }
  if (!facts.nvidia_multiprocessors) return std::nullopt;
  return static_cast<double>(*facts.nvidia_multiprocessors);
}

// The largest heap of the device: smaller ones are windows onto it or onto memory that it shares.
std::optional<std::uint64_t> total_memory_bytes(const VulkanFacts& facts) {
  std::optional<std::uint64_t> total;
  if (!facts.heaps) return total;
  for (const VulkanMemoryHeap& heap : *facts.heaps) {
    if ((heap.flags & kVulkanHeapDeviceLocal) == 0) continue;
    total = std::max(total.value_or(0), heap.size_bytes);
  }
  return total;
}

void set_types(const VulkanFacts& facts, Writer& set) {
  set.flag(Key::kTypeF16, facts.float16);
  set.flag(Key::kTypeF64, facts.float64);
  set.flag(Key::kTypeI64, facts.int64);
  set.flag(Key::kTypeI16, facts.int16);
  set.flag(Key::kTypeI8, facts.int8);
  set.flag(Key::kStorage16bit, facts.storage_buffer_16bit);
  set.flag(Key::kStorage8bit, facts.storage_buffer_8bit);
}

// Whether a kernel can require a subgroup size; unknown where the facts do not settle it.
std::optional<bool> controls_subgroup_size(const VulkanFacts& facts) {
  if (facts.subgroup_size_control == false) return false;
  if (facts.subgroup_size_stages && (*facts.subgroup_size_stages & kVulkanStageCompute) == 0) {
    return false;
  }
  if (!facts.subgroup_size_control || !facts.subgroup_size_stages) return std::nullopt;
  return true;
}

void set_subgroups(const VulkanFacts& facts, Writer& set) {
  const std::optional<bool> controls = controls_subgroup_size(facts);
  set.number(Key::kSubgroupSize, facts.subgroup_size);
  set.flag(Key::kSubgroupSizeControl, controls);
  if (controls) {
    set.number(Key::kSubgroupSizeMin, *controls ? facts.subgroup_size_min : facts.subgroup_size);
    set.number(Key::kSubgroupSizeMax, *controls ? facts.subgroup_size_max : facts.subgroup_size);
  }
  if (!facts.subgroup_stages || !facts.subgroup_operations) return;
  const auto offers = [&](std::uint32_t bits) {
    return (*facts.subgroup_stages & kVulkanStageCompute) != 0 &&
           (*facts.subgroup_operations & bits) == bits;
  };
  set.flag(Key::kSubgroupArithmetic, offers(kVulkanSubgroupArithmetic));
  set.flag(Key::kSubgroupShuffle, offers(kVulkanSubgroupShuffle | kVulkanSubgroupShuffleRelative));
}

void set_limits(const VulkanFacts& facts, Writer& set) {
  set.number(Key::kLimitWorkgroupInvocations, facts.workgroup_invocations);
  set.number(Key::kLimitWorkgroupSizeX, facts.workgroup_size[0]);
  set.number(Key::kLimitWorkgroupSizeY, facts.workgroup_size[1]);
  set.number(Key::kLimitWorkgroupSizeZ, facts.workgroup_size[2]);
  set.number(Key::kLimitGridX, facts.grid[0]);
  set.number(Key::kLimitGridY, facts.grid[1]);
  set.number(Key::kLimitGridZ, facts.grid[2]);
  set.number(Key::kLimitSharedBytes, facts.shared_bytes);
  set.number(Key::kLimitPushConstantBytes, facts.push_constant_bytes);
  set.number(Key::kLimitStorageBufferRangeBytes, facts.storage_buffer_range);
  set.number(Key::kLimitBufferOffsetAlignmentBytes, facts.storage_buffer_alignment);
  std::optional<std::uint64_t> allocation = facts.allocation_bytes;
  if (allocation && facts.buffer_bytes.value_or(0) != 0) {
    allocation = std::min(*allocation, *facts.buffer_bytes);
  }
  set.number(Key::kLimitAllocationBytes, allocation);
}

// Both are 0 where there are no timestamps, whichever of them the driver says so with.
void set_timestamps(const VulkanFacts& facts, Writer& set) {
  std::optional<std::uint64_t> bits;
  if (facts.queue_families) {
    const auto family = vulkan_compute_family(*facts.queue_families);
    bits = family ? (*facts.queue_families)[*family].timestamp_valid_bits : 0;
  }
  std::optional<double> period = facts.timestamp_period_ns;
  if ((period && !(*period > 0)) || bits == std::uint64_t{0}) {
    period = 0;
    bits = 0;
    set.flag(Key::kClockTimestamps, false);
  } else if (period && bits) {
    set.flag(Key::kClockTimestamps, true);
  }
  set.number(Key::kClockTimestampPeriodNs, period);
  set.number(Key::kClockTimestampValidBits, bits);
}

}  // namespace

CapabilitySet vulkan_capabilities(const VulkanFacts& facts) {
  Writer set;
  set.number(Key::kComputeUnits, compute_units(facts));
  set_types(facts, set);
  set_subgroups(facts, set);
  set_limits(facts, set);
  set_timestamps(facts, set);
  set.number(Key::kMemoryTotalBytes, total_memory_bytes(facts));
  if (facts.device_type) {
    set.flag(Key::kMemoryUnified,
             *facts.device_type == kVulkanIntegratedGpu || *facts.device_type == kVulkanCpu);
  }
  if (facts.api_version) {
    set.text(Key::kVulkanApiVersion, vulkan_version_text(*facts.api_version));
  }
  set.flag(Key::kVulkanBufferDeviceAddress, facts.buffer_device_address);
  set.flag(Key::kVulkanPushDescriptor, facts.push_descriptor);
  set.flag(Key::kMatrixCooperative, facts.cooperative_matrix);
  return std::move(set).take();
}

std::span<const CapabilityKey> vulkan_capability_keys() {
  return kKeys;
}

std::string vulkan_refusal(const VulkanFacts& facts) {
  if (facts.api_version && *facts.api_version < vulkan_version(1, 2)) {
    return base::concat("Vulkan ", vulkan_version_text(*facts.api_version),
                        " of the device is below 1.2.");
  }
  if (facts.timeline_semaphore == false) return "The device has no timeline semaphores.";
  if (facts.queue_families && !vulkan_compute_family(*facts.queue_families)) {
    return "The device has no compute queue.";
  }
  return {};
}

std::optional<std::size_t> vulkan_compute_family(std::span<const VulkanQueueFamily> families) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < families.size(); ++i) {
    const VulkanQueueFamily& family = families[i];
    if ((family.flags & kVulkanQueueCompute) == 0 || family.queue_count == 0) continue;
    if ((family.flags & kVulkanQueueGraphics) == 0) return i;
    if (!found) found = i;
  }
  return found;
}

std::vector<std::string> vulkan_targets(std::uint64_t api_version) {
  if (api_version < vulkan_version(1, 1)) return {"spirv-1.0"};
  if (api_version < vulkan_version(1, 2)) return {"spirv-1.3"};
  std::vector<std::string> list;
  if (api_version >= vulkan_version(1, 3)) list.emplace_back("spirv-1.6");
  for (const char* portable : {"spirv-1.5", "spirv-1.4", "spirv-1.3"})
    list.emplace_back(portable);
  return list;
}

std::string vulkan_vendor_name(std::uint64_t vendor_id) {
  for (const Vendor& vendor : kVendors) {
    if (vendor.id == vendor_id) return std::string(vendor.name);
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = vendor_id > 0xffff ? 28 : 12; shift >= 0; shift -= 4)
    text.push_back(kDigits[vendor_id >> shift & 0xf]);
  return text;
}

std::string vulkan_version_text(std::uint64_t version) {
  return base::concat(version >> 22 & 0x7f, '.', version >> 12 & 0x3ff, '.', version & 0xfff);
}

}  // namespace halyard::descriptors
