// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"

#include <string>
#include <string_view>

namespace halyard::object {

// The target that an AMDGCN code object says it is for, in Halyard's words:
// "amdgcn-gfx942:sramecc+:xnack-". A feature that the object leaves open is not named.
// Errors: kCorruptData, with `source_name` and the offset, for bytes that are no AMDGCN ELF file;
// kUnsupported for a processor whose number is not known.
base::Result<std::string> target_of(std::string_view bytes, std::string_view source_name);

// Lines for people: target, metadata, kernel descriptors, and the code with symbols and labels,
// each instruction followed by its offset and dwords. Dwords that are no instruction of `set` are
// printed as ".long" and are no error.
// Errors: as target_of, and kCorruptData for sections, symbols or notes beyond the file.
base::Result<std::string> disassemble_object(std::string_view bytes, std::string_view source_name,
                                             const isa::InstructionSet& set);

}  // namespace halyard::object
