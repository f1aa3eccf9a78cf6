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

TEST(Capability, AliasNamesItsKeyAndNoOtherOne) {
  EXPECT_FALSE(capability_aliases().empty());
  for (const CapabilityAlias& alias : capability_aliases()) {
    EXPECT_EQ(capability_key_from_name(alias.name), alias.key);
    EXPECT_NE(capability_key_info(alias.key).name, alias.name);
  }
  EXPECT_EQ(capability_key_from_name("lds.bytes_per_workgroup"), CapabilityKey::kLimitSharedBytes);
}

TEST(Capability, UnknownNameIsToldTheNearestKeyOrAlias) {
  EXPECT_EQ(nearest_capability_clause("vgpr.per_smd"), "; the nearest is \"vgpr.per_simd\"");
  EXPECT_EQ(nearest_capability_clause("lds.bytes_per_workgrop"),
            "; the nearest is \"lds.bytes_per_workgroup\"");
  EXPECT_EQ(nearest_capability_clause("zzzzzzzz"), "");
}

TEST(Capability, VendorNameHasThreePartsInLowerCase) {
  EXPECT_TRUE(is_vendor_capability_name("vendor.amd.cache.gl1_bytes"));
  EXPECT_TRUE(is_vendor_capability_name("vendor.acme.cores"));
  for (const char* const name : {"vendor.acme", "vendor.", "vendor.acme.", "vendor..cores",
                                 "vendor.Acme.cores", "vendors.acme.cores", "vendor.acme.a b"}) {
    EXPECT_FALSE(is_vendor_capability_name(name)) << name;
  }
}

TEST(Capability, ChoicesAreGivenForTextKeysOnly) {
  for (const CapabilityKey key : all_capability_keys()) {
    if (!capability_choices(key).empty()) {
      EXPECT_EQ(capability_key_info(key).kind, CapabilityKind::kText);
    }
  }
  EXPECT_EQ(capability_choices(CapabilityKey::kTargetXnack).size(), 4U);
  EXPECT_TRUE(capability_choices(CapabilityKey::kVulkanApiVersion).empty());
}

TEST(Capability, OriginIsFoundByItsName) {
  for (const auto origin :
       {CapabilityOrigin::kDriver, CapabilityOrigin::kDocumented, CapabilityOrigin::kComputed,
        CapabilityOrigin::kMeasured, CapabilityOrigin::kDerived}) {
    EXPECT_EQ(capability_origin_from_name(capability_origin_name(origin)), origin);
  }
  EXPECT_EQ(capability_origin_from_name("guessed"), std::nullopt);
  EXPECT_EQ(capability_kind_name(CapabilityKind::kText), "text");
}

TEST(CapabilitySet, ValueIsFoundByAnAlias) {
  CapabilitySet set;
  EXPECT_EQ(set.find("lds.bytes_per_workgroup"), nullptr);
  set.set_number(CapabilityKey::kLimitSharedBytes, 65536);
  ASSERT_NE(set.find("lds.bytes_per_workgroup"), nullptr);
  EXPECT_EQ(set.find("lds.bytes_per_workgroup"), set.find("limit.shared_bytes"));
}

TEST(CapabilitySet, SameValueDoesNotLookAtTheOrigin) {
  Capability left;
  left.kind = CapabilityKind::kNumber;
  left.number = 4;
  left.unit = "byte";
  Capability right = left;
  right.origin = CapabilityOrigin::kMeasured;
  right.source = "a sheet";
  EXPECT_TRUE(same_value(left, right));
  right.unit = "bit";
  EXPECT_FALSE(same_value(left, right));
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

TEST(Capability, FactsAboutInstructionsAreToldFromThoseAboutTheHardware) {
  for (const char* const name : {"matrix.f16", "type.i64", "target.xnack", "storage.8bit"})
    EXPECT_TRUE(is_about_instructions(name)) << name;
  for (const char* const name : {"vgpr.per_simd", "lds.bytes_per_workgroup", "rate.matrix_f16"})
    EXPECT_FALSE(is_about_instructions(name)) << name;
}

}  // namespace
}  // namespace halyard::descriptors
