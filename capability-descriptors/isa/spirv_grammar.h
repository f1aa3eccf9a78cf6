// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"

#include <string_view>

namespace halyard::isa {

// Reads the grammar of SPIR-V's core, spirv.core.grammar.json of Khronos, as the instruction set
// "khronos/spirv1_6" of its version. The one encoding is the first word of an instruction; operands
// follow it in words of their own, so that no operand has a field. Kinds of operands are operand
// types; the type "IdRef?" is an IdRef that may be left out, "IdRef*" any number of them. What an
// enumerant asks for and its parameters are not kept. Kinds and capabilities that the grammar names
// and does not define are in `unresolved`.
//
// Errors: kCorruptData, as "<source_name>: <JSON pointer> <sentence>", for what has another form,
// and for a name that stands twice.
base::Result<InstructionSet> read_spirv_grammar(std::string_view text,
                                                std::string_view source_name);

}  // namespace halyard::isa
