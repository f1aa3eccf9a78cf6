// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/vulkan_facts.h"

#include <gtest/gtest.h>

namespace halyard::descriptors {
namespace {

using Key = CapabilityKey;

// A set, or "unknown" for a key that is not in it.
std::string value_of(const CapabilitySet& set, Key key) {
  const Capability* const found = set.find(capability_key_info(key).name);
  if (found == nullptr) return "unknown";
  return found->kind == CapabilityKind::kText ? found->text : std::to_string(found->number);
}

VulkanFacts with_timestamps(double period, std::uint32_t bits) {
  VulkanFacts facts;
  facts.timestamp_period_ns = period;
  facts.queue_families = {{kVulkanQueueCompute, 1, bits}};
  return facts;
}

TEST(VulkanFacts, WhatIsNotKnownIsInNoSet) {
  EXPECT_TRUE(vulkan_capabilities({}).all().empty());
  VulkanFacts facts;
  facts.allocation_bytes = 7;
  const CapabilitySet set = vulkan_capabilities(facts);
  EXPECT_EQ(set.all().size(), 1U);
  EXPECT_EQ(set.number(Key::kLimitAllocationBytes), 7);
}

TEST(VulkanFacts, EveryListedKeyCanBeGiven) {
  VulkanFacts facts = with_timestamps(1, 64);
  for (auto flag :
       {&VulkanFacts::float16, &VulkanFacts::float64, &VulkanFacts::int64, &VulkanFacts::int16,
        &VulkanFacts::int8, &VulkanFacts::storage_buffer_16bit, &VulkanFacts::storage_buffer_8bit,
        &VulkanFacts::buffer_device_address, &VulkanFacts::subgroup_size_control,
        &VulkanFacts::cooperative_matrix, &VulkanFacts::push_descriptor})
    facts.*flag = true;
  for (auto number :
       {&VulkanFacts::api_version, &VulkanFacts::device_type, &VulkanFacts::subgroup_size,
        &VulkanFacts::subgroup_stages, &VulkanFacts::subgroup_operations,
        &VulkanFacts::subgroup_size_min, &VulkanFacts::subgroup_size_max,
        &VulkanFacts::subgroup_size_stages, &VulkanFacts::workgroup_invocations,
        &VulkanFacts::shared_bytes, &VulkanFacts::push_constant_bytes,
        &VulkanFacts::storage_buffer_range, &VulkanFacts::storage_buffer_alignment,
        &VulkanFacts::allocation_bytes, &VulkanFacts::nvidia_multiprocessors})
    facts.*number = 0xff;
  facts.workgroup_size.fill(1);
  facts.grid.fill(1);
  facts.heaps = {{kVulkanHeapDeviceLocal, 1}};
  const CapabilitySet set = vulkan_capabilities(facts);
  EXPECT_EQ(set.all().size(), vulkan_capability_keys().size());
  for (const Key key : vulkan_capability_keys())
    EXPECT_NE(value_of(set, key), "unknown") << capability_key_info(key).name;
}

TEST(VulkanFacts, MemoryIsTheLargestHeapOfTheDevice) {
  VulkanFacts facts;
  facts.heaps = {{0, 9000}, {3, 400}, {1, 400}, {1, 20}};
  EXPECT_EQ(vulkan_capabilities(facts).number(Key::kMemoryTotalBytes), 400);
  facts.heaps = {{0, 9000}};
  EXPECT_EQ(value_of(vulkan_capabilities(facts), Key::kMemoryTotalBytes), "unknown");
}

TEST(VulkanFacts, TimestampsAreUnsupportedWhereEitherNumberSaysSo) {
  for (const VulkanFacts& facts :
       {with_timestamps(0, 64), with_timestamps(1, 0), with_timestamps(-1, 64)}) {
    const CapabilitySet set = vulkan_capabilities(facts);
    EXPECT_EQ(set.number(Key::kClockTimestampPeriodNs), 0);
    EXPECT_EQ(set.number(Key::kClockTimestampValidBits), 0);
    EXPECT_EQ(set.number(Key::kClockTimestamps), 0);
  }
  VulkanFacts period_only;
  period_only.timestamp_period_ns = 0;
  EXPECT_EQ(vulkan_capabilities(period_only).number(Key::kClockTimestampValidBits), 0);
  const CapabilitySet set = vulkan_capabilities(with_timestamps(10, 36));
  EXPECT_EQ(set.number(Key::kClockTimestampPeriodNs), 10);
  EXPECT_EQ(set.number(Key::kClockTimestampValidBits), 36);
  EXPECT_TRUE(set.has(Key::kClockTimestamps));
  period_only.timestamp_period_ns = 1;
  EXPECT_EQ(value_of(vulkan_capabilities(period_only), Key::kClockTimestamps), "unknown");
}

TEST(VulkanFacts, ComputeQueueWithoutGraphicsIsTaken) {
  const auto family = [](std::initializer_list<VulkanQueueFamily> families) {
    return vulkan_compute_family({families.begin(), families.size()});
  };
  EXPECT_EQ(family({{7, 1, 0}, {6, 4, 0}, {2, 1, 0}}), 1U);
  EXPECT_EQ(family({{0, 1, 0}, {7, 1, 0}, {3, 1, 0}}), 1U);
  EXPECT_EQ(family({{7, 1, 0}, {6, 0, 0}}), 0U);
  EXPECT_EQ(family({{1, 1, 0}, {8, 1, 0}}), std::nullopt);
  EXPECT_EQ(family({}), std::nullopt);
}

TEST(VulkanFacts, SubgroupSizeIsFixedWhereComputeCannotRequireOne) {
  VulkanFacts facts;
  facts.subgroup_size = 32;
  facts.subgroup_size_min = 4;
  facts.subgroup_size_max = 64;
  facts.subgroup_size_control = true;
  EXPECT_EQ(value_of(vulkan_capabilities(facts), Key::kSubgroupSizeControl), "unknown");
  EXPECT_EQ(value_of(vulkan_capabilities(facts), Key::kSubgroupSizeMin), "unknown");
  facts.subgroup_size_stages = 0x1f;
  EXPECT_FALSE(vulkan_capabilities(facts).has(Key::kSubgroupSizeControl));
  EXPECT_EQ(vulkan_capabilities(facts).number(Key::kSubgroupSizeMin), 32);
  EXPECT_EQ(vulkan_capabilities(facts).number(Key::kSubgroupSizeMax), 32);
  facts.subgroup_size_stages = kVulkanStageCompute;
  EXPECT_TRUE(vulkan_capabilities(facts).has(Key::kSubgroupSizeControl));
  EXPECT_EQ(vulkan_capabilities(facts).number(Key::kSubgroupSizeMin), 4);
  EXPECT_EQ(vulkan_capabilities(facts).number(Key::kSubgroupSizeMax), 64);
}

TEST(VulkanFacts, SubgroupOperationsMustBeThereForCompute) {
  VulkanFacts facts;
  facts.subgroup_stages = kVulkanStageCompute;
  facts.subgroup_operations = kVulkanSubgroupArithmetic | kVulkanSubgroupShuffle;
  EXPECT_TRUE(vulkan_capabilities(facts).has(Key::kSubgroupArithmetic));
  EXPECT_FALSE(vulkan_capabilities(facts).has(Key::kSubgroupShuffle));
  facts.subgroup_operations = 0xff;
  facts.subgroup_stages = 0x10;
  EXPECT_EQ(value_of(vulkan_capabilities(facts), Key::kSubgroupShuffle), std::to_string(0.0));
}

TEST(VulkanFacts, SmallerOfAllocationAndBufferCounts) {
  VulkanFacts facts;
  facts.allocation_bytes = 100;
  facts.buffer_bytes = 0;
  EXPECT_EQ(vulkan_capabilities(facts).number(Key::kLimitAllocationBytes), 100);
  facts.buffer_bytes = 60;
  EXPECT_EQ(vulkan_capabilities(facts).number(Key::kLimitAllocationBytes), 60);
}

TEST(VulkanFacts, RefusalSaysWhatIsLacking) {
  VulkanFacts facts;
  EXPECT_EQ(vulkan_refusal(facts), "");
  facts.queue_families = {{kVulkanQueueGraphics, 1, 64}};
  EXPECT_EQ(vulkan_refusal(facts), "The device has no compute queue.");
  facts.timeline_semaphore = false;
  EXPECT_EQ(vulkan_refusal(facts), "The device has no timeline semaphores.");
  facts.api_version = vulkan_version(1, 1) + 70;
  EXPECT_EQ(vulkan_refusal(facts), "Vulkan 1.1.70 of the device is below 1.2.");
}

TEST(VulkanFacts, TargetsFollowTheVersion) {
  using Targets = std::vector<std::string>;
  EXPECT_EQ(vulkan_targets(vulkan_version(1, 4)),
            (Targets{"spirv-1.6", "spirv-1.5", "spirv-1.4", "spirv-1.3"}));
  EXPECT_EQ(vulkan_targets(vulkan_version(1, 2)), (Targets{"spirv-1.5", "spirv-1.4", "spirv-1.3"}));
  EXPECT_EQ(vulkan_targets(vulkan_version(1, 1)), Targets{"spirv-1.3"});
  EXPECT_EQ(vulkan_targets(vulkan_version(1, 0)), Targets{"spirv-1.0"});
}

TEST(VulkanFacts, VendorsHaveNames) {
  EXPECT_EQ(vulkan_vendor_name(0x1ed5), "Moore Threads");
  EXPECT_EQ(vulkan_vendor_name(0x10005), "Mesa");
  EXPECT_EQ(vulkan_vendor_name(0xace), "0x0ace");
  EXPECT_EQ(vulkan_vendor_name(0x10aced), "0x0010aced");
}

}  // namespace
}  // namespace halyard::descriptors
