// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/requirement_check.h"

#include <gtest/gtest.h>

namespace halyard::selection {
namespace {

using Relation = store::Requirement::Relation;

core::CapabilitySet make_capabilities() {
  core::CapabilitySet capabilities;
  capabilities.set_number(core::CapabilityKey::kSubgroupSize, 16);
  capabilities.set_flag(core::CapabilityKey::kCpuAvx2, false);
  capabilities.set_text(core::CapabilityKey::kVulkanApiVersion, "1.3.230");
  return capabilities;
}

TEST(RequirementCheck, MetRequirementsHaveNoReason) {
  const auto capabilities = make_capabilities();
  EXPECT_FALSE(unmet_reason({"subgroup.size", Relation::kAtLeast, std::int64_t{16}}, capabilities));
  EXPECT_FALSE(unmet_reason({"subgroup.size", Relation::kAtMost, std::int64_t{16}}, capabilities));
  EXPECT_FALSE(unmet_reason({"subgroup.size", Relation::kEquals, 16.0}, capabilities));
  EXPECT_FALSE(unmet_reason({"vulkan.api_version", Relation::kEquals, std::string("1.3.230")},
                            capabilities));
}

TEST(RequirementCheck, UnmetOnesNameValueAndLimit) {
  const auto capabilities = make_capabilities();
  EXPECT_EQ("Capability subgroup.size is 16; the kernel needs at least 32.",
            unmet_reason({"subgroup.size", Relation::kAtLeast, std::int64_t{32}}, capabilities));
  EXPECT_EQ("Capability cpu.avx2 is 0; the kernel needs exactly 1.",
            unmet_reason({"cpu.avx2", Relation::kEquals, std::int64_t{1}}, capabilities));
}

TEST(RequirementCheck, UnknownMeetsNothing) {
  EXPECT_EQ(
      "Capability cache.l3_bytes is unknown.",
      unmet_reason({"cache.l3_bytes", Relation::kAtLeast, std::int64_t{0}}, make_capabilities()));
}

}  // namespace
}  // namespace halyard::selection
