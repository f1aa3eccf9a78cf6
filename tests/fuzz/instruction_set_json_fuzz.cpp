// SPDX-License-Identifier: Apache-2.0
// Instruction sets, corrections of them, and SPIR-V's grammar, which is read into one.

#include "capability-descriptors/isa/correction.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "capability-descriptors/isa/spirv_grammar.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/instruction_set_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace isa = halyard::isa;
  const std::string_view text = halyard::fuzz::text_of(data, size);
  if (const auto set = isa::parse_instruction_set(text, "fuzz.json")) {
    halyard::fuzz::check_instruction_set(*set);
  } else if (const auto grammar = isa::read_spirv_grammar(text, "fuzz.json")) {
    halyard::fuzz::check_instruction_set(*grammar);
  } else if (const auto corrections = isa::parse_corrections(text, "fuzz.json")) {
    isa::InstructionSet empty;
    for (const isa::Correction& correction : *corrections) {
      if (!correction.architectures.empty()) empty.id = correction.architectures.front();
    }
    static_cast<void>(isa::apply_corrections(*corrections, empty));
  }
  return 0;
}
