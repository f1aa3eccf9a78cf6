// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_xml.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "runtime/base/file.h"

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <string>

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

// Files that are not the vendor's say so in their document; this is what they are.
constexpr const char* kReconstructed =
    "Rebuilt from tables that two MIT projects, tinygrad and amdgpu-lsp, derived from AMD's files "
    "of 2025-09-05. It is neither complete nor AMD's; import AMD's own file to replace it.";

// AMD's file, or a document that is to be written in the one form that the data has.
halyard::base::Result<halyard::isa::InstructionSet> read_set(const std::string& input) {
  const std::filesystem::path path = input;
  HALYARD_TRY_ASSIGN(const std::string text, halyard::base::read_text_file(input, kMostBytes));
  if (path.extension() == ".json")
    return halyard::isa::parse_instruction_set(text, path.filename().string());
  return halyard::isa::read_amd_isa_xml(text, path.filename().string());
}

// Writes the facts of the set at `input`, without its prose.
halyard::base::Status write_table(const std::string& input, const std::string& output) {
  HALYARD_TRY_ASSIGN(halyard::isa::InstructionSet set, read_set(input));
  if (set.basis == "reconstructed") set.note = kReconstructed;
  for (halyard::isa::Instruction& instruction : set.instructions)
    instruction.description.clear();
  return halyard::base::write_file_atomic(output, halyard::isa::write_instruction_set(set));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "Usage: halyard_instruction_tables AMDGPU_ISA.xml|TABLE.json "
                 "TABLE.instruction_set.json\n";
    return 2;
  }
  const halyard::base::Status written = write_table(argv[1], argv[2]);
  if (written) return 0;
  std::cerr << written.error().message() << '\n';
  return 1;
}
