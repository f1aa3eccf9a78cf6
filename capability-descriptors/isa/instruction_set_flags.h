// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

#include <array>
#include <string_view>

namespace halyard::isa {

struct InstructionFlag {
  std::string_view name;  // in documents
  std::optional<bool> Instruction::*member;
};

inline constexpr std::array<InstructionFlag, 5> kInstructionFlags = {{
    {"branch", &Instruction::is_branch},
    {"conditional_branch", &Instruction::is_conditional_branch},
    {"indirect_branch", &Instruction::is_indirect_branch},
    {"terminator", &Instruction::is_terminator},
    {"immediately_executed", &Instruction::is_immediately_executed},
}};

}  // namespace halyard::isa
