// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

#include <cstdint>
#include <optional>
#include <string>

namespace halyard::isa {

// How the number of an operand is written.
struct NumberKind {
  std::uint32_t bits = 32;  // of one number: 16, 32 or 64
  bool is_float = false;
  bool is_pair = false;  // two numbers of 16 bits
};

// Of a data format; `bits` is the size of the operand, for a format that says none.
NumberKind number_kind(const DataFormat* format, std::uint32_t bits);

// The constant that a source code from 128 to 248 stands for; nothing for a code that is none.
std::optional<std::string> inline_constant_text(std::uint64_t code, NumberKind kind);

// The dword after an instruction, as an operand: a constant that has a short form is written so.
std::string literal_text(std::uint32_t literal, NumberKind kind);

// "0x1f", of any number of digits.
std::string hex_text(std::uint64_t value);

// A number from -16 to 64 in decimal, another one in hexadecimal.
std::string short_or_hex_text(std::uint32_t value);

}  // namespace halyard::isa
