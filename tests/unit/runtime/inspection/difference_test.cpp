// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/difference.h"

#include "tests/unit/runtime/inspection/catalog_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::services {
namespace {

using ::testing::HasSubstr;

class DifferenceTest : public testing::CatalogTest {
 protected:
  Subject descriptor() const { return catalog().find("acme/a1").value(); }
  Subject instruction_set() const { return catalog().find("acme/i1").value(); }
};

TEST_F(DifferenceTest, CapabilitiesOfOneSideAreNullOnTheOther) {
  Subject other = descriptor();
  auto& capabilities = std::get<descriptors::Descriptor>(other).capabilities;
  capabilities.set_number(descriptors::CapabilityKey::kSubgroupSize, 64);
  capabilities.set_flag(descriptors::CapabilityKey::kTypeF16, true);
  const std::string text = compare_subjects(descriptor(), other).value();
  EXPECT_THAT(text, HasSubstr(R"({"key":"subgroup.size","left":32,"right":64,"unit":"lane"})"));
  EXPECT_THAT(text, HasSubstr(R"({"key":"type.f16","left":null,"right":true,"unit":""})"));
}

TEST_F(DifferenceTest, InstructionsOfOneSideAreListed) {
  Subject other = instruction_set();
  std::get<isa::InstructionSet>(other).instructions[0].name = "V_SUB";
  const std::string text = compare_subjects(instruction_set(), other).value();
  EXPECT_THAT(text, HasSubstr(R"("only_left":["V_ADD"],"only_right":["V_SUB"])"));
  EXPECT_THAT(text, HasSubstr(R"("kind":"instruction_set")"));
}

TEST_F(DifferenceTest, DescriptorAndInstructionSetAreNotCompared) {
  const auto text = compare_subjects(descriptor(), instruction_set());
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(text.error().message(),
            "\"acme/a1\" and \"acme/i1\" are not compared: one is a descriptor, the other an "
            "instruction set.");
}

}  // namespace
}  // namespace halyard::services
