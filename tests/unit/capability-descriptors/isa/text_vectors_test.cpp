// SPDX-License-Identifier: Apache-2.0
// The text of the decode vectors, compared with that of LLVM 19.
#include "capability-descriptors/isa/operand_text.h"
#include "tests/test_data.h"
#include "tests/unit/capability-descriptors/isa/shipped_instruction_set.h"
#include "tests/unit/capability-descriptors/object/llvm_tools.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace halyard::isa {
namespace {

using object::testing::file_text;
using object::testing::llvm_texts;
using testing::shipped_instruction_set;

struct Target {
  std::string_view name;
  std::string_view instruction_set;
  std::uint32_t wavefront_size;
};

constexpr std::array kTargets = {Target{"gfx1151", "rdna3_5", 32}, Target{"gfx1201", "rdna4", 32},
                                 Target{"gfx942", "cdna3", 64}};

// Texts that differ, by a part of LLVM's text.
struct KnownDifference {
  std::string_view part;
  std::string_view reason;
};

constexpr std::array kKnownDifferences = {
    KnownDifference{"/*Invalid register", "LLVM remarks on a register that is not allowed."},
    KnownDifference{"/* DP ALU", "LLVM refuses the lane control of 64-bit floats and writes none."},
    KnownDifference{"v_mov_b16", "LLVM names the halves of registers of this instruction only."},
    KnownDifference{"v_fma_mix", "LLVM cuts a literal to 16 bits where a source may be 32 bits."},
    KnownDifference{"v_sat_pk_u8_i16", "The tables say 16 bits, LLVM 32."},
    KnownDifference{"v_dot2c_i32_i16", "The tables say 16 bits, LLVM 32."},
    KnownDifference{"v_dot2_bf16_bf16", "The tables say 16 bits, LLVM 32."},
    KnownDifference{"v_alignbit_b32", "The tables say 16 bits, LLVM 32."},
    KnownDifference{"v_alignbyte_b32", "The tables say 16 bits, LLVM 32."},
    KnownDifference{"v_pk_fmac_f16", "LLVM adds a suffix although there is one encoding only."},
    KnownDifference{"], s[8:15], s[16:19] dmask:0x3 dim:SQ_RSRC_IMG_1D",
                    "LLVM shows the registers of an address that has fewer."},
};

std::vector<std::uint32_t> words_of(const std::string& line) {
  std::vector<std::uint32_t> words;
  std::istringstream stream(line.substr(0, line.find('\t')));
  for (std::string word; stream >> word;)
    words.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
  return words;
}

TEST(TextVectors, TextIsThatOfLlvmButForListedDifferences) {
  const auto data = halyard::testing::test_data("The text of 62,000 instructions as LLVM's.");
  if (!data) return;
  std::map<std::string_view, std::size_t> differences;
  std::size_t compared = 0;
  for (const Target& target : kTargets) {
    const InstructionSet set = shipped_instruction_set(target.instruction_set);
    const auto decoder = InstructionDecoder::create(set);
    ASSERT_TRUE(decoder);
    const InstructionWriter writer(set, target.wavefront_size);
    std::vector<std::vector<std::uint32_t>> rows;
    std::istringstream lines(
        file_text(*data / "isa-xml" / "decode-vectors" / (std::string(target.name) + ".tsv")));
    for (std::string line; std::getline(lines, line);)
      rows.push_back(words_of(line));
    const std::vector<std::string> expected = llvm_texts(target.name, rows);
    ASSERT_EQ(expected.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      DecodedInstruction decoded;
      if (expected[i].empty() || !decoder->decode(rows[i], &decoded)) continue;
      ++compared;
      const std::string actual = writer.text(decoded, rows[i]);
      if (actual == expected[i]) continue;
      const auto known = std::find_if(
          kKnownDifferences.begin(), kKnownDifferences.end(),
          [&](const KnownDifference& d) { return expected[i].find(d.part) != std::string::npos; });
      if (known == kKnownDifferences.end()) {
        ADD_FAILURE() << target.name << " \"" << actual << "\", not \"" << expected[i] << '"';
      } else {
        ++differences[known->part];
      }
    }
  }
  EXPECT_GT(compared, 62000U);
  std::size_t remarks = 0;
  for (const KnownDifference& known : kKnownDifferences) {
    const std::size_t count = differences[known.part];
    EXPECT_GT(count, 0U) << known.part << " no longer differs.";
    std::cout << count << " rows differ, \"" << known.part << "\": " << known.reason << '\n';
    if (known.part.starts_with("/*")) {
      remarks += count;
    } else {
      EXPECT_LE(count, 50U) << known.part;
    }
  }
  EXPECT_LE(remarks, 2000U);
}

}  // namespace
}  // namespace halyard::isa
