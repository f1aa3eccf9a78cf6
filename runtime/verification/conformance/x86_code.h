// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace halyard::verification {

// One x86-64 instruction as far as a look at it needs: how long it is, where it goes, and whether
// it asks something of the system or leaves its thread another way of computing: rounding, traps,
// subnormals, the direction of string instructions.
struct X86Instruction {
  std::uint32_t size_bytes = 0;
  // Of a branch or call by a constant distance, from the end of the instruction.
  std::optional<std::int64_t> distance;
  bool is_end = false;         // what follows is not run next: a return, jump or trap
  bool is_branch = false;      // direct or not; a call is one too
  std::string_view forbidden;  // "syscall", "wrpkru", "ldmxcsr", …; empty for what a kernel may do
};

// Decodes what stands first in `bytes`, which may be anything. Nothing where that is no instruction
// that compilers emit for user code, or is cut off.
std::optional<X86Instruction> decode_x86(std::string_view bytes);

}  // namespace halyard::verification
