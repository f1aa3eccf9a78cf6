// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/operand_wrappers.h"
#include "backends/emulator/execute/vector_rows.h"

#include <algorithm>

namespace halyard::emulator {
namespace {

constexpr std::uint8_t kDword = 6;

struct Part {
  std::uint32_t shift = 0;
  std::uint32_t bits = 32;
};
Part part_of(std::uint8_t selector) {
  if (selector < 4) return {8u * selector, 8};
  if (selector < kDword) return {16u * (selector - 4u), 16};
  return {};
}

std::uint32_t extract(std::uint32_t value, std::uint8_t selector, bool sign_extend) {
  const Part part = part_of(selector);
  if (part.bits == 32) return value;
  const std::uint32_t top = value << (32 - part.shift - part.bits);
  const std::uint32_t down = 32 - part.bits;
  return sign_extend ? static_cast<std::uint32_t>(static_cast<std::int32_t>(top) >> down)
                     : top >> down;
}

// The result in its part of the register; the rest is 0, the sign or what it was.
std::uint32_t insert(std::uint32_t old, std::uint32_t result, const SubDwordSelection& selection) {
  const Part part = part_of(selection.destination);
  if (part.bits == 32) return result;
  const std::uint32_t mask = ((1u << part.bits) - 1) << part.shift;
  const std::uint32_t placed = result << part.shift & mask;
  if (selection.unused == 2) return (old & ~mask) | placed;
  if (selection.unused == 1 && (result >> (part.bits - 1) & 1) != 0) {
    const std::uint32_t above = ~(mask | (mask - (1u << part.shift)) | ((1u << part.shift) - 1));
    return placed | above;
  }
  return placed;
}

void run_sub_dword(Wave& wave, const Operation& operation) {
  const SubDwordSelection& selection = *operation.sub_dword;
  Operation inner = operation;
  for (std::size_t i = 0; i < 2; ++i) {
    const Operand& source = operation.source[i];
    if (!source.is_present() || selection.source[i] == kDword) continue;
    const auto row = static_cast<std::uint16_t>(kTemporaryRow + i);
    std::uint32_t* const to = wave.row(row);
    for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
      const std::uint32_t value =
          source.is_vector() ? wave.row(source.index)[lane] : lanes::scalar_value(wave, source);
      to[lane] = extract(value, selection.source[i], selection.sign_extend[i]);
    }
    inner.source[i].kind = OperandKind::kVector;
    inner.source[i].index = row;
  }
  Operand& destination = inner.destination[0];
  if (!destination.is_vector() || selection.destination == kDword) {
    operation.wrapped(wave, inner);
    return;
  }
  std::uint32_t* const out = wave.row(destination.index);
  destination.index = kTemporaryRow + 2;
  std::uint32_t* const result = wave.row(destination.index);
  // What is accumulated is the whole register.
  std::copy_n(out, wave.lanes, result);
  operation.wrapped(wave, inner);
  const std::uint64_t exec = wave.exec();
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
    if (exec >> lane & 1) out[lane] = insert(out[lane], result[lane], selection);
  }
}

}  // namespace

Handler choose_sub_dword(const Operation& operation, const SemanticContext&) {
  const auto is_wide = [](const Operand& operand) {
    return operand.is_vector() && operand.dwords > 1;
  };
  // A wide result is whole, as that of v_cvt_pk_f32_fp8.
  const bool is_partial = operation.sub_dword->destination != kDword;
  if ((is_partial && is_wide(operation.destination[0])) || is_wide(operation.source[0]) ||
      is_wide(operation.source[1])) {
    return nullptr;
  }
  return &run_sub_dword;
}

}  // namespace halyard::emulator
