// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_json.h"
#include "capability-descriptors/vulkan_report.h"
#include "runtime/base/file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace halyard::descriptors {
namespace {

using Key = CapabilityKey;
using Texts = std::vector<std::string>;

std::string fixture() {
  return base::read_text_file(HALYARD_DESCRIPTOR_FIXTURES "/vulkan/acme_profile.json", 1 << 20)
      .value();
}

// The fixture with the first `from` replaced by `to`.
std::string with(const std::string& from, const std::string& to) {
  std::string text = fixture();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Descriptor read(const std::string& text) {
  return read_vulkan_profile(text, "acme.json").value();
}

TEST(VulkanProfile, NameDriverAndSystemAreThoseOfTheLabel) {
  const Descriptor descriptor = read(fixture());
  EXPECT_EQ(descriptor.id, "report/apple-acme-anvil-5");
  EXPECT_EQ(descriptor.name, "Acme(R) Anvil 5");
  EXPECT_EQ(descriptor.vendor, "Apple");
  EXPECT_EQ(descriptor.version, "2026-06-22");
  EXPECT_TRUE(descriptor.products.empty());
  EXPECT_EQ(descriptor.notes[0].text,
            "Reported by Anvilkrisp sdk-1.4 (driver version 26.0.99) on Macos 26.4.1.");
  const DescriptorSource& source = descriptor.sources[0];
  EXPECT_EQ(source.title, "Vulkan hardware database by Sascha Willems, profile VP_GPUINFO_Acme");
  EXPECT_EQ(source.licence, "CC BY 4.0");
  EXPECT_EQ(source.date, "2026-06-22");
}

TEST(VulkanProfile, NameOfTheDeviceStandsOverTheLabel) {
  const Descriptor descriptor = read(with("\"vendorID\": 4203",
                                          "\"vendorID\": 4203, \"deviceName\": \"Anvil V\", "
                                          "\"deviceID\": 9, "
                                          "\"deviceType\": \"VK_PHYSICAL_DEVICE_TYPE_CPU\""));
  EXPECT_EQ(descriptor.name, "Anvil V");
  EXPECT_EQ(descriptor.products[0].pci_ids, Texts{"106b:0009"});
  EXPECT_TRUE(descriptor.capabilities.has(Key::kMemoryUnified));
  EXPECT_EQ(read(with(" driver 26.0.99 on Macos 26.4.1", "")).name, "Acme(R) Anvil 5");
}

TEST(VulkanProfile, WhatNoProfileSaysIsMissing) {
  EXPECT_EQ(read(fixture()).missing,
            (Texts{"compute.units", "memory.total_bytes", "memory.unified"}));
}

TEST(VulkanProfile, ListsOfBitNamesAreRead) {
  const Descriptor descriptor = read(fixture());
  EXPECT_EQ(descriptor.capabilities.number(Key::kSubgroupArithmetic), 0);
  EXPECT_TRUE(descriptor.capabilities.has(Key::kSubgroupShuffle));
  // "All stages" stands in lists without the stage that kernels run in.
  EXPECT_EQ(descriptor.capabilities.number(Key::kSubgroupSizeControl), 0);
  EXPECT_EQ(descriptor.capabilities.number(Key::kSubgroupSizeMin), 32);
  EXPECT_TRUE(read(with("[\"VK_SHADER_STAGE_ALL\"]", "[\"VK_SHADER_STAGE_COMPUTE_BIT\"]"))
                  .capabilities.has(Key::kSubgroupSizeControl));
}

TEST(VulkanProfile, StructuresOfExtensionsCountWithAndWithoutSuffix) {
  const Descriptor descriptor = read(fixture());
  EXPECT_TRUE(descriptor.capabilities.has(Key::kStorage16bit));
  EXPECT_EQ(descriptor.capabilities.number(Key::kStorage8bit), 0);
  EXPECT_EQ(descriptor.capabilities.number(Key::kLimitAllocationBytes), 2147483648);
  EXPECT_EQ(descriptor.capabilities.number(Key::kSubgroupSize), 32);
  EXPECT_EQ(descriptor.capabilities.number(Key::kMatrixCooperative), 0);
  EXPECT_TRUE(descriptor.capabilities.has(Key::kVulkanPushDescriptor));
}

TEST(VulkanProfile, TimestampsWithoutBitsAreUnsupported) {
  EXPECT_EQ(read(fixture()).capabilities.number(Key::kClockTimestampPeriodNs), 0);
  EXPECT_EQ(read(with("\"timestampValidBits\": 0", "\"timestampValidBits\": 64"))
                .capabilities.number(Key::kClockTimestampPeriodNs),
            1);
}

TEST(VulkanProfile, WhatIsReadCanBeWrittenAndReadAgain) {
  const std::string text = write_descriptor(read(fixture()));
  const auto again = parse_descriptor(text, "d.json");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(write_descriptor(*again), text);
}

TEST(VulkanProfile, ProfileAboutNoOneDeviceIsUnsupported) {
  const auto refusal = [](const std::string& text) {
    const auto descriptor = read_vulkan_profile(text, "p.json");
    if (descriptor) return std::string("accepted");
    EXPECT_EQ(descriptor.error().code(), base::ErrorCode::kUnsupported);
    return descriptor.error().message();
  };
  EXPECT_EQ(refusal(with("\"vendorID\": 4203,", "")),
            "p.json: /capabilities/device/properties has no vendorID in "
            "VkPhysicalDeviceProperties, so the profile is about no device.");
  EXPECT_EQ(refusal(with("\"profiles\": {", "\"profiles\": {\"VP_OTHER\": {},")),
            "p.json: /profiles holds 2 profiles, where the profile of a device holds one.");
  EXPECT_EQ(refusal(with("\"capabilities\": {", "\"capabilities\": {\"baseline\": {},")),
            "p.json: /capabilities holds 2 sets, where the profile of a device holds one.");
}

TEST(VulkanProfile, WrongFormsAreRefusedWithTheirPlace) {
  const auto refusal = [](const std::string& text) {
    const auto descriptor = read_vulkan_profile(text, "p.json");
    if (descriptor) return std::string("accepted");
    EXPECT_EQ(descriptor.error().code(), base::ErrorCode::kCorruptData);
    return descriptor.error().message();
  };
  EXPECT_EQ(refusal("{}"), "p.json: /profiles is missing.");
  EXPECT_EQ(refusal(with("[\"VK_QUEUE_GRAPHICS_BIT\", \"VK_QUEUE_COMPUTE_BIT\"]", "[1]")),
            "p.json: /capabilities/device/queueFamiliesProperties/0/VkQueueFamilyProperties/"
            "queueFlags is a list of something else than names of bits.");
  EXPECT_EQ(refusal(with("\"timestampPeriod\": 1", "\"timestampPeriod\": \"1\"")),
            "p.json: /capabilities/device/properties/VkPhysicalDeviceProperties/limits/"
            "timestampPeriod is a string, no number.");
  EXPECT_EQ(refusal(with("\"VkPhysicalDeviceVulkan12Features\": {",
                         "\"VkPhysicalDeviceVulkan12Features\": [], \"x\": {")),
            "p.json: /capabilities/device/features/VkPhysicalDeviceVulkan12Features is an array, "
            "not an object.");
}

}  // namespace
}  // namespace halyard::descriptors
