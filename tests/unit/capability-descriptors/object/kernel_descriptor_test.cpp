// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/kernel_descriptor.h"

#include <gtest/gtest.h>

#include <cstring>

namespace halyard::object {
namespace {

AmdgpuTarget target_named(std::string name) {
  AmdgpuTarget target;
  target.processor = std::move(name);
  return target;
}

std::string bytes_with(std::size_t offset, std::uint64_t value, std::size_t size) {
  std::string bytes(kKernelDescriptorBytes, '\0');
  std::memcpy(bytes.data() + offset, &value, size);
  return bytes;
}

TEST(KernelDescriptor, FieldsAreReadAtTheirPlaces) {
  EXPECT_EQ(parse_kernel_descriptor(bytes_with(0, 70000, 4))->group_segment_bytes, 70000U);
  EXPECT_EQ(parse_kernel_descriptor(bytes_with(4, 128, 4))->private_segment_bytes, 128U);
  EXPECT_EQ(parse_kernel_descriptor(bytes_with(8, 24, 4))->kernarg_bytes, 24U);
  EXPECT_EQ(parse_kernel_descriptor(bytes_with(16, ~0ULL, 8))->code_entry_offset, -1);
  EXPECT_EQ(
      parse_kernel_descriptor(bytes_with(44, 1U << 16, 4))->field(KernelField::kThreadgroupSplit),
      1U);
  EXPECT_EQ(
      parse_kernel_descriptor(bytes_with(48, 0x3f, 4))->field(KernelField::kGranulatedVgprCount),
      63U);
  EXPECT_EQ(
      parse_kernel_descriptor(bytes_with(52, 15U << 1, 4))->field(KernelField::kUserSgprCount),
      15U);
  EXPECT_EQ(
      parse_kernel_descriptor(bytes_with(56, 1U << 10, 2))->field(KernelField::kWavefrontSize32),
      1U);
  EXPECT_EQ(parse_kernel_descriptor(bytes_with(58, 5U << 7, 2))
                ->field(KernelField::kKernargPreloadOffset),
            5U);
}

TEST(KernelDescriptor, ReservedBytesAreWatched) {
  EXPECT_TRUE(parse_kernel_descriptor(bytes_with(0, 1, 4))->reserved_bytes_are_zero);
  EXPECT_FALSE(parse_kernel_descriptor(bytes_with(12, 1, 1))->reserved_bytes_are_zero);
  EXPECT_FALSE(parse_kernel_descriptor(bytes_with(43, 1, 1))->reserved_bytes_are_zero);
  EXPECT_FALSE(parse_kernel_descriptor(bytes_with(63, 1, 1))->reserved_bytes_are_zero);
}

TEST(KernelDescriptor, OtherSizesAreRefused) {
  const auto descriptor = parse_kernel_descriptor("short");
  ASSERT_FALSE(descriptor);
  EXPECT_EQ(descriptor.error().message(), "A kernel descriptor has 5 bytes, not 64.");
}

TEST(KernelDescriptor, RegistersComeInGranulesOfTheTarget) {
  KernelDescriptor descriptor;
  descriptor.rsrc1 = 2;
  EXPECT_EQ(descriptor.vgprs(target_named("gfx906")), 12U);
  EXPECT_EQ(descriptor.vgprs(target_named("gfx942")), 24U);
  EXPECT_EQ(descriptor.vgprs(target_named("gfx1100")), 12U);
  descriptor.properties = 1U << 10;
  EXPECT_EQ(descriptor.vgprs(target_named("gfx1100")), 24U);
  EXPECT_EQ(descriptor.wavefront_size(target_named("gfx1100")), 32U);
  EXPECT_EQ(descriptor.wavefront_size(target_named("gfx942")), 64U);
}

TEST(KernelDescriptor, FieldsBelongToTheirTargets) {
  EXPECT_TRUE(has_field(target_named("gfx942"), KernelField::kAccumOffset));
  EXPECT_FALSE(has_field(target_named("gfx906"), KernelField::kAccumOffset));
  EXPECT_TRUE(has_field(target_named("gfx1100"), KernelField::kIeeeMode));
  EXPECT_FALSE(has_field(target_named("gfx1201"), KernelField::kIeeeMode));
  EXPECT_TRUE(has_field(target_named("gfx1201"), KernelField::kRoundRobinScheduling));
}

TEST(KernelDescriptor, DirectivesFollowTheTarget) {
  KernelDescriptor descriptor;
  descriptor.group_segment_bytes = 1024;
  descriptor.rsrc2 = 2U << 1 | 1U << 7;
  const std::string mi300 = kernel_descriptor_text(descriptor, target_named("gfx942"), "f");
  EXPECT_EQ(mi300.find(".amdhsa_kernel f\n  .amdhsa_group_segment_fixed_size 1024\n"), 0U);
  EXPECT_NE(mi300.find("\n  .amdhsa_user_sgpr_count 2\n"), std::string::npos);
  EXPECT_NE(mi300.find("\n  .amdhsa_system_sgpr_workgroup_id_x 1\n"), std::string::npos);
  EXPECT_NE(mi300.find("\n  .amdhsa_accum_offset 4\n"), std::string::npos);
  EXPECT_EQ(mi300.find("wavefront_size32"), std::string::npos);
  EXPECT_NE(mi300.find("\n.end_amdhsa_kernel\n"), std::string::npos);
  const std::string rdna4 = kernel_descriptor_text(descriptor, target_named("gfx1201"), "f");
  EXPECT_EQ(rdna4.find("dx10_clamp"), std::string::npos);
  EXPECT_NE(rdna4.find("\n  .amdhsa_wavefront_size32 0\n"), std::string::npos);
}

}  // namespace
}  // namespace halyard::object
