// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_architecture.h"

#include <gtest/gtest.h>

namespace halyard::isa {
namespace {

TEST(AmdIsaArchitecture, NameTellsTheId) {
  EXPECT_EQ(amd_architecture_id("AMD RDNA 3.5", std::nullopt, "x.xml"), "amd/rdna3_5");
  EXPECT_EQ(amd_architecture_id("AMD RDNA 4", std::nullopt, "x.xml"), "amd/rdna4");
  EXPECT_EQ(amd_architecture_id("AMD CDNA 5", std::nullopt, "x.xml"), "amd/cdna5");
  EXPECT_EQ(amd_architecture_id("RDNA1", std::nullopt, "x.xml"), "amd/rdna1");
  EXPECT_EQ(amd_architecture_id("AMD UDNA 6.25", std::nullopt, "x.xml"), "amd/udna6_25");
}

TEST(AmdIsaArchitecture, OldNamesOfProductsBecomeArchitectures) {
  EXPECT_EQ(amd_architecture_id("AMD MI100", std::nullopt, ""), "amd/cdna1");
  EXPECT_EQ(amd_architecture_id("mi200", std::nullopt, ""), "amd/cdna2");
  EXPECT_EQ(amd_architecture_id("AMD MI300", std::nullopt, ""), "amd/cdna3");
  EXPECT_EQ(amd_architecture_id("gfx1250", std::nullopt, ""), "amd/cdna5");
}

TEST(AmdIsaArchitecture, NumberComesBeforeTheFileName) {
  EXPECT_EQ(amd_architecture_id("", 8, "amdgpu_isa_rdna4.xml"), "amd/rdna3");
  EXPECT_EQ(amd_architecture_id("AMD", 9, ""), "amd/rdna3_5");
  EXPECT_EQ(amd_architecture_id("AMD", 10, ""), "amd/rdna4");
}

TEST(AmdIsaArchitecture, FileNameIsTheLastResort) {
  EXPECT_EQ(amd_architecture_id("", std::nullopt, "amdgpu_isa_rdna3_5.xml"), "amd/rdna3_5");
  EXPECT_EQ(amd_architecture_id("", 77, "bundle.zip/amdgpu_isa_mi300.xml"), "amd/cdna3");
  EXPECT_EQ(amd_architecture_id("The next one", std::nullopt, "isa.xml"), std::nullopt);
  EXPECT_EQ(amd_architecture_id("3.5", std::nullopt, "../4.xml"), std::nullopt);
}

}  // namespace
}  // namespace halyard::isa
