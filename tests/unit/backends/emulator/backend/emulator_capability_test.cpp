// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_capability.h"

#include "backends/emulator/emulator_targets.h"

#include <gtest/gtest.h>

namespace halyard::emulator {
namespace {

TEST(EmulatorCapability, MissingFeaturesAreTheReasonForNoDevice) {
  EXPECT_FALSE(missing_features({true, true, true}));
  EXPECT_EQ(missing_features({true, false, false}),
            "The emulator is compiled for AVX2, FMA and F16C, and this processor lacks FMA, F16C.");
}

TEST(EmulatorCapability, SubgroupsAreThoseOfTheGeneration) {
  for (const EmulatedTarget& target : emulated_targets()) {
    const core::CapabilitySet set = emulator_capabilities(target, 3);
    const bool is_wide = target.generation == Generation::kGfx9;
    EXPECT_EQ(set.number(core::CapabilityKey::kSubgroupSize), is_wide ? 64 : 32);
    EXPECT_EQ(set.number(core::CapabilityKey::kLimitSharedBytes), 65536);
    EXPECT_EQ(set.number(core::CapabilityKey::kComputeUnits), 3);
  }
}

}  // namespace
}  // namespace halyard::emulator
