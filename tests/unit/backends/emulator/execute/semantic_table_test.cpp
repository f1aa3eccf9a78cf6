// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/semantic_parts.h"
#include "tests/unit/backends/emulator/execute/wave_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace halyard::emulator::test {
namespace {

std::vector<Semantic> all_semantics() {
  std::vector<Semantic> all;
  for (const auto set : {scalar_semantics(),
                         scalar_mask_semantics(),
                         scalar_float_semantics(),
                         control_semantics(),
                         vector_float_semantics(),
                         float_minmax_semantics(),
                         float_approximate_semantics(),
                         float_rounding_semantics(),
                         float_division_semantics(),
                         float_double_semantics(),
                         vector_integer_semantics(),
                         carry_semantics(),
                         relative_move_semantics(),
                         vector_compare_semantics(),
                         vector_convert_semantics(),
                         small_float_semantics(),
                         vector_packed_semantics(),
                         packed_integer_semantics(),
                         lane_semantics(),
                         scalar_memory_semantics(),
                         lds_semantics(),
                         global_memory_semantics(),
                         buffer_memory_semantics(),
                         matrix_semantics(),
                         dot_semantics()}) {
    all.insert(all.end(), set.begin(), set.end());
  }
  return all;
}

TEST(ChooseHandler, KnowsEachNameOnce) {
  std::vector<Semantic> all = all_semantics();
  ASSERT_GT(all.size(), 1500u);
  std::sort(all.begin(), all.end(),
            [](const Semantic& a, const Semantic& b) { return a.name < b.name; });
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_NE(all[i - 1].name, all[i].name);
}

// Each operand that an instruction of the ALU could have, so that only an unknown name fails.
Operation any_form(std::string_view name, bool scalar_sources, bool scalar_destination) {
  const Operand source = scalar_sources ? sgpr(4, 2) : vgpr(4, 2);
  Operation operation = vector_operation(name, scalar_destination ? sgpr(0, 2) : vgpr(0, 2),
                                         {source, source, source});
  operation.destination[1] = sgpr(kVccIndex, 2);
  return operation;
}

TEST(ChooseHandler, FindsAFormOfEachInstructionOfTheAlu) {
  const WaveFixture fixture(Generation::kGfx12);
  for (const auto set :
       {scalar_semantics(), scalar_mask_semantics(), scalar_float_semantics(),
        vector_float_semantics(), float_minmax_semantics(), float_approximate_semantics(),
        float_rounding_semantics(), float_division_semantics(), float_double_semantics(),
        vector_integer_semantics(), carry_semantics(), relative_move_semantics(),
        vector_compare_semantics(), vector_convert_semantics(), small_float_semantics(),
        vector_packed_semantics(), packed_integer_semantics(), lane_semantics()}) {
    for (const Semantic& semantic : set) {
      bool found = false;
      for (const int form : {0, 1, 2, 3}) {
        Operation operation = any_form(semantic.name, (form & 1) != 0, (form & 2) != 0);
        found = found || fixture.choose(operation) != nullptr;
        // A mask or a selector of lanes is in scalar registers.
        operation.source[2] = sgpr(6, 2);
        found = found || fixture.choose(operation) != nullptr;
        operation.source[1] = sgpr(6, 2);
        found = found || fixture.choose(operation) != nullptr;
      }
      EXPECT_TRUE(found) << semantic.name;
    }
  }
}

// Nothing but a crash, or a sanitizer, can make this fail.
TEST(ChooseHandler, RunsEachFormOnAnyBits) {
  std::mt19937 random(5);
  const std::uint32_t special[] = {0,           0x80000000u, 0x7f800000u, 0xff800000u,
                                   0x7f800001u, 0x7fc00000u, 1,           0x007fffffu,
                                   0xffffffffu, 0x7bff7bffu, 0xfc007c00u, 0x00400001u};
  for (const Generation generation : {Generation::kGfx9, Generation::kGfx11, Generation::kGfx12}) {
    WaveFixture fixture(generation, generation == Generation::kGfx9 ? 64 : 32);
    for (const Semantic& semantic : all_semantics()) {
      const bool is_alu = semantic.name.starts_with("V_") || semantic.name.starts_with("S_");
      if (!is_alu || semantic.name.starts_with("S_LOAD") || semantic.name.starts_with("S_BUFFER") ||
          semantic.name.find("MFMA") != semantic.name.npos) {
        continue;
      }
      for (int form = 0; form < 8; ++form) {
        for (std::uint32_t row = 0; row < 12; ++row) {
          for (std::uint32_t lane = 0; lane < fixture.wave().lanes; ++lane) {
            const auto bits = static_cast<std::uint32_t>(random());
            fixture.row(row)[lane] = bits % 3 == 0 ? special[bits / 3 % std::size(special)] : bits;
          }
        }
        for (std::uint32_t i = 0; i < 12; ++i) {
          fixture.wave().scalar[i] = static_cast<std::uint32_t>(random());
        }
        fixture.wave().mode = FloatMode::of_bits(static_cast<std::uint32_t>(random()) & 0x8003ffu);
        Operation operation = any_form(semantic.name, (form & 1) != 0, (form & 2) != 0);
        if ((form & 4) != 0) operation.source[1] = operation.source[2] = sgpr(6, 2);
        operation.op_sel = static_cast<std::uint8_t>(random() & 15);
        operation.op_sel_hi = static_cast<std::uint8_t>(random() & 7);
        const Operation* const next = &operation;
        fixture.wave().next = next;
        fixture.run(operation);
        operation.negate = operation.absolute = static_cast<std::uint8_t>(random() & 7);
        operation.output_modifier = static_cast<std::uint8_t>(random() & 3);
        operation.clamp = true;
        fixture.run(operation);
        fixture.set_exec(random());
      }
    }
  }
}

TEST(ChooseHandler, DoesNotExecuteWhatItDoesNotKnow) {
  const WaveFixture fixture;
  Operation operation = vector_operation("V_NO_SUCH_F32", vgpr(0), {vgpr(1), vgpr(2)});
  EXPECT_EQ(fixture.choose(operation), nullptr);
  Operation direct = vector_operation("V_ADD_F32", vgpr(0), {vgpr(1), vgpr(2)});
  direct.source[0].kind = OperandKind::kLdsDirect;
  EXPECT_EQ(fixture.choose(direct), nullptr);
}

}  // namespace
}  // namespace halyard::emulator::test
