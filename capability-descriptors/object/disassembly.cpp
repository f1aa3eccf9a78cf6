// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/disassembly.h"

#include "capability-descriptors/isa/instruction_decoder.h"
#include "capability-descriptors/object/amdgpu_object.h"
#include "capability-descriptors/object/code_listing.h"
#include "runtime/base/text.h"

#include <elf.h>

namespace halyard::object {
namespace {

using base::concat;
using base::Result;

}  // namespace

Result<std::string> target_of(std::string_view bytes, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const AmdgpuObject object, parse_amdgpu_object(bytes, source_name));
  return concat("amdgcn-", object.target.id());
}

Result<std::string> disassemble_object(std::string_view bytes, std::string_view source_name,
                                       const isa::InstructionSet& set) {
  HALYARD_TRY_ASSIGN(const AmdgpuObject object, parse_amdgpu_object(bytes, source_name));
  HALYARD_TRY_ASSIGN(const isa::InstructionDecoder decoder, isa::InstructionDecoder::create(set));
  std::string out = concat("  .amdgcn_target \"amdgcn-amd-amdhsa--", object.target.id(), "\"\n",
                           "  .amdhsa_code_object_version ", object.code_object_version, '\n');
  CodeListing listing(object, set, decoder);
  for (std::uint32_t i = 0; i < object.elf.sections.size(); ++i) {
    const ElfSection& section = object.elf.sections[i];
    if (section.type == SHT_PROGBITS && (section.flags & SHF_EXECINSTR) != 0) {
      listing.append_section(out, i);
    }
  }
  if (!object.kernels.empty()) out += "\n  .section .rodata,\"a\"\n";
  for (const ObjectKernel& kernel : object.kernels) {
    out += concat('\n', kernel_descriptor_text(kernel.descriptor, object.target,
                                               assembler_name(kernel.name)));
  }
  if (object.metadata) {
    out += concat("\n  .amdgpu_metadata\n---\n", metadata_text(object.metadata->document),
                  "...\n  .end_amdgpu_metadata\n");
  }
  return out;
}

}  // namespace halyard::object
