// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/vector_rows.h"

#include "backends/emulator/memory/address_space.h"

namespace halyard::emulator::lanes {

std::uint64_t wide_scalar_value(const Wave& wave, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::kScalar:
      return wave.scalar64(operand.index);
    case OperandKind::kConstant:
      return operand.constant;
    case OperandKind::kSharedBase:
      return std::uint64_t{kSharedAperture} << 32;
    case OperandKind::kSharedLimit:
      return std::uint64_t{kSharedAperture} << 32 | 0xffffffffu;
    case OperandKind::kPrivateBase:
      return std::uint64_t{kPrivateAperture} << 32;
    case OperandKind::kPrivateLimit:
      return std::uint64_t{kPrivateAperture} << 32 | 0xffffffffu;
    default:
      return scalar_value(wave, operand);
  }
}

bool has_vector_form(const Operation& operation, int count) {
  if (!operation.destination[0].is_vector()) return false;
  for (int i = 0; i < count; ++i) {
    const Operand& source = operation.source[static_cast<std::size_t>(i)];
    if (!source.is_present() || source.kind == OperandKind::kLdsDirect) return false;
  }
  return true;
}

}  // namespace halyard::emulator::lanes
