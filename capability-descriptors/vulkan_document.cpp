// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/vulkan_document.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <charconv>
#include <cmath>
#include <utility>

namespace halyard::descriptors {
namespace {

namespace json = boost::json;
using base::concat;
using base::Result;
using base::Status;

constexpr std::size_t kLongestText = 256;
constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

struct BitName {
  std::string_view name;
  std::uint32_t bit;
};

constexpr auto kBitNames = std::to_array<BitName>({
    {"VK_QUEUE_GRAPHICS_BIT", kVulkanQueueGraphics},
    {"VK_QUEUE_COMPUTE_BIT", kVulkanQueueCompute},
    {"VK_SHADER_STAGE_COMPUTE_BIT", kVulkanStageCompute},
    {"VK_SUBGROUP_FEATURE_ARITHMETIC_BIT", kVulkanSubgroupArithmetic},
    {"VK_SUBGROUP_FEATURE_SHUFFLE_BIT", kVulkanSubgroupShuffle},
    {"VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT", kVulkanSubgroupShuffleRelative},
});

// The values of VkPhysicalDeviceType, in order.
constexpr auto kTypeNames = std::to_array<std::string_view>({
    "VK_PHYSICAL_DEVICE_TYPE_OTHER",
    "VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU",
    "VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU",
    "VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU",
    "VK_PHYSICAL_DEVICE_TYPE_CPU",
});

constexpr VulkanPlace k16BitStorage = {1, "VK_KHR_16bit_storage",
                                       "VkPhysicalDevice16BitStorageFeaturesKHR", ""};
constexpr VulkanPlace k8BitStorage = {2, "VK_KHR_8bit_storage",
                                      "VkPhysicalDevice8BitStorageFeaturesKHR", ""};
constexpr VulkanPlace kFloat16Int8 = {2, "VK_KHR_shader_float16_int8",
                                      "VkPhysicalDeviceShaderFloat16Int8FeaturesKHR", ""};
constexpr VulkanPlace kDeviceAddress = {2, "VK_KHR_buffer_device_address",
                                        "VkPhysicalDeviceBufferDeviceAddressFeaturesKHR", ""};
constexpr VulkanPlace kTimelineSemaphore = {2, "VK_KHR_timeline_semaphore",
                                            "VkPhysicalDeviceTimelineSemaphoreFeaturesKHR", ""};
constexpr VulkanPlace kSizeControlFeatures = {3, "VK_EXT_subgroup_size_control",
                                              "VkPhysicalDeviceSubgroupSizeControlFeaturesEXT", ""};
constexpr VulkanPlace kCooperativeMatrix = {0, "VK_KHR_cooperative_matrix",
                                            "VkPhysicalDeviceCooperativeMatrixFeaturesKHR", ""};

// The first version has no extension for subgroups.
constexpr std::string_view kSubgroupStructure = "VkPhysicalDeviceSubgroupProperties";
constexpr VulkanPlace kSizeControl = {3, "VK_EXT_subgroup_size_control",
                                      "VkPhysicalDeviceSubgroupSizeControlPropertiesEXT", ""};
constexpr VulkanPlace kMaintenance3 = {1, "VK_KHR_maintenance3",
                                       "VkPhysicalDeviceMaintenance3PropertiesKHR", ""};
constexpr VulkanPlace kMaintenance4 = {3, "VK_KHR_maintenance4",
                                       "VkPhysicalDeviceMaintenance4PropertiesKHR", ""};
constexpr VulkanPlace kAmdCores = {0, "VK_AMD_shader_core_properties",
                                   "VkPhysicalDeviceShaderCorePropertiesAMD", ""};
constexpr VulkanPlace kNvidiaCores = {0, "VK_NV_shader_sm_builtins",
                                      "VkPhysicalDeviceShaderSMBuiltinsPropertiesNV", ""};

struct FeatureRow {
  VulkanFacts::Flag VulkanFacts::*fact;
  VulkanPlace place;
  std::string_view name;
};

constexpr auto kFeatures = std::to_array<FeatureRow>({
    {&VulkanFacts::float16, kFloat16Int8, "shaderFloat16"},
    {&VulkanFacts::int8, kFloat16Int8, "shaderInt8"},
    {&VulkanFacts::storage_buffer_16bit, k16BitStorage, "storageBuffer16BitAccess"},
    {&VulkanFacts::storage_buffer_8bit, k8BitStorage, "storageBuffer8BitAccess"},
    {&VulkanFacts::buffer_device_address, kDeviceAddress, "bufferDeviceAddress"},
    {&VulkanFacts::timeline_semaphore, kTimelineSemaphore, "timelineSemaphore"},
    {&VulkanFacts::subgroup_size_control, kSizeControlFeatures, "subgroupSizeControl"},
    {&VulkanFacts::cooperative_matrix, kCooperativeMatrix, "cooperativeMatrix"},
});

struct BaseFeatureRow {
  VulkanFacts::Flag VulkanFacts::*fact;
  std::string_view name;
};

constexpr auto kBaseFeatures = std::to_array<BaseFeatureRow>({
    {&VulkanFacts::float64, "shaderFloat64"},
    {&VulkanFacts::int64, "shaderInt64"},
    {&VulkanFacts::int16, "shaderInt16"},
});

struct PropertyRow {
  VulkanFacts::Number VulkanFacts::*fact;
  VulkanPlace place;
  std::string_view name;
  bool is_mask = false;
};

constexpr auto kProperties = std::to_array<PropertyRow>({
    {&VulkanFacts::subgroup_size, {1, "", kSubgroupStructure, "subgroupSize"}, "subgroupSize"},
    {&VulkanFacts::subgroup_stages,
     {1, "", kSubgroupStructure, "supportedStages"},
     "subgroupSupportedStages",
     true},
    {&VulkanFacts::subgroup_operations,
     {1, "", kSubgroupStructure, "supportedOperations"},
     "subgroupSupportedOperations",
     true},
    {&VulkanFacts::subgroup_size_min, kSizeControl, "minSubgroupSize"},
    {&VulkanFacts::subgroup_size_max, kSizeControl, "maxSubgroupSize"},
    {&VulkanFacts::subgroup_size_stages, kSizeControl, "requiredSubgroupSizeStages", true},
    {&VulkanFacts::allocation_bytes, kMaintenance3, "maxMemoryAllocationSize"},
    {&VulkanFacts::buffer_bytes, kMaintenance4, "maxBufferSize"},
    {&VulkanFacts::amd_engines, kAmdCores, "shaderEngineCount"},
    {&VulkanFacts::amd_arrays_per_engine, kAmdCores, "shaderArraysPerEngineCount"},
    {&VulkanFacts::amd_units_per_array, kAmdCores, "computeUnitsPerShaderArray"},
    {&VulkanFacts::nvidia_multiprocessors, kNvidiaCores, "shaderSMCount"},
});

struct LimitRow {
  VulkanFacts::Number VulkanFacts::*fact;
  std::string_view name;
};

constexpr auto kLimits = std::to_array<LimitRow>({
    {&VulkanFacts::workgroup_invocations, "maxComputeWorkGroupInvocations"},
    {&VulkanFacts::shared_bytes, "maxComputeSharedMemorySize"},
    {&VulkanFacts::push_constant_bytes, "maxPushConstantsSize"},
    {&VulkanFacts::storage_buffer_range, "maxStorageBufferRange"},
    {&VulkanFacts::storage_buffer_alignment, "minStorageBufferOffsetAlignment"},
});

std::optional<std::uint64_t> parse_number(std::string_view text) {
  const auto type = std::find(kTypeNames.begin(), kTypeNames.end(), text);
  if (type != kTypeNames.end()) return static_cast<std::uint64_t>(type - kTypeNames.begin());
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (is_hexadecimal) text.remove_prefix(2);
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number, is_hexadecimal ? 16 : 10);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> whole_number(const json::value& value) {
  constexpr double kAllDoubles = 0x1p64;
  if (value.is_uint64()) return value.get_uint64();
  if (value.is_int64() && value.get_int64() >= 0) {
    return static_cast<std::uint64_t>(value.get_int64());
  }
  if (value.is_double()) {
    const double number = value.get_double();
    if (number >= 0 && number < kAllDoubles && number == std::floor(number)) {
      return static_cast<std::uint64_t>(number);
    }
  }
  if (value.is_string()) return parse_number(value.get_string());
  return std::nullopt;
}

std::optional<std::uint64_t> bits_of(const json::array& names) {
  std::uint64_t bits = 0;
  for (const json::value& name : names) {
    if (!name.is_string()) return std::nullopt;
    for (const BitName& known : kBitNames) {
      if (known.name == std::string_view(name.get_string())) bits |= known.bit;
    }
  }
  return bits;
}

// Three numbers, for the dimensions of a grid or a workgroup.
Status read_dimensions(const VulkanDocument& document, std::string_view name,
                       std::array<VulkanFacts::Number, 3>& numbers) {
  HALYARD_TRY_ASSIGN(const std::optional<VulkanMember> member, document.limit(name));
  if (!member) return base::ok();
  const json::array* const list = member->value().if_array();
  if (list == nullptr || list->size() != numbers.size()) {
    return member->error("is no list of three numbers");
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = whole_number((*list)[i]);
    if (!numbers[i]) return member->error("is no list of three numbers");
  }
  return base::ok();
}

Status read_features(const VulkanDocument& document, VulkanFacts& facts) {
  for (const BaseFeatureRow& row : kBaseFeatures) {
    HALYARD_TRY_ASSIGN(const std::optional<VulkanMember> member, document.base_feature(row.name));
    if (!member) continue;
    HALYARD_TRY_ASSIGN(facts.*row.fact, member->flag());
  }
  for (const FeatureRow& row : kFeatures) {
    HALYARD_TRY_ASSIGN(const std::optional<VulkanMember> member,
                       document.feature(row.place, row.name));
    if (member) {
      HALYARD_TRY_ASSIGN(facts.*row.fact, member->flag());
      continue;
    }
    const std::uint32_t minor = row.place.core_minor;
    const bool may_be_core =
        minor != 0 && (!facts.api_version || *facts.api_version >= vulkan_version(1, minor));
    if (!may_be_core && document.has_extension(row.place.extension) == false) {
      facts.*row.fact = false;
    }
  }
  facts.push_descriptor = document.has_extension("VK_KHR_push_descriptor");
  return base::ok();
}

}  // namespace

std::optional<VulkanMember> VulkanMember::of(const base::JsonObject& object,
                                             std::string_view name) {
  const json::value* const value = object.find(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return VulkanMember(object, name, *value);
}

Result<std::uint64_t> VulkanMember::number(std::uint64_t most) const {
  const std::optional<std::uint64_t> number = whole_number(*value_);
  if (!number) return error(concat("is ", base::json_kind_name(*value_), ", no whole number"));
  if (*number > most) return error(concat("is ", *number, ", more than ", most));
  return *number;
}

Result<std::uint64_t> VulkanMember::bits() const {
  const json::array* const names = value_->if_array();
  if (names == nullptr) return number(kMost32);
  const std::optional<std::uint64_t> bits = bits_of(*names);
  if (!bits) return error("is a list of something else than names of bits");
  return *bits;
}

Result<bool> VulkanMember::flag() const {
  if (value_->is_bool()) return value_->get_bool();
  if (value_->is_string()) {
    if (value_->get_string() == "true") return true;
    if (value_->get_string() == "false") return false;
  }
  const std::optional<std::uint64_t> number = whole_number(*value_);
  if (!number || *number > 1) return error("is neither true nor false");
  return *number == 1;
}

Result<double> VulkanMember::fraction() const {
  if (!value_->is_number()) {
    return error(concat("is ", base::json_kind_name(*value_), ", no number"));
  }
  return value_->to_number<double>();
}

Result<std::string> VulkanMember::text() const {
  if (!value_->is_string()) {
    return error(concat("is ", base::json_kind_name(*value_), ", no string"));
  }
  const std::string_view whole = value_->get_string();
  if (whole.size() > kLongestText) {
    return error(concat("has ", whole.size(), " bytes, more than ", kLongestText));
  }
  std::string text;
  for (const char c : whole) {
    const bool is_blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
    if (is_blank && (text.empty() || text.back() == ' ')) continue;
    text.push_back(is_blank ? ' ' : c);
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

Result<VulkanFacts> read_vulkan_facts(const VulkanDocument& document) {
  VulkanFacts facts;
  HALYARD_TRY_ASSIGN(const auto version, document.base_property("apiVersion"));
  if (version) {
    HALYARD_TRY_ASSIGN(facts.api_version, version->number(kMost32));
  }
  HALYARD_TRY_ASSIGN(const auto type, document.base_property("deviceType"));
  if (type) {
    HALYARD_TRY_ASSIGN(facts.device_type, type->number(kMost32));
  }
  HALYARD_TRY(read_features(document, facts));
  for (const PropertyRow& row : kProperties) {
    HALYARD_TRY_ASSIGN(const auto member, document.property(row.place, row.name));
    if (!member) continue;
    HALYARD_TRY_ASSIGN(facts.*row.fact, row.is_mask ? member->bits() : member->number());
  }
  for (const LimitRow& row : kLimits) {
    HALYARD_TRY_ASSIGN(const auto member, document.limit(row.name));
    if (!member) continue;
    HALYARD_TRY_ASSIGN(facts.*row.fact, member->number());
  }
  HALYARD_TRY(read_dimensions(document, "maxComputeWorkGroupSize", facts.workgroup_size));
  HALYARD_TRY(read_dimensions(document, "maxComputeWorkGroupCount", facts.grid));
  HALYARD_TRY_ASSIGN(const auto period, document.limit("timestampPeriod"));
  if (period) {
    HALYARD_TRY_ASSIGN(facts.timestamp_period_ns, period->fraction());
  }
  return facts;
}

Result<VulkanQueueFamily> read_vulkan_queue_family(const base::JsonObject& object) {
  VulkanQueueFamily family;
  for (const auto& [name, number] :
       {std::pair("queueFlags", &family.flags), std::pair("queueCount", &family.queue_count),
        std::pair("timestampValidBits", &family.timestamp_valid_bits)}) {
    const std::optional<VulkanMember> member = VulkanMember::of(object, name);
    if (!member) return object.error(name, "is missing");
    HALYARD_TRY_ASSIGN(const std::uint64_t value,
                       number == &family.flags ? member->bits() : member->number(kMost32));
    *number = static_cast<std::uint32_t>(value);
  }
  return family;
}

}  // namespace halyard::descriptors
