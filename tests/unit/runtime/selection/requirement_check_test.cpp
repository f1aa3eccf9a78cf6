// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/requirement_check.h"

#include "tests/unit/runtime/core/fake_device.h"

#include <gtest/gtest.h>

namespace halyard::selection {
namespace {

using Relation = store::Requirement::Relation;

base::Ref<core::FakeDevice> make_device() {
  core::DeviceInfo info;
  info.targets = {"spirv-1.5"};
  core::CapabilitySet capabilities;
  capabilities.set_number(core::CapabilityKey::kSubgroupSize, 16);
  capabilities.set_flag(core::CapabilityKey::kCpuAvx2, false);
  capabilities.set_text(core::CapabilityKey::kVulkanApiVersion, "1.3.230");
  auto device = base::make_ref<core::FakeDevice>(std::move(info), std::move(capabilities));
  descriptors::Descriptor descriptor;
  descriptor.capabilities.set_flag(core::CapabilityKey::kMatrixF16, true,
                                   core::CapabilityOrigin::kDocumented);
  device->merge_descriptor(descriptor);
  return device;
}

TEST(RequirementCheck, MetRequirementsHaveNoReason) {
  const auto device = make_device();
  EXPECT_FALSE(unmet_reason({"subgroup.size", Relation::kAtLeast, std::int64_t{16}}, *device));
  EXPECT_FALSE(unmet_reason({"subgroup.size", Relation::kAtMost, std::int64_t{16}}, *device));
  EXPECT_FALSE(unmet_reason({"subgroup.size", Relation::kEquals, 16.0}, *device));
  EXPECT_FALSE(
      unmet_reason({"vulkan.api_version", Relation::kEquals, std::string("1.3.230")}, *device));
}

TEST(RequirementCheck, UnmetOnesNameValueAndLimit) {
  const auto device = make_device();
  EXPECT_EQ("Capability subgroup.size is 16; the kernel needs at least 32.",
            unmet_reason({"subgroup.size", Relation::kAtLeast, std::int64_t{32}}, *device));
  EXPECT_EQ("Capability cpu.avx2 is 0; the kernel needs exactly 1.",
            unmet_reason({"cpu.avx2", Relation::kEquals, std::int64_t{1}}, *device));
}

TEST(RequirementCheck, UnknownMeetsNothing) {
  EXPECT_EQ("Capability cache.l3_bytes is unknown.",
            unmet_reason({"cache.l3_bytes", Relation::kAtLeast, std::int64_t{0}}, *make_device()));
}

TEST(RequirementCheck, WhatOnlyTheHardwareHasMeetsNothing) {
  EXPECT_EQ("Capability matrix.f16 is known of the hardware, and the driver does not report it.",
            unmet_reason({"matrix.f16", Relation::kEquals, std::int64_t{1}}, *make_device()));
}

}  // namespace
}  // namespace halyard::selection
