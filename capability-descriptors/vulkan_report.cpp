// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/vulkan_report.h"

#include "capability-descriptors/vulkan_descriptor.h"
#include "capability-descriptors/vulkan_document.h"
#include "runtime/base/sha256.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace halyard::descriptors {
namespace {

namespace json = boost::json;
using base::concat;
using base::JsonObject;
using base::Result;
using base::Status;

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

// What stands in `extended`: a list of {extension, name, value}, by "extension/name".
using ExtensionMembers = std::map<std::string, VulkanMember, std::less<>>;

// The form of the Hardware Capability Viewer: core structures as objects of their own, everything
// of extensions in two long lists.
class GpuinfoDocument final : public VulkanDocument {
 public:
  static Result<GpuinfoDocument> open(const JsonObject& document);

  Found base_property(std::string_view name) const override {
    return VulkanMember::of(properties_, name);
  }
  Found limit(std::string_view name) const override {
    return in_section(properties_, "limits", name);
  }
  Found base_feature(std::string_view name) const override {
    return in_section(document_, "features", name);
  }
  Found feature(const VulkanPlace& place, std::string_view name) const override {
    return find(place, name, "features", features_);
  }
  Found property(const VulkanPlace& place, std::string_view name) const override {
    HALYARD_TRY_ASSIGN(std::optional<VulkanMember> member,
                       find(place, name, "properties", extension_properties_));
    if (member || place.structure != "VkPhysicalDeviceSubgroupProperties") return member;
    return in_section(properties_, "subgroupProperties", place.other_name);
  }
  std::optional<bool> has_extension(std::string_view name) const override {
    if (!extensions_) return std::nullopt;
    return extensions_->contains(name);
  }

 private:
  GpuinfoDocument(const JsonObject& document, const JsonObject& properties)
      : document_(document),
        properties_(properties) {}

  static Found in_section(const JsonObject& parent, std::string_view section,
                          std::string_view name) {
    HALYARD_TRY_ASSIGN(const std::optional<JsonObject> object, parent.optional_object(section));
    if (!object) return std::optional<VulkanMember>();
    return VulkanMember::of(*object, name);
  }

  Found find(const VulkanPlace& place, std::string_view name, std::string_view section,
             const ExtensionMembers& members) const;
  Status read_extensions();
  Status read_extended(std::string_view list, std::string_view value, ExtensionMembers& members);

  JsonObject document_;
  JsonObject properties_;
  std::optional<std::set<std::string, std::less<>>> extensions_;
  ExtensionMembers features_;
  ExtensionMembers extension_properties_;
};

Result<GpuinfoDocument> GpuinfoDocument::open(const JsonObject& document) {
  HALYARD_TRY_ASSIGN(const JsonObject properties, document.required_object("properties"));
  GpuinfoDocument opened(document, properties);
  HALYARD_TRY(opened.read_extensions());
  HALYARD_TRY(opened.read_extended("devicefeatures2", "supported", opened.features_));
  HALYARD_TRY(opened.read_extended("deviceproperties2", "value", opened.extension_properties_));
  return opened;
}

Status GpuinfoDocument::read_extensions() {
  if (!document_.has("extensions")) return base::ok();
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> list, document_.optional_objects("extensions"));
  extensions_.emplace();
  for (const JsonObject& extension : list) {
    HALYARD_TRY_ASSIGN(std::string name, extension.required_string("extensionName"));
    extensions_->insert(std::move(name));
  }
  return base::ok();
}

Status GpuinfoDocument::read_extended(std::string_view list, std::string_view value,
                                      ExtensionMembers& members) {
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> extended,
                     document_.optional_object("extended"));
  if (!extended) return base::ok();
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> entries, extended->optional_objects(list));
  for (const JsonObject& entry : entries) {
    HALYARD_TRY_ASSIGN(const std::string extension, entry.required_string("extension"));
    HALYARD_TRY_ASSIGN(const std::string name, entry.required_string("name"));
    std::optional<VulkanMember> member = VulkanMember::of(entry, value);
    if (member) members.try_emplace(concat(extension, '/', name), std::move(*member));
  }
  return base::ok();
}

VulkanDocument::Found GpuinfoDocument::find(const VulkanPlace& place, std::string_view name,
                                            std::string_view section,
                                            const ExtensionMembers& members) const {
  if (place.core_minor != 0) {
    const std::string core = concat("core1", place.core_minor);
    HALYARD_TRY_ASSIGN(const std::optional<JsonObject> version, document_.optional_object(core));
    if (version) {
      HALYARD_TRY_ASSIGN(std::optional<VulkanMember> member, in_section(*version, section, name));
      if (member) return member;
    }
  }
  const auto found = members.find(concat(place.extension, '/', name));
  if (found == members.end()) return std::optional<VulkanMember>();
  return std::optional<VulkanMember>(found->second);
}

Result<std::string> text_of(const JsonObject& object, std::string_view name) {
  const std::optional<VulkanMember> member = VulkanMember::of(object, name);
  if (!member) return std::string();
  return member->text();
}

// Those texts that are there, with blanks between.
std::string words(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    if (text.empty()) continue;
    if (!out.empty()) out.push_back(' ');
    out += text;
  }
  return out;
}

