// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/target_instruction_set.h"

#include "capability-descriptors/isa/instruction_set_json.h"

#include <gtest/gtest.h>

namespace halyard::verification {
namespace {

TEST(TargetInstructionSet, IsThatOfTheTargetsDescriptor) {
  for (const std::string target : {"amdgcn-gfx942", "amdgcn-gfx942:xnack+"}) {
    const auto text = target_instruction_set(HALYARD_BUNDLED_DATA, target);
    ASSERT_TRUE(text) << text.error().message();
    const auto set = isa::parse_instruction_set(*text, target);
    ASSERT_TRUE(set) << set.error().message();
    EXPECT_EQ(set->id, "amd/cdna3");
  }
}

TEST(TargetInstructionSet, IsEmptyWhereCodeIsReadWithoutOneOrNoneIsShipped) {
  for (const std::string target : {"x86_64-v3", "spirv-1.5", "amdgcn-gfx000"}) {
    const auto text = target_instruction_set(HALYARD_BUNDLED_DATA, target);
    ASSERT_TRUE(text) << text.error().message();
    EXPECT_EQ(*text, "") << target;
  }
}

}  // namespace
}  // namespace halyard::verification
