// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "capability-descriptors/vulkan_facts.h"

#include <cstdint>
#include <optional>
#include <string>

namespace halyard::descriptors {

// What a report says besides its facts. A text that is not known is empty.
struct VulkanReportIdentity {
  std::string name;  // of the device
  std::uint64_t vendor_id = 0;
  std::optional<std::uint64_t> device_id;
  std::string driver;  // "radv Mesa 25.0.5"
  std::string system;  // "ubuntu 22.04, x86_64"
  std::string date;    // ISO 8601
  std::string alias;   // "gpuinfo-38697"
  DescriptorSource source;
};

// The descriptor "report/<vendor>-<device>" of these facts. Reports of one device from different
// drivers share it.
Descriptor describe_vulkan_report(const VulkanFacts& facts, const VulkanReportIdentity& identity);

}  // namespace halyard::descriptors
