// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/atomic_operation.h"
#include "backends/emulator/execute/memory/lds_access.h"
#include "backends/emulator/execute/memory/lds_tables.h"
#include "backends/emulator/execute/memory/semantic_table.h"

#include <cstdint>

namespace halyard::emulator {
namespace {

// Where the values of an operation with two of them are.
enum class Order : std::uint8_t {
  kOne,
  kDataFirst,   // DATA0 is stored or is the mask, DATA1 the other
  kDataSecond,  // gfx9 compares with DATA0 and stores DATA1
};

template <AtomicOp op, typename T, Order order>
void combine(Wave& wave, const Operation& operation) {
  LaneAddresses at;
  if (!locate_lds(wave, operation, atomic_of(MemorySegment::kLds, sizeof(T)), at)) return;
  const Operand& result = operation.destination[0];
  std::uint32_t data = operation.source[1].index;
  std::uint32_t second = order == Order::kOne ? kNoRow : operation.source[2].index;
  if (order == Order::kDataSecond) std::swap(data, second);
  combine_lanes<op, T>(wave, at, data, second, result.is_vector() ? result.index : kNoRow);
}

// Exchanges two places of each lane; the first one's old value comes first.
template <typename T, std::uint32_t stride>
void exchange_pair(Wave& wave, const Operation& operation) {
  LaneAddresses first;
  LaneAddresses second;
  const AccessKind kind = atomic_of(MemorySegment::kLds, sizeof(T));
  const std::uint64_t unit = sizeof(T) * std::uint64_t{stride};
  if (!lds_addresses(wave, operation, operation.offset0 * unit, first) ||
      !lds_addresses(wave, operation, operation.offset1 * unit, second) ||
      !locate(wave, operation, kind, first) || !locate(wave, operation, kind, second))
    return;
  const std::uint32_t result = operation.destination[0].index;
  // The results may lie where the second data is.
  for_each_lane(wave, first.lanes, [&](std::uint32_t lane) {
    const T data = read_register<T>(wave, operation.source[1].index, lane);
    const T other = read_register<T>(wave, operation.source[2].index, lane);
    const T old = exchange<AtomicOp::kSwap, T>(first.bytes(lane), data, T{0});
    const T old_other = exchange<AtomicOp::kSwap, T>(second.bytes(lane), other, T{0});
    write_register<T>(wave, result, lane, old);
    write_register<T>(wave, result + sizeof(T) / 4, lane, old_other);
  });
}

template <Handler handler, bool has_second, bool has_result>
Handler with_operands(const Operation& operation, const SemanticContext&) {
  const bool fits = operation.source[0].is_vector() && operation.source[1].is_vector() &&
                    (!has_second || operation.source[2].is_vector()) &&
                    (!has_result || operation.destination[0].is_vector());
  return fits ? handler : nullptr;
}

using U32 = std::uint32_t;
using U64 = std::uint64_t;

template <AtomicOp op, typename T, Order order, bool has_result>
constexpr HandlerChoice kAtomic =
    with_operands<combine<op, T, order>, order != Order::kOne, has_result>;
template <typename T, std::uint32_t stride>
constexpr HandlerChoice kExchangePair = with_operands<exchange_pair<T, stride>, true, true>;

// An operation without and with a result; `head` and `tail` are around "_RTN".
#define HALYARD_ATOMIC(head, tail, op, type, order)                   \
  {head tail, kAtomic<AtomicOp::op, type, Order::order, false>}, {    \
    head "_RTN" tail, kAtomic<AtomicOp::op, type, Order::order, true> \
  }

constexpr Semantic kSemantics[] = {
    HALYARD_ATOMIC("DS_ADD", "_U32", kAdd, U32, kOne),
    HALYARD_ATOMIC("DS_SUB", "_U32", kSub, U32, kOne),
    HALYARD_ATOMIC("DS_RSUB", "_U32", kReverseSub, U32, kOne),
    HALYARD_ATOMIC("DS_INC", "_U32", kIncrement, U32, kOne),
    HALYARD_ATOMIC("DS_DEC", "_U32", kDecrement, U32, kOne),
    HALYARD_ATOMIC("DS_MIN", "_I32", kMinSigned, U32, kOne),
    HALYARD_ATOMIC("DS_MAX", "_I32", kMaxSigned, U32, kOne),
    HALYARD_ATOMIC("DS_MIN", "_U32", kMinUnsigned, U32, kOne),
    HALYARD_ATOMIC("DS_MAX", "_U32", kMaxUnsigned, U32, kOne),
    HALYARD_ATOMIC("DS_AND", "_B32", kAnd, U32, kOne),
    HALYARD_ATOMIC("DS_OR", "_B32", kOr, U32, kOne),
    HALYARD_ATOMIC("DS_XOR", "_B32", kXor, U32, kOne),
    HALYARD_ATOMIC("DS_MSKOR", "_B32", kMaskedOr, U32, kDataFirst),
    HALYARD_ATOMIC("DS_CMPST", "_B32", kCompareSwap, U32, kDataSecond),
    HALYARD_ATOMIC("DS_CMPST", "_F32", kCompareSwapFloat, U32, kDataSecond),
    HALYARD_ATOMIC("DS_CMPSTORE", "_B32", kCompareSwap, U32, kDataFirst),
    HALYARD_ATOMIC("DS_CMPSTORE", "_F32", kCompareSwapFloat, U32, kDataFirst),
    HALYARD_ATOMIC("DS_ADD", "_F32", kAddFloat, U32, kOne),
    HALYARD_ATOMIC("DS_MIN", "_F32", kMinFloat, U32, kOne),
    HALYARD_ATOMIC("DS_MAX", "_F32", kMaxFloat, U32, kOne),
    HALYARD_ATOMIC("DS_MIN_NUM", "_F32", kMinNumber, U32, kOne),
    HALYARD_ATOMIC("DS_MAX_NUM", "_F32", kMaxNumber, U32, kOne),
    HALYARD_ATOMIC("DS_PK_ADD", "_F16", kAddHalves, U32, kOne),
    HALYARD_ATOMIC("DS_PK_ADD", "_BF16", kAddBrains, U32, kOne),
    HALYARD_ATOMIC("DS_SUB_CLAMP", "_U32", kSubClamp, U32, kOne),
    HALYARD_ATOMIC("DS_COND_SUB", "_U32", kCondSub, U32, kOne),
    HALYARD_ATOMIC("DS_ADD", "_U64", kAdd, U64, kOne),
    HALYARD_ATOMIC("DS_SUB", "_U64", kSub, U64, kOne),
    HALYARD_ATOMIC("DS_RSUB", "_U64", kReverseSub, U64, kOne),
    HALYARD_ATOMIC("DS_INC", "_U64", kIncrement, U64, kOne),
    HALYARD_ATOMIC("DS_DEC", "_U64", kDecrement, U64, kOne),
    HALYARD_ATOMIC("DS_MIN", "_I64", kMinSigned, U64, kOne),
    HALYARD_ATOMIC("DS_MAX", "_I64", kMaxSigned, U64, kOne),
    HALYARD_ATOMIC("DS_MIN", "_U64", kMinUnsigned, U64, kOne),
    HALYARD_ATOMIC("DS_MAX", "_U64", kMaxUnsigned, U64, kOne),
    HALYARD_ATOMIC("DS_AND", "_B64", kAnd, U64, kOne),
    HALYARD_ATOMIC("DS_OR", "_B64", kOr, U64, kOne),
    HALYARD_ATOMIC("DS_XOR", "_B64", kXor, U64, kOne),
    HALYARD_ATOMIC("DS_MSKOR", "_B64", kMaskedOr, U64, kDataFirst),
    HALYARD_ATOMIC("DS_CMPST", "_B64", kCompareSwap, U64, kDataSecond),
    HALYARD_ATOMIC("DS_CMPST", "_F64", kCompareSwapFloat, U64, kDataSecond),
    HALYARD_ATOMIC("DS_CMPSTORE", "_B64", kCompareSwap, U64, kDataFirst),
    HALYARD_ATOMIC("DS_CMPSTORE", "_F64", kCompareSwapFloat, U64, kDataFirst),
    HALYARD_ATOMIC("DS_ADD", "_F64", kAddFloat, U64, kOne),
    HALYARD_ATOMIC("DS_MIN", "_F64", kMinFloat, U64, kOne),
    HALYARD_ATOMIC("DS_MAX", "_F64", kMaxFloat, U64, kOne),
    HALYARD_ATOMIC("DS_MIN_NUM", "_F64", kMinNumber, U64, kOne),
    HALYARD_ATOMIC("DS_MAX_NUM", "_F64", kMaxNumber, U64, kOne),
    {"DS_WRAP_RTN_B32", kAtomic<AtomicOp::kWrap, U32, Order::kDataFirst, true>},
    {"DS_WRXCHG_RTN_B32", kAtomic<AtomicOp::kSwap, U32, Order::kOne, true>},
    {"DS_WRXCHG_RTN_B64", kAtomic<AtomicOp::kSwap, U64, Order::kOne, true>},
    {"DS_WRXCHG2_RTN_B32", kExchangePair<U32, 1>},
    {"DS_WRXCHG2_RTN_B64", kExchangePair<U64, 1>},
    {"DS_WRXCHG2ST64_RTN_B32", kExchangePair<U32, 64>},
    {"DS_WRXCHG2ST64_RTN_B64", kExchangePair<U64, 64>},
    {"DS_STOREXCHG_RTN_B32", kAtomic<AtomicOp::kSwap, U32, Order::kOne, true>},
    {"DS_STOREXCHG_RTN_B64", kAtomic<AtomicOp::kSwap, U64, Order::kOne, true>},
    {"DS_STOREXCHG_2ADDR_RTN_B32", kExchangePair<U32, 1>},
    {"DS_STOREXCHG_2ADDR_RTN_B64", kExchangePair<U64, 1>},
    {"DS_STOREXCHG_2ADDR_STRIDE64_RTN_B32", kExchangePair<U32, 64>},
    {"DS_STOREXCHG_2ADDR_STRIDE64_RTN_B64", kExchangePair<U64, 64>},
};

#undef HALYARD_ATOMIC

}  // namespace

std::span<const Semantic> lds_atomic_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
