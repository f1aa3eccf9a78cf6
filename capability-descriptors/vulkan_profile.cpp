// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/vulkan_descriptor.h"
#include "capability-descriptors/vulkan_document.h"
#include "capability-descriptors/vulkan_report.h"
#include "runtime/base/sha256.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cctype>
#include <limits>
#include <utility>

namespace halyard::descriptors {
namespace {

namespace json = boost::json;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::JsonObject;
using base::Result;

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

// The form of the Khronos Vulkan Profiles: Vulkan's structures by their names.
class ProfileDocument final : public VulkanDocument {
 public:
  explicit ProfileDocument(const JsonObject& capabilities) : capabilities_(capabilities) {}

  Found base_property(std::string_view name) const override {
    return in_structure("properties", "VkPhysicalDeviceProperties", name);
  }
  Found limit(std::string_view name) const override {
    HALYARD_TRY_ASSIGN(const std::optional<JsonObject> structure,
                       structure_of("properties", "VkPhysicalDeviceProperties"));
    if (!structure) return std::optional<VulkanMember>();
    HALYARD_TRY_ASSIGN(const std::optional<JsonObject> limits,
                       structure->optional_object("limits"));
    if (!limits) return std::optional<VulkanMember>();
    return VulkanMember::of(*limits, name);
  }
  Found base_feature(std::string_view name) const override {
    return in_structure("features", "VkPhysicalDeviceFeatures", name);
  }
  Found feature(const VulkanPlace& place, std::string_view name) const override {
    return find(place, name, "features", "Features");
  }
  Found property(const VulkanPlace& place, std::string_view name) const override {
    return find(place, name, "properties", "Properties");
  }
  std::optional<bool> has_extension(std::string_view name) const override {
    const json::value* const list = capabilities_.find("extensions");
    if (list == nullptr || !list->is_object()) return std::nullopt;
    return list->get_object().contains(json::string_view(name.data(), name.size()));
  }

 private:
  Result<std::optional<JsonObject>> structure_of(std::string_view section,
                                                 std::string_view structure) const {
    HALYARD_TRY_ASSIGN(const std::optional<JsonObject> object,
                       capabilities_.optional_object(section));
    if (!object) return std::optional<JsonObject>();
    return object->optional_object(structure);
  }

  Found in_structure(std::string_view section, std::string_view structure,
                     std::string_view name) const {
    HALYARD_TRY_ASSIGN(const std::optional<JsonObject> object, structure_of(section, structure));
    if (!object) return std::optional<VulkanMember>();
    return VulkanMember::of(*object, name);
  }

  // In the structure of the version, that of the extension, or the latter without its suffix.
  Found find(const VulkanPlace& place, std::string_view name, std::string_view section,
             std::string_view kind) const {
    if (place.core_minor != 0) {
      const std::string core = concat("VkPhysicalDeviceVulkan1", place.core_minor, kind);
      HALYARD_TRY_ASSIGN(std::optional<VulkanMember> member, in_structure(section, core, name));
      if (member) return member;
    }
    const std::string_view own = place.other_name.empty() ? name : place.other_name;
    HALYARD_TRY_ASSIGN(std::optional<VulkanMember> member,
                       in_structure(section, place.structure, own));
    if (member) return member;
    const std::size_t suffix = place.structure.rfind(kind) + kind.size();
    return in_structure(section, place.structure.substr(0, suffix), own);
  }

