// SPDX-License-Identifier: Apache-2.0
// Machine code with the size and the mnemonic that LLVM 19 gives to it.
#include "capability-descriptors/isa/instruction_decoder.h"
#include "tests/test_data.h"
#include "tests/unit/capability-descriptors/isa/shipped_instruction_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace halyard::isa {
namespace {

struct Vectors {
  std::string_view target;
  std::string_view instruction_set;
};

constexpr std::array kVectors = {Vectors{"gfx1151", "rdna3_5"}, Vectors{"gfx1201", "rdna4"},
                                 Vectors{"gfx942", "cdna3"}};

// What a table that was derived from a neighbour's lacks, besides the listed misses.
constexpr std::array<std::string_view, 1> kDerivedMisses = {
    "gfx942 7e0000f9 00000000",  // v_nop that takes parts of registers
};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream stream(line);
  for (std::string column; std::getline(stream, column, '\t');)
    columns.push_back(column);
  return columns;
}

// LLVM's mnemonic without the suffix that names the encoding.
std::string without_suffix(std::string mnemonic) {
  for (const std::string_view suffix : {"_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"}) {
    if (mnemonic.ends_with(suffix)) return mnemonic.substr(0, mnemonic.size() - suffix.size());
  }
  return mnemonic;
}

std::string plain_mnemonic(const std::string& mnemonic) {
  const auto second = mnemonic.find(" :: ");
  if (second == std::string::npos) return without_suffix(mnemonic);
  return without_suffix(mnemonic.substr(0, second)) +
         " :: " + without_suffix(mnemonic.substr(second + 4));
}

class VectorDecoder {
 public:
  explicit VectorDecoder(std::string_view architecture)
      : set_(testing::shipped_instruction_set(architecture)),
        decoder_(*InstructionDecoder::create(set_)) {}

  // "<mnemonic> <size>", or "nothing".
  std::string decode(const std::string& hex_words) const {
    std::vector<std::uint32_t> words;
    std::istringstream stream(hex_words);
    for (std::string word; stream >> word;)
      words.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
    // More dwords behind it, or the size would not be tested.
    words.resize(words.size() + 3, 0xbf800000);
    DecodedInstruction decoded;
    if (!decoder_.decode(words, &decoded)) return "nothing";
    std::string out = mnemonic(decoded.first);
    if (decoded.second.instruction != kNoIndex) out += " :: " + mnemonic(decoded.second);
    return out + ' ' + std::to_string(decoded.size_bytes);
  }

 private:
  std::string mnemonic(const DecodedForm& form) const {
    const Instruction& instruction = set_.instructions[form.instruction];
    std::string name =
        instruction.assembly_name.empty() ? instruction.name : instruction.assembly_name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
  }

  InstructionSet set_;
  InstructionDecoder decoder_;
};

TEST(DecodeVectors, EveryRowHasTheSizeAndMnemonicOfLlvm) {
  const auto data = halyard::testing::test_data("Decoding of 62,000 dwords as LLVM does.");
  if (!data) return;
  const auto folder = *data / "isa-xml" / "decode-vectors";
  std::map<std::string, std::string> known_misses;  // "<target> <words>" and the reason
  std::istringstream misses(text_of(folder / "known-misses.tsv"));
  for (std::string line; std::getline(misses, line);) {
    const auto columns = columns_of(line);
    ASSERT_EQ(columns.size(), 5U) << line;
    known_misses[columns[0] + ' ' + columns[1]] = columns[4];
  }
  ASSERT_EQ(known_misses.size(), 259U);
  std::size_t rows = 0;
  std::map<std::string, std::size_t> matching_misses;  // by reason
  for (const Vectors& vectors : kVectors) {
    const VectorDecoder decoder(vectors.instruction_set);
    std::istringstream lines(text_of(folder / (std::string(vectors.target) + ".tsv")));
    for (std::string line; std::getline(lines, line);) {
      const auto columns = columns_of(line);
      ASSERT_EQ(columns.size(), 3U) << line;
      ++rows;
      const std::string expected = plain_mnemonic(columns[2]) + ' ' + columns[1];
      const std::string actual = decoder.decode(columns[0]);
      const std::string row = std::string(vectors.target) + ' ' + columns[0];
      if (std::find(kDerivedMisses.begin(), kDerivedMisses.end(), row) != kDerivedMisses.end()) {
        continue;
      }
      const auto miss = known_misses.find(row);
      if (miss == known_misses.end()) {
        EXPECT_EQ(actual, expected) << row;
      } else if (actual == expected) {
        ++matching_misses[miss->first.substr(0, miss->first.find(' ')) + ": " + miss->second];
      }
    }
  }
  EXPECT_EQ(rows, 62180U);
  for (const auto& [reason, count] : matching_misses) {
    std::cout << count << " rows match although listed as misses: " << reason << '\n';
  }
}

// Rows of the vectors, one or more for each rule of decoding, for a clone without test data.
TEST(DecodeVectors, RowsOfEveryKindDecode) {
  const VectorDecoder rdna3("rdna3_5");
  EXPECT_EQ(rdna3.decode("be8444ff 12345678"), "nothing");
  EXPECT_EQ(rdna3.decode("be844cff"), "s_sendmsg_rtn_b32 4");
  EXPECT_EQ(rdna3.decode("56060402"), "v_fmac_f32 4");
  EXPECT_EQ(rdna3.decode("c9141404 06061aff 12345678"), "v_dual_add_f32 :: v_dual_max_f32 12");
  EXPECT_EQ(rdna3.decode("f4080100 f8000000"), "s_load_b128 8");
  EXPECT_EQ(rdna3.decode("dc520000 027c0002"), "global_load_b32 8");
  EXPECT_EQ(rdna3.decode("02000000"), "v_cndmask_b32 4");
  EXPECT_EQ(rdna3.decode("ffffffff ffffffff ffffffff"), "nothing");
  const VectorDecoder rdna4("rdna4");
  EXPECT_EQ(rdna4.decode("c4158003 40901028 00000002"), "buffer_atomic_add_f32 12");
  EXPECT_EQ(rdna4.decode("d6460000 04011075"), "v_lshl_add_u32 8");
  const VectorDecoder cdna4("cdna4");
  EXPECT_EQ(cdna4.decode("e1080010 03022800"), "buffer_atomic_add 8");
  EXPECT_EQ(cdna4.decode("d3d84005 18000100"), "v_accvgpr_read_b32 8");
}

}  // namespace
}  // namespace halyard::isa
