// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/operand_flags.h"

#include "runtime/base/text.h"

#include <array>

namespace halyard::isa {
namespace {

struct OperandFlag {
  char letter;
  bool Operand::*member;
};
constexpr std::array<OperandFlag, 4> kFlags = {{
    {'i', &Operand::input},
    {'o', &Operand::output},
    {'h', &Operand::is_implicit},
    {'m', &Operand::in_microcode},
}};

}  // namespace

std::string operand_flags(const Operand& operand) {
  std::string letters;
  for (const OperandFlag& flag : kFlags) {
    if (operand.*flag.member) letters.push_back(flag.letter);
  }
  return letters;
}

base::Status read_operand_flags(const JsonList& list, std::size_t index, Operand& operand) {
  HALYARD_TRY_ASSIGN(const std::string_view letters, list.text(index));
  std::size_t read = 0;
  for (const OperandFlag& flag : kFlags) {
    if (read == letters.size() || letters[read] != flag.letter) continue;
    operand.*flag.member = true;
    ++read;
  }
  if (read != letters.size())
    return list.error(index, base::concat("is \"", letters, "\", not letters of iohm in order"));
  return base::ok();
}

}  // namespace halyard::isa
