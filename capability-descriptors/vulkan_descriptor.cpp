// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/vulkan_descriptor.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace halyard::descriptors {
namespace {

using base::concat;

constexpr std::size_t kLongestIdPart = 64;
// Of every version of SPIR-V up to 1.6: each instruction says since which it is there.
constexpr const char* kSpirvInstructions = "khronos/spirv1_6";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Lower-case letters, digits and dots, with one hyphen for each run of anything else; trade marks
// are no part of a name.
std::string slug(std::string_view text) {
  std::string low;
  std::transform(text.begin(), text.end(), std::back_inserter(low), lower);
  for (const std::string_view mark : {"(r)", "(tm)", "(c)"}) {
    for (std::size_t at = low.find(mark); at != std::string::npos; at = low.find(mark, at))
      low.replace(at, mark.size(), " ");
  }
  std::string out;
  for (const char c : low) {
    const bool is_part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_part || (c == '.' && !out.empty() && out.back() != '-')) {
      out.push_back(c);
    } else if (!out.empty() && out.back() != '-') {
      out.push_back('-');
    }
  }
  return out;
}

// "report/amd-radeon-rx-9070-xt".
std::string id_of(const std::string& vendor, const std::string& device) {
  std::string short_vendor = slug(vendor);
  std::erase(short_vendor, '-');
  std::string name = slug(device);
  if (!name.starts_with(concat(short_vendor, '-'))) name = concat(short_vendor, '-', name);
  name.resize(std::min(name.size(), kLongestIdPart));
  while (name.ends_with('-') || name.ends_with('.'))
    name.pop_back();
  return concat("report/", name);
}

// A card that sits on a PCI bus; other devices have numbers of their vendor's own.
std::optional<std::string> pci_id_of(const VulkanReportIdentity& identity) {
  constexpr std::uint64_t kMost = 0xffff;
  const std::uint64_t device = identity.device_id.value_or(0);
  if (device == 0 || device > kMost || identity.vendor_id == 0 || identity.vendor_id > kMost) {
    return std::nullopt;
  }
  const auto digits = [](std::uint64_t number) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (int shift = 12; shift >= 0; shift -= 4)
      text.push_back(kDigits[number >> shift & 0xf]);
    return text;
  };
  return concat(digits(identity.vendor_id), ':', digits(device));
}

CapabilitySet with_source(const CapabilitySet& set, const std::string& title) {
  CapabilitySet out;
  for (const auto& [key, value] : set.all()) {
    Capability capability = value;
    capability.source = title;
    out.set(key, std::move(capability));
  }
  return out;
}

void add_notes(const VulkanFacts& facts, const VulkanReportIdentity& identity,
               Descriptor& descriptor) {
  const auto add = [&](const char* topic, std::string text) {
    descriptor.notes.push_back({topic, std::move(text), identity.source.title});
  };
  if (!identity.driver.empty() || !identity.system.empty()) {
    add("driver", concat("Reported by ", identity.driver.empty() ? "a driver" : identity.driver,
                         identity.system.empty() ? "" : " on ", identity.system, '.'));
  }
  const std::string refusal = vulkan_refusal(facts);
  if (!refusal.empty()) add("use", concat("The Vulkan backend takes no such device: ", refusal));
  const Capability* const timestamps = descriptor.capabilities.find("clock.timestamps");
  if (timestamps != nullptr && timestamps->number == 0) {
    add("timestamps", "Device timestamps are unsupported.");
  }
  if (descriptor.capabilities.has(CapabilityKey::kMatrixCooperative)) {
    add("matrix", "The report does not say the shapes and types of cooperative matrices.");
  }
}

}  // namespace

Descriptor describe_vulkan_report(const VulkanFacts& facts, const VulkanReportIdentity& identity) {
  Descriptor descriptor;
  descriptor.kind = DescriptorKind::kReport;
  descriptor.vendor = vulkan_vendor_name(identity.vendor_id);
  descriptor.name = identity.name.empty() ? concat(descriptor.vendor, " device") : identity.name;
  descriptor.id = id_of(descriptor.vendor, descriptor.name);
  descriptor.version = identity.date;
  if (!identity.alias.empty()) descriptor.aliases.push_back(identity.alias);
  if (facts.api_version) descriptor.targets = vulkan_targets(*facts.api_version);
  descriptor.instruction_set = kSpirvInstructions;
  descriptor.sources.push_back(identity.source);
  descriptor.capabilities = with_source(vulkan_capabilities(facts), identity.source.title);
  if (const auto pci_id = pci_id_of(identity)) {
    descriptor.products.push_back({descriptor.name, {}, {*pci_id}, {}});
  }
  add_notes(facts, identity, descriptor);
  for (const CapabilityKey key : vulkan_capability_keys()) {
    const std::string_view name = capability_key_info(key).name;
    if (descriptor.capabilities.find(name) == nullptr) descriptor.missing.emplace_back(name);
  }
  return descriptor;
}

}  // namespace halyard::descriptors
