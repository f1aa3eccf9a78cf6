// SPDX-License-Identifier: Apache-2.0
// Code objects, and what is no ELF file as the metadata of one.

#include "capability-descriptors/object/amdgpu_metadata.h"
#include "capability-descriptors/object/amdgpu_object.h"
#include "capability-descriptors/object/disassembly.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/shipped_sets.h"

#include <utility>
#include <vector>

namespace {

namespace fuzz = halyard::fuzz;
namespace isa = halyard::isa;
namespace object = halyard::object;

// A few instructions of a set, so that its tables are made in no time; all of them are the matter
// of instruction_decoder_fuzz.cpp.
const isa::InstructionSet& few_instructions() {
  static const isa::InstructionSet set = [] {
    constexpr std::size_t kStep = 40;
    isa::InstructionSet some = fuzz::shipped_sets().front();
    std::vector<isa::Instruction> kept;
    for (std::size_t i = 0; i < some.instructions.size(); i += kStep)
      kept.push_back(std::move(some.instructions[i]));
    some.instructions = std::move(kept);
    return some;
  }();
  return set;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  if (!bytes.starts_with("\177ELF")) {
    const auto metadata = object::parse_amdgpu_metadata(bytes, "fuzz");
    if (metadata) static_cast<void>(object::metadata_text(metadata->document));
    return 0;
  }
  static_cast<void>(object::parse_amdgpu_object(bytes, "fuzz"));
  static_cast<void>(object::target_of(bytes, "fuzz"));
  static_cast<void>(object::disassemble_object(bytes, "fuzz", few_instructions()));
  return 0;
}
