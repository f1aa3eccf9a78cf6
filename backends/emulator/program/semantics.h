// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/emulated_target.h"
#include "backends/emulator/program/operation.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace halyard::emulator {

// What a handler is chosen by, besides the operation itself.
struct SemanticContext {
  Generation generation = Generation::kGfx11;
  std::uint32_t lanes = 32;
};

// The handler of an operation whose operands and modifiers are filled; null for a form that is not
// executed.
using HandlerChoice = Handler (*)(const Operation& operation, const SemanticContext& context);

struct Semantic {
  std::string_view name;  // AMD's or an assembler's name of the instruction, upper case
  HandlerChoice choose;
};

// Each set of instructions in one file of execute/; names are unique over all of them.
std::span<const Semantic> scalar_semantics();   // SOP1, SOP2, SOPC, SOPK
std::span<const Semantic> control_semantics();  // SOPP and hardware registers
std::span<const Semantic> vector_float_semantics();
std::span<const Semantic> vector_integer_semantics();
std::span<const Semantic> vector_compare_semantics();
std::span<const Semantic> vector_convert_semantics();
std::span<const Semantic> vector_packed_semantics();  // VOP3P without matrices and dot products
std::span<const Semantic> lane_semantics();           // readlane, permlane, …
std::span<const Semantic> scalar_memory_semantics();
std::span<const Semantic> lds_semantics();
std::span<const Semantic> global_memory_semantics();  // FLAT, GLOBAL, SCRATCH
std::span<const Semantic> buffer_memory_semantics();
std::span<const Semantic> matrix_semantics();  // WMMA, MFMA
std::span<const Semantic> dot_semantics();

// The handler of an operation: wrapped where its lanes are permuted, a part of a register is
// selected, or two are issued together. Null where it is not executed. Sets operation.wrapped too.
Handler choose_handler(Operation& operation, const SemanticContext& context);

}  // namespace halyard::emulator
