// SPDX-License-Identifier: Apache-2.0
// The first byte picks an instruction set and the wave's width; dwords follow.

#include "capability-descriptors/isa/instruction_decoder.h"
#include "capability-descriptors/isa/operand_text.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/shipped_sets.h"

#include <array>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace {

namespace fuzz = halyard::fuzz;
namespace isa = halyard::isa;

// One instruction set, ready for both widths.
struct Disassembler {
  explicit Disassembler(const isa::InstructionSet& from, isa::InstructionDecoder with)
      : set(from),
        decoder(std::move(with)),
        writers{isa::InstructionWriter(from, 32), isa::InstructionWriter(from, 64)} {}

  const isa::InstructionSet& set;
  isa::InstructionDecoder decoder;
  std::array<isa::InstructionWriter, 2> writers;
};

std::vector<Disassembler> make_disassemblers() {
  std::vector<Disassembler> all;
  for (const isa::InstructionSet& set : fuzz::shipped_sets()) {
    auto decoder = isa::InstructionDecoder::create(set);
    if (!decoder) fuzz::require(false, decoder.error().message());
    all.emplace_back(set, std::move(*decoder));
  }
  return all;
}

void write_all(const Disassembler& with, const isa::InstructionWriter& writer,
               std::span<const std::uint32_t> words) {
  while (!words.empty()) {
    isa::DecodedInstruction decoded;
    std::size_t count = 1;
    if (with.decoder.decode(words, &decoded)) {
      fuzz::require(decoded.first.instruction < with.set.instructions.size(),
                    "No such instruction.");
      count = decoded.size_bytes / sizeof(std::uint32_t);
      fuzz::require(count != 0 && count <= words.size(), "An instruction beyond its words.");
      fuzz::require(!writer.text(decoded, words).empty(), "An instruction without text.");
      static_cast<void>(writer.branch_distance(decoded, words));
    }
    words = words.subspan(count);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Disassembler> all = make_disassemblers();
  if (size == 0) return 0;
  const Disassembler& chosen = all[data[0] / 2 % all.size()];
  std::vector<std::uint32_t> words((size - 1) / sizeof(std::uint32_t));
  if (words.empty()) return 0;
  std::memcpy(words.data(), data + 1, words.size() * sizeof(std::uint32_t));
  write_all(chosen, chosen.writers[data[0] % 2], words);
  return 0;
}
