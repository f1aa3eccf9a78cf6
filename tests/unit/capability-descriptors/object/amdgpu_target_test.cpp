// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/amdgpu_target.h"

#include <gtest/gtest.h>

namespace halyard::object {
namespace {

TEST(AmdgpuTarget, FlagsOfCompiledObjectsNameTheirTarget) {
  // What clang 19 writes into e_flags for these targets.
  EXPECT_EQ(amdgpu_target_of_flags(0x41, 5)->id(), "gfx1100");
  EXPECT_EQ(amdgpu_target_of_flags(0x4e, 5)->id(), "gfx1201");
  EXPECT_EQ(amdgpu_target_of_flags(0x54c, 5)->id(), "gfx942");
  EXPECT_EQ(amdgpu_target_of_flags(0xe4c, 5)->id(), "gfx942:sramecc+:xnack-");
  EXPECT_EQ(amdgpu_target_of_flags(0x93f, 5)->id(), "gfx90a:sramecc-");
  EXPECT_EQ(amdgpu_target_of_flags(0x01000054, 6)->id(), "gfx11-generic");
}

TEST(AmdgpuTarget, FeaturesHaveFourSettings) {
  const auto any = amdgpu_target_of_flags(0x54c, 5);
  EXPECT_EQ(any->sramecc, FeatureSetting::kAny);
  EXPECT_EQ(any->xnack, FeatureSetting::kAny);
  const auto none = amdgpu_target_of_flags(0x41, 5);
  EXPECT_EQ(none->sramecc, FeatureSetting::kUnsupported);
  EXPECT_EQ(none->xnack, FeatureSetting::kUnsupported);
  const auto set = amdgpu_target_of_flags(0xb4c, 5);
  EXPECT_EQ(set->sramecc, FeatureSetting::kOff);
  EXPECT_EQ(set->xnack, FeatureSetting::kOn);
}

TEST(AmdgpuTarget, OnlyVersionSixHasAGenericVersion) {
  EXPECT_EQ(amdgpu_target_of_flags(0x02000054, 6)->generic_version, 2U);
  EXPECT_EQ(amdgpu_target_of_flags(0x02000041, 5)->generic_version, 0U);
}

TEST(AmdgpuTarget, GenerationIsTheMajorVersion) {
  AmdgpuTarget target;
  for (const auto& [name, generation] :
       {std::pair("gfx602", 6U), std::pair("gfx90a", 9U), std::pair("gfx942", 9U),
        std::pair("gfx1030", 10U), std::pair("gfx1201", 12U), std::pair("gfx9-4-generic", 9U),
        std::pair("gfx10-3-generic", 10U), std::pair("gfx12-generic", 12U)}) {
    target.processor = name;
    EXPECT_EQ(target.generation(), generation) << name;
  }
}

TEST(AmdgpuTarget, UnknownProcessorIsNamedByItsNumber) {
  const auto target = amdgpu_target_of_flags(0xff, 5);
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_EQ(target.error().message(), "The processor of number 255 is not known.");
}

}  // namespace
}  // namespace halyard::object