  JsonObject capabilities_;
};

Error no_device(const JsonObject& object, std::string_view name, std::string_view what) {
  return Error(ErrorCode::kUnsupported, object.error(name, what).message());
}

// The only member of an object member.
Result<std::pair<std::string, JsonObject>> only_member(const JsonObject& parent,
                                                       std::string_view name,
                                                       std::string_view what) {
  HALYARD_TRY_ASSIGN(const JsonObject list, parent.required_object(name));
  if (list.members().size() != 1) {
    return no_device(parent, name,
                     concat("holds ", list.members().size(), ' ', what,
                            ", where the profile of a device holds one"));
  }
  std::string key(list.members().begin()->key());
  HALYARD_TRY_ASSIGN(const JsonObject member, list.required_object(key));
  return std::pair(std::move(key), member);
}

bool is_day(std::string_view text) {
  if (text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 4 || i == 7;
    if (is_dash ? text[i] != '-' : std::isdigit(static_cast<unsigned char>(text[i])) == 0) {
      return false;
    }
  }
  return true;
}

// Of the latest revision that says one.
Result<std::string> date_of(const JsonObject& profile) {
  std::string latest;
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> revisions, profile.optional_objects("history"));
  for (const JsonObject& revision : revisions) {
    HALYARD_TRY_ASSIGN(std::string date, revision.optional_string("date", ""));
    if (is_day(date) && latest < date) latest = std::move(date);
  }
  return latest;
}

Result<std::string> member_text(VulkanDocument::Found found) {
  if (!found) return std::move(found.error());
  if (!*found) return std::string();
  return (*found)->text();
}

// The label is "<device> driver <version> on <system>": no other member has the device's name.
void split_label(std::string_view label, VulkanReportIdentity& identity) {
  constexpr std::string_view kDriver = " driver ";
  constexpr std::string_view kSystem = " on ";
  const std::size_t driver = label.find(kDriver);
  if (driver == std::string_view::npos) {
    identity.name = label;
    return;
  }
  identity.name = label.substr(0, driver);
  std::string_view rest = label.substr(driver + kDriver.size());
  const std::size_t system = rest.find(kSystem);
  if (system != std::string_view::npos) {
    identity.system = rest.substr(system + kSystem.size());
    rest = rest.substr(0, system);
  }
  identity.driver = concat("(driver version ", rest, ')');
}

Result<VulkanReportIdentity> identity_of(const JsonObject& profile, const std::string& name,
                                         const ProfileDocument& document) {
  constexpr VulkanPlace kDriver = {2, "VK_KHR_driver_properties",
                                   "VkPhysicalDeviceDriverPropertiesKHR", ""};
  VulkanReportIdentity identity;
  const std::optional<VulkanMember> label = VulkanMember::of(profile, "label");
  if (label) {
    HALYARD_TRY_ASSIGN(const std::string text, label->text());
    split_label(text, identity);
  }
  HALYARD_TRY_ASSIGN(const std::string device, member_text(document.base_property("deviceName")));
  if (!device.empty()) identity.name = device;
  HALYARD_TRY_ASSIGN(const auto device_id, document.base_property("deviceID"));
  if (device_id) {
    HALYARD_TRY_ASSIGN(identity.device_id, device_id->number(kMost32));
  }
  HALYARD_TRY_ASSIGN(const std::string driver,
                     member_text(document.property(kDriver, "driverName")));
  HALYARD_TRY_ASSIGN(const std::string info, member_text(document.property(kDriver, "driverInfo")));
  for (const std::string& text : {info, driver}) {
    if (text.empty()) continue;
    identity.driver = identity.driver.empty() ? text : concat(text, ' ', identity.driver);
  }
  HALYARD_TRY_ASSIGN(identity.date, date_of(profile));
  HALYARD_TRY_ASSIGN(const std::string description, profile.optional_string("description", ""));
  const bool is_gpuinfo = description.find("vulkan.gpuinfo.org") != std::string::npos;
  identity.source.title = concat(
      is_gpuinfo ? "Vulkan hardware database by Sascha Willems, profile " : "Vulkan profile ",
      std::string_view(name).substr(0, 256));
  if (is_gpuinfo) {
    identity.source.url = "https://vulkan.gpuinfo.org";
    identity.source.licence = "CC BY 4.0";
  }
  identity.source.date = identity.date;
  return identity;
}

Result<std::vector<VulkanQueueFamily>> queue_families_of(const JsonObject& capabilities) {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> list,
                     capabilities.required_objects("queueFamiliesProperties"));
  std::vector<VulkanQueueFamily> families;
  for (const JsonObject& entry : list) {
    HALYARD_TRY_ASSIGN(const JsonObject properties,
                       entry.required_object("VkQueueFamilyProperties"));
    HALYARD_TRY_ASSIGN(const VulkanQueueFamily family, read_vulkan_queue_family(properties));
    families.push_back(family);
  }
  return families;
}

}  // namespace

Result<Descriptor> read_vulkan_profile(std::string_view text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value value, base::parse_json(text, source_name));
  HALYARD_TRY_ASSIGN(const JsonObject root, JsonObject::from(value, source_name));
  HALYARD_TRY_ASSIGN(const auto profile, only_member(root, "profiles", "profiles"));
  HALYARD_TRY_ASSIGN(const auto capabilities, only_member(root, "capabilities", "sets"));
  const ProfileDocument document(capabilities.second);
  HALYARD_TRY_ASSIGN(const std::optional<VulkanMember> vendor, document.base_property("vendorID"));
  if (!vendor) {
    return no_device(capabilities.second, "properties",
                     "has no vendorID in VkPhysicalDeviceProperties, so the profile is about no "
                     "device");
  }
  HALYARD_TRY_ASSIGN(VulkanFacts facts, read_vulkan_facts(document));
  if (capabilities.second.has("queueFamiliesProperties")) {
    HALYARD_TRY_ASSIGN(facts.queue_families, queue_families_of(capabilities.second));
  }
  HALYARD_TRY_ASSIGN(VulkanReportIdentity identity,
                     identity_of(profile.second, profile.first, document));
  HALYARD_TRY_ASSIGN(identity.vendor_id, vendor->number(kMost32));
  identity.source.sha256 = base::to_hex(base::Sha256::of(text));
  return describe_vulkan_report(facts, identity);
}

}  // namespace halyard::descriptors
