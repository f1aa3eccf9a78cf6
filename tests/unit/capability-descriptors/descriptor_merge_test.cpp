// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_merge.h"

#include <gtest/gtest.h>

namespace halyard::descriptors {
namespace {

TEST(MergeCapabilities, LiveWinsAndTheRestKeepsItsOrigin) {
  CapabilitySet live;
  live.set_number(CapabilityKey::kComputeUnits, 96);
  CapabilitySet documented;
  documented.set_number(CapabilityKey::kComputeUnits, 84, CapabilityOrigin::kDocumented);
  documented.set_number(CapabilityKey::kVgprPerSimd, 1536, CapabilityOrigin::kMeasured);
  const MergedCapabilities merged = merge_capabilities(live, documented);
  EXPECT_EQ(merged.capabilities.number(CapabilityKey::kComputeUnits), 96);
  EXPECT_EQ(merged.capabilities.find("vgpr.per_simd")->origin, CapabilityOrigin::kMeasured);
  EXPECT_EQ(merged.capabilities.all().size(), 2U);
}

TEST(MergeCapabilities, OnlyDifferentValuesAreDisagreements) {
  CapabilitySet live;
  live.set_flag(CapabilityKey::kTypeF64, false);
  live.set_flag(CapabilityKey::kTypeF16, true);
  live.set_number(CapabilityKey::kSubgroupSize, 32);
  CapabilitySet documented;
  documented.set_flag(CapabilityKey::kTypeF64, true, CapabilityOrigin::kDocumented);
  documented.set_flag(CapabilityKey::kTypeF16, true, CapabilityOrigin::kDocumented);
  const MergedCapabilities merged = merge_capabilities(live, documented);
  ASSERT_EQ(merged.disagreements.size(), 1U);
  EXPECT_EQ(merged.disagreements[0].key, "type.f64");
  EXPECT_EQ(merged.disagreements[0].live.number, 0);
  EXPECT_EQ(merged.disagreements[0].documented.number, 1);
  EXPECT_FALSE(merged.capabilities.has(CapabilityKey::kTypeF64));
}

TEST(OverlayCapabilities, WhatStandsAboveReplacesWhatIsBelow) {
  CapabilitySet below;
  below.set_number(CapabilityKey::kComputeUnits, 40);
  below.set_number(CapabilityKey::kSubgroupSize, 32);
  CapabilitySet above;
  above.set_number(CapabilityKey::kComputeUnits, 32);
  const CapabilitySet all = overlay_capabilities(below, above);
  EXPECT_EQ(all.number(CapabilityKey::kComputeUnits), 32);
  EXPECT_EQ(all.number(CapabilityKey::kSubgroupSize), 32);
}

}  // namespace
}  // namespace halyard::descriptors
