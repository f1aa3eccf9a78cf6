// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/vulkan_facts.h"
#include "runtime/base/json.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace halyard::descriptors {

// A member of a JSON object that is there and not null. Borrows the document.
class VulkanMember {
 public:
  // The member, or nothing.
  static std::optional<VulkanMember> of(const base::JsonObject& object, std::string_view name);

  // A whole number, also as a decimal or hexadecimal text ("0x3fa9b5000").
  base::Result<std::uint64_t> number(
      std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  // A number, or a list of names of bits, of which only those that vulkan_facts.h has count.
  base::Result<std::uint64_t> bits() const;
  // A boolean, also as 0, 1 or a text.
  base::Result<bool> flag() const;
  base::Result<double> fraction() const;
  // Of at most 256 bytes, which is Vulkan's own limit; runs of blanks are one blank.
  base::Result<std::string> text() const;

  const boost::json::value& value() const { return *value_; }
  base::Error error(std::string_view what) const { return object_.error(name_, what); }

 private:
  VulkanMember(base::JsonObject object, std::string_view name, const boost::json::value& value)
      : object_(std::move(object)),
        name_(name),
        value_(&value) {}

  base::JsonObject object_;
  std::string name_;
  const boost::json::value* value_;
};

// Where Vulkan has a feature or property besides the structures of its first version.
struct VulkanPlace {
  std::uint32_t core_minor;     // of the version whose structure holds it: 1 to 3; 0: none
  std::string_view extension;   // "VK_KHR_16bit_storage"
  std::string_view structure;   // "VkPhysicalDevice16BitStorageFeaturesKHR"
  std::string_view other_name;  // in the extension's structure, where that differs
};

// A document about one device, in whichever form; says where in it Vulkan's members stand.
class VulkanDocument {
 public:
  virtual ~VulkanDocument() = default;

  // Nothing for a member that the document lacks.
  // Errors: kCorruptData where something else stands in its place.
  using Found = base::Result<std::optional<VulkanMember>>;
  // Of VkPhysicalDeviceProperties, its limits, and VkPhysicalDeviceFeatures.
  virtual Found base_property(std::string_view name) const = 0;
  virtual Found limit(std::string_view name) const = 0;
  virtual Found base_feature(std::string_view name) const = 0;
  virtual Found feature(const VulkanPlace& place, std::string_view name) const = 0;
  virtual Found property(const VulkanPlace& place, std::string_view name) const = 0;

  // Nothing where the document lists no extensions.
  virtual std::optional<bool> has_extension(std::string_view name) const = 0;
};

// All facts but queue families and heaps. A feature of an extension that the document says the
// device lacks is false.
base::Result<VulkanFacts> read_vulkan_facts(const VulkanDocument& document);

// A queue family of {queueFlags, queueCount, timestampValidBits}.
base::Result<VulkanQueueFamily> read_vulkan_queue_family(const base::JsonObject& object);

}  // namespace halyard::descriptors
