// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/instruction_set_check.h"

#include "capability-descriptors/isa/instruction_decoder.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "tests/fuzz/fuzz_target.h"

#include <array>
#include <string>

namespace halyard::fuzz {

void check_instruction_set(const isa::InstructionSet& set) {
  const std::string text = isa::write_instruction_set(set);
  const auto again = isa::parse_instruction_set(text, "again.json");
  if (!again) require(false, again.error().message());
  require(isa::write_instruction_set(*again) == text, "The set is written in another way again.");

  const auto decoder = isa::InstructionDecoder::create(set);
  if (!decoder) return;
  for (std::uint32_t high = 0; high < 64; ++high) {
    const std::array<std::uint32_t, 4> words = {high << 26 | high, high, 0xffffffff, 0};
    isa::DecodedInstruction decoded;
    if (!decoder->decode(words, &decoded)) continue;
    require(decoded.first.instruction < set.instructions.size(), "No such instruction.");
    require(decoded.size_bytes != 0 && decoded.size_bytes <= sizeof(words), "A size beyond words.");
  }
}

}  // namespace halyard::fuzz