Result<std::string> driver_of(const JsonObject& document, const JsonObject& properties) {
  std::vector<std::string> texts(2);
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> core, document.optional_object("core12"));
  if (core) {
    HALYARD_TRY_ASSIGN(const std::optional<JsonObject> section,
                       core->optional_object("properties"));
    if (section) {
      HALYARD_TRY_ASSIGN(texts[0], text_of(*section, "driverName"));
      HALYARD_TRY_ASSIGN(texts[1], text_of(*section, "driverInfo"));
    }
  }
  HALYARD_TRY_ASSIGN(const std::string version, text_of(properties, "driverVersionText"));
  if (!version.empty()) texts.push_back(concat("(driver version ", version, ')'));
  return words(texts);
}

Result<std::string> system_of(const JsonObject& document) {
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> environment,
                     document.optional_object("environment"));
  if (!environment) return std::string();
  std::vector<std::string> texts(3);
  HALYARD_TRY_ASSIGN(texts[0], text_of(*environment, "name"));
  HALYARD_TRY_ASSIGN(texts[1], text_of(*environment, "version"));
  HALYARD_TRY_ASSIGN(texts[2], text_of(*environment, "architecture"));
  return words(texts);
}

// "38847" of "nvidia-rtx-5090-windows.gpuinfo-38847.json", or "".
std::string_view report_number(std::string_view source_name) {
  constexpr std::string_view kMark = "gpuinfo-";
  constexpr std::size_t kMostDigits = 12;
  const std::size_t at = source_name.rfind(kMark);
  if (at == std::string_view::npos) return {};
  std::string_view digits = source_name.substr(at + kMark.size());
  digits = digits.substr(0, std::min(digits.find_first_not_of("0123456789"), digits.size()));
  return digits.size() <= kMostDigits ? digits : std::string_view();
}

DescriptorSource source_of(std::string_view text, std::string_view source_name) {
  DescriptorSource source;
  source.sha256 = base::to_hex(base::Sha256::of(text));
  const std::string_view number = report_number(source_name);
  if (number.empty()) {
    source.title = "Report of the Vulkan Hardware Capability Viewer";
    return source;
  }
  source.title = concat("Vulkan hardware database by Sascha Willems, report ", number);
  source.url = concat("https://vulkan.gpuinfo.org/displayreport.php?id=", number);
  source.licence = "CC BY 4.0";
  return source;
}

Result<std::vector<VulkanQueueFamily>> queue_families_of(const JsonObject& document) {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> list, document.optional_objects("queues"));
  std::vector<VulkanQueueFamily> families;
  for (const JsonObject& entry : list) {
    HALYARD_TRY_ASSIGN(const VulkanQueueFamily family, read_vulkan_queue_family(entry));
    families.push_back(family);
  }
  return families;
}

Result<std::vector<VulkanMemoryHeap>> heaps_of(const JsonObject& memory) {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> list, memory.required_objects("memoryHeaps"));
  std::vector<VulkanMemoryHeap> heaps;
  for (const JsonObject& entry : list) {
    const std::optional<VulkanMember> flags = VulkanMember::of(entry, "flags");
    const std::optional<VulkanMember> size = VulkanMember::of(entry, "size");
    if (!flags) return entry.error("flags", "is missing");
    if (!size) return entry.error("size", "is missing");
    HALYARD_TRY_ASSIGN(const std::uint64_t bits, flags->number(kMost32));
    VulkanMemoryHeap heap;
    heap.flags = static_cast<std::uint32_t>(bits);
    HALYARD_TRY_ASSIGN(heap.size_bytes, size->number());
    heaps.push_back(heap);
  }
  return heaps;
}

Result<VulkanReportIdentity> identity_of(const JsonObject& document, std::string_view text,
                                         std::string_view source_name) {
  VulkanReportIdentity identity;
  HALYARD_TRY_ASSIGN(const JsonObject properties, document.required_object("properties"));
  const std::optional<VulkanMember> vendor = VulkanMember::of(properties, "vendorID");
  if (!vendor) return properties.error("vendorID", "is missing");
  HALYARD_TRY_ASSIGN(identity.vendor_id, vendor->number(kMost32));
  const std::optional<VulkanMember> device = VulkanMember::of(properties, "deviceID");
  if (device) {
    HALYARD_TRY_ASSIGN(identity.device_id, device->number(kMost32));
  }
  HALYARD_TRY_ASSIGN(identity.name, text_of(properties, "deviceName"));
  HALYARD_TRY_ASSIGN(identity.driver, driver_of(document, properties));
  HALYARD_TRY_ASSIGN(identity.system, system_of(document));
  identity.source = source_of(text, source_name);
  const std::string_view number = report_number(source_name);
  if (!number.empty()) identity.alias = concat("gpuinfo-", number);
  return identity;
}

}  // namespace

Result<Descriptor> read_vulkan_report(std::string_view text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value value, base::parse_json(text, source_name));
  HALYARD_TRY_ASSIGN(const JsonObject root, JsonObject::from(value, source_name));
  HALYARD_TRY_ASSIGN(const GpuinfoDocument document, GpuinfoDocument::open(root));
  HALYARD_TRY_ASSIGN(VulkanFacts facts, read_vulkan_facts(document));
  if (root.has("queues")) {
    HALYARD_TRY_ASSIGN(facts.queue_families, queue_families_of(root));
  }
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> memory, root.optional_object("memory"));
  if (memory) {
    HALYARD_TRY_ASSIGN(facts.heaps, heaps_of(*memory));
  }
  HALYARD_TRY_ASSIGN(const VulkanReportIdentity identity, identity_of(root, text, source_name));
  return describe_vulkan_report(facts, identity);
}

}  // namespace halyard::descriptors
