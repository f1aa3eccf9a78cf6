// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/capability.h"

#include <gtest/gtest.h>

#include <set>

namespace halyard::descriptors {
namespace {

TEST(Capability, EveryKeyIsFoundByItsName) {
  std::set<std::string_view> names;
  for (const CapabilityKey key : all_capability_keys()) {
    const CapabilityKeyInfo& info = capability_key_info(key);
    EXPECT_EQ(capability_key_from_name(info.name), key);
    EXPECT_FALSE(info.meaning.empty());
    EXPECT_TRUE(info.kind == CapabilityKind::kNumber || info.unit.empty()) << info.name;
    names.insert(info.name);
  }
  EXPECT_EQ(names.size(), all_capability_keys().size());
}

TEST(Capability, UnknownNameHasNoKey) {
  EXPECT_EQ(capability_key_from_name("cpu.sse9"), std::nullopt);
  EXPECT_EQ(capability_key_from_name(""), std::nullopt);
}

TEST(CapabilitySet, UnknownDiffersFromNo) {
  CapabilitySet set;
  set.set_flag(CapabilityKey::kCpuAvx2, false);
  ASSERT_NE(set.find("cpu.avx2"), nullptr);
  EXPECT_FALSE(set.has(CapabilityKey::kCpuAvx2));
  EXPECT_EQ(set.find("cpu.avx512"), nullptr);
  EXPECT_FALSE(set.has(CapabilityKey::kCpuAvx512));
  EXPECT_EQ(set.number(CapabilityKey::kCpuAvx512), std::nullopt);
}

TEST(CapabilitySet, ValueCarriesKindUnitAndOrigin) {
  CapabilitySet set;
  set.set_number(CapabilityKey::kMemoryTotalBytes, 4096, CapabilityOrigin::kDocumented);
  const Capability* capability = set.find("memory.total_bytes");
  ASSERT_NE(capability, nullptr);
  EXPECT_EQ(capability->kind, CapabilityKind::kNumber);
  EXPECT_EQ(capability->unit, "byte");
  EXPECT_EQ(capability->origin, CapabilityOrigin::kDocumented);
  EXPECT_EQ(set.number(CapabilityKey::kMemoryTotalBytes), 4096);
}

TEST(CapabilitySet, LaterValueReplacesEarlier) {
  CapabilitySet set;
  set.set_text(CapabilityKey::kVulkanApiVersion, "1.2", CapabilityOrigin::kDocumented);
  set.set_text(CapabilityKey::kVulkanApiVersion, "1.3");
  EXPECT_EQ(set.find("vulkan.api_version")->text, "1.3");
  EXPECT_EQ(set.find("vulkan.api_version")->origin, CapabilityOrigin::kDriver);
  EXPECT_EQ(set.all().size(), 1U);
}

}  // namespace
}  // namespace halyard::descriptors
