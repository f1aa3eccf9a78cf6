// SPDX-License-Identifier: Apache-2.0
// The immediates of scalar instructions, compared with LLVM 19 on every target that it has.
#include "capability-descriptors/isa/immediate_text.h"

#include "capability-descriptors/isa/operand_text.h"
#include "tests/unit/capability-descriptors/isa/shipped_instruction_set.h"
#include "tests/unit/capability-descriptors/object/llvm_tools.h"

#include <gtest/gtest.h>

#include <vector>

namespace halyard::isa {
namespace {

using object::testing::llvm_texts;
using testing::shipped_instruction_set;

struct Target {
  const char* name;
  const char* instruction_set;
  std::uint32_t wait_count;    // first dwords without their immediate
  std::uint32_t get_register;  // s_getreg_b32 s4
  std::uint32_t send_message;
};

constexpr std::array kTargets = {
    Target{"gfx906", "gcn5_1", 0xbf8c0000, 0xb8840000, 0xbf900000},
    Target{"gfx908", "cdna1", 0xbf8c0000, 0xb8840000, 0xbf900000},
    Target{"gfx90a", "cdna2", 0xbf8c0000, 0xb8840000, 0xbf900000},
    Target{"gfx942", "cdna3", 0xbf8c0000, 0xb8840000, 0xbf900000},
    Target{"gfx1030", "rdna2", 0xbf8c0000, 0xb9040000, 0xbf900000},
    Target{"gfx1100", "rdna3", 0xbf890000, 0xb8840000, 0xbfb60000},
    Target{"gfx1101", "rdna3", 0xbf890000, 0xb8840000, 0xbfb60000},
    Target{"gfx1150", "rdna3_5", 0xbf890000, 0xb8840000, 0xbfb60000},
    Target{"gfx1201", "rdna4", 0xbf890000, 0xb8840000, 0xbfb60000},
};

using Rows = std::vector<std::vector<std::uint32_t>>;

void expect_texts_of_llvm(const Target& target, const Rows& rows) {
  const InstructionSet set = shipped_instruction_set(target.instruction_set);
  const auto decoder = InstructionDecoder::create(set);
  ASSERT_TRUE(decoder);
  const InstructionWriter writer(set, 32);
  const std::vector<std::string> expected = llvm_texts(target.name, rows);
  ASSERT_EQ(expected.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    DecodedInstruction decoded;
    ASSERT_TRUE(decoder->decode(rows[i], &decoded)) << target.name << ' ' << expected[i];
    EXPECT_FALSE(expected[i].empty());
    EXPECT_EQ(writer.text(decoded, rows[i]), expected[i]) << target.name;
  }
}

TEST(ImmediateText, CountersOfAWaitAreThoseOfLlvmOnEveryTarget) {
  constexpr std::array<std::uint32_t, 16> kValues = {0,      1,      7,      0xf,    0x70,   0x3f7,
                                                     0xf70,  0xfc7,  0x1234, 0x3f70, 0x3f7f, 0x4000,
                                                     0xc07f, 0xc000, 0xfff7, 0xffff};
  for (const Target& target : kTargets) {
    Rows rows;
    for (const std::uint32_t value : kValues)
      rows.push_back({target.wait_count | value});
    expect_texts_of_llvm(target, rows);
  }
}

TEST(ImmediateText, HardwareRegistersHaveTheNamesOfLlvmOnEveryTarget) {
  for (const Target& target : kTargets) {
    Rows rows;
    for (std::uint32_t number = 0; number < 64; ++number)
      rows.push_back({target.get_register | number});
    expect_texts_of_llvm(target, rows);
  }
}

TEST(ImmediateText, MessagesHaveTheNamesOfLlvmOnEveryTarget) {
  for (const Target& target : kTargets) {
    Rows rows;
    // Beyond these bits LLVM drops some.
    const std::uint32_t count = target.send_message == 0xbf900000 ? 0x80 : 0x100;
    for (std::uint32_t value = 0; value < count; ++value)
      rows.push_back({target.send_message | value});
    expect_texts_of_llvm(target, rows);
  }
}

TEST(ImmediateText, VersionIsNamedWithItsBits) {
  for (const Target& target : kTargets) {
    if (!std::string_view(target.name).starts_with("gfx1")) continue;
    Rows rows;
    for (const std::uint32_t value :
         {0, 4, 6, 9, 10, 65, 255, 0x104, 0x2000, 0x4006, 0x9000, 0xe009, 0xffff})
      rows.push_back({0xb0800000 | value});
    expect_texts_of_llvm(target, rows);
  }
}

}  // namespace
}  // namespace halyard::isa
