// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

#include <string>
#include <string_view>

namespace halyard::services {

// The name that an assembler takes.
std::string_view assembly_name(const isa::Instruction& instruction);

// How the lines of instruction_line() are read.
std::string_view instruction_line_key(const isa::InstructionSet& set);

// One line. Of machine code, the operands of the plainest form, then the encodings with their
// opcodes and the forms that some of them have; where the description of an instruction is how it
// is written, that, its opcode and what it needs.
//   V_FMA_F32 v:f32 = src:f32, src:f32, src:f32 | VOP3 0x213 +dpp8 +dpp16 +literal
//   %result = OpGroupNonUniformShuffle %IdResultType … | 345, needs GroupNonUniformShuffle
std::string instruction_line(const isa::InstructionSet& set, const isa::Instruction& instruction);

// "VOP3: 64 bits, first dword & 0xfc000000 = 0xd4000000; OP 16-25, VDST 0-7, …"
std::string encoding_line(const isa::Encoding& encoding);

// The name without what tells a form: "VOP3" of "ENC_VOP3" and "VOP3_VOP_DPP8".
std::string_view base_encoding_name(std::string_view name);

// The form that an encoding is: "literal", "dpp8", …; "" for the plain one.
std::string_view encoding_form_name(std::string_view name);

}  // namespace halyard::services
