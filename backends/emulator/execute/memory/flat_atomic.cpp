// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/atomic_operation.h"
#include "backends/emulator/execute/memory/flat_addresses.h"
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

// DATA holds what is stored and, behind it, what is compared with.
template <FlatFamily family, AtomicOp op, std::uint32_t bits>
void combine(Wave& wave, const Operation& operation) {
  using T = Word<bits>;
  LaneAddresses at;
  const AccessKind kind = atomic_of(segment_of(family), sizeof(T));
  if (!locate_lanes(family, wave, operation, kind, at)) return;
  const std::uint32_t data = operation.source[1].index;
  combine_lanes<op, T>(wave, at, data, compares(op) ? data + bits / 32 : kNoRow,
                       operation.returns_old_value ? operation.destination[0].index : kNoRow);
}

template <FlatFamily family, AtomicOp op, std::uint32_t bits>
Handler choose(const Operation& operation, const SemanticContext&) {
  const bool fits = operation.source[1].is_vector() && has_flat_address(family, operation) &&
                    (!operation.returns_old_value || operation.destination[0].is_vector());
  return fits ? combine<family, op, bits> : nullptr;
}

#define ATOMIC(name, op, bits) {FAMILY_NAME name, choose<FlatFamily::FAMILY, AtomicOp::op, bits>},

constexpr Semantic kSemantics[] = {
#define FAMILY kFlat
#define FAMILY_NAME "FLAT_"
#include "backends/emulator/execute/memory/atomic_names.inc"
#undef FAMILY
#undef FAMILY_NAME
#define FAMILY kGlobal
#define FAMILY_NAME "GLOBAL_"
#include "backends/emulator/execute/memory/atomic_names.inc"
#undef FAMILY
#undef FAMILY_NAME
};

#undef ATOMIC

}  // namespace

std::span<const Semantic> flat_atomic_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
