// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/atomic_operation.h"
#include "backends/emulator/execute/memory/buffer_addresses.h"
#include "backends/emulator/execute/memory/flat_tables.h"
#include "backends/emulator/program/operand.h"

#include <cstdint>

namespace halyard::emulator {
namespace {

template <std::uint32_t bits>
using Word = std::conditional_t<bits == 32, std::uint32_t, std::uint64_t>;

constexpr bool compares(AtomicOp op) {
  return op == AtomicOp::kCompareSwap || op == AtomicOp::kCompareSwapFloat;
}

// VDATA holds what is stored and, behind it, what is compared with; old values go into it.
template <AtomicOp op, std::uint32_t bits>
void combine(Wave& wave, const Operation& operation) {
  using T = Word<bits>;
  LaneAddresses at;
  if (!locate_buffer(wave, operation, atomic_of(MemorySegment::kGlobal, sizeof(T)), at)) return;
  const std::uint32_t data = operation.source[1].index;
  combine_lanes<op, T>(wave, at, data, compares(op) ? data + bits / 32 : kNoRow,
                       operation.returns_old_value ? operation.destination[0].index : kNoRow);
}

template <AtomicOp op, std::uint32_t bits>
Handler choose(const Operation& operation, const SemanticContext&) {
  const bool fits = operation.source[1].is_vector() && has_buffer_address(operation) &&
                    (!operation.returns_old_value || operation.destination[0].is_vector());
  return fits && !operation.moves_to_lds ? combine<op, bits> : nullptr;
}

#define ATOMIC(name, op, bits) {"BUFFER_" name, choose<AtomicOp::op, bits>},

constexpr Semantic kSemantics[] = {
#include "backends/emulator/execute/memory/atomic_names.inc"
};

#undef ATOMIC

}  // namespace

std::span<const Semantic> buffer_atomic_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
