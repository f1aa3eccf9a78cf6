// SPDX-License-Identifier: Apache-2.0
// The large files that were rebuilt from public tables, and what is shipped of them.
#include "capability-descriptors/isa/amd_isa_xml.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "tests/unit/capability-descriptors/isa/shipped_instruction_set.h"
#include "tests/unit/capability-descriptors/isa/test_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace halyard::isa {
namespace {

using testing::shipped_table;
using testing::shipped_table_text;

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr std::string_view kLeftOut = "The rebuilt files of three architectures are not imported.";

std::optional<InstructionSet> import(std::string_view architecture) {
  const auto text = reconstructed_isa(architecture, kLeftOut);
  if (!text) return std::nullopt;
  auto set = read_amd_isa_xml(*text, "amdgpu_isa_" + std::string(architecture) + ".xml");
  if (!set) ADD_FAILURE() << set.error().message();
  return set ? std::optional(std::move(*set)) : std::nullopt;
}

// encodings, instructions, forms, data formats, operand types
std::vector<std::size_t> counts(const InstructionSet& set) {
  std::size_t forms = 0;
  for (const Instruction& instruction : set.instructions)
    forms += instruction.forms.size();
  return {set.encodings.size(), set.instructions.size(), forms, set.data_formats.size(),
          set.operand_types.size()};
}

std::map<std::string, int> sentences(const InstructionSet& set) {
  std::map<std::string, int> counts;
  for (const Unresolved& one : set.unresolved)
    ++counts[one.what];
  return counts;
}

TEST(AmdIsaReconstructed, Rdna35HasItsCountsAndNothingUnresolved) {
  const auto set = import("rdna3_5");
  if (!set) return;
  EXPECT_EQ(set->id, "amd/rdna3_5");
  EXPECT_THAT(counts(*set), ElementsAre(47, 1228, 5078, 46, 31));
  EXPECT_THAT(set->unresolved, IsEmpty());
  EXPECT_THAT(instruction_of(*set, "V_CMP_T_F64").aliases, ElementsAre("V_CMP_TRU_F64"));
}

TEST(AmdIsaReconstructed, Rdna4HasItsCountsAndNothingUnresolved) {
  const auto set = import("rdna4");
  if (!set) return;
  EXPECT_EQ(set->id, "amd/rdna4");
  EXPECT_THAT(counts(*set), ElementsAre(46, 1269, 5042, 66, 36));
  EXPECT_THAT(set->unresolved, IsEmpty());
  EXPECT_EQ(set->basis, "reconstructed");
}

TEST(AmdIsaReconstructed, Cdna4LacksTheConditionsOfEncodingsWithAnEmptyList) {
  const auto set = import("cdna4");
  if (!set) return;
  EXPECT_EQ(set->id, "amd/cdna4");
  EXPECT_THAT(counts(*set), ElementsAre(33, 1248, 2576, 73, 31));
  EXPECT_THAT(sentences(*set),
              ElementsAre(Pair("Encoding ENC_FLAT has no condition default.", 54),
                          Pair("Encoding ENC_FLAT_GLBL has no condition default.", 61),
                          Pair("Encoding ENC_FLAT_SCRATCH has no condition default.", 27),
                          Pair("Encoding ENC_VOP3PX2 has no condition default.", 2),
                          Pair("Encoding VOP3P_MFMA has no condition default.", 68)));
  EXPECT_EQ(set->unresolved.front().path.substr(0, 35), "/Spec/ISA/Instructions/Instruction[");
  const Encoding& scaled = encoding_of(*set, "ENC_VOP3PX2");
  EXPECT_EQ(scaled.mask, 0U);
  EXPECT_THAT(scaled.identifiers, IsEmpty());
}

TEST(AmdIsaReconstructed, ShippedTablesAreTheImportedFiles) {
  for (const std::string_view architecture : {"rdna3_5", "rdna4", "cdna4"}) {
    auto set = import(architecture);
    if (!set) return;
    for (Instruction& instruction : set->instructions)
      instruction.description.clear();
    const InstructionSet shipped = shipped_table(architecture);
    EXPECT_EQ(shipped.basis, "reconstructed");
    set->note = shipped.note;
    EXPECT_TRUE(write_instruction_set(*set) == shipped_table_text(architecture)) << architecture;
  }
}

}  // namespace
}  // namespace halyard::isa
