// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/memory/lane_transfer.h"

#include <immintrin.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace halyard::emulator {

enum class AtomicOp : std::uint8_t {
  kSwap,
  kCompareSwap,       // `second` is what the old value is compared with
  kCompareSwapFloat,  // compared as floats
  kAdd,
  kSub,
  kReverseSub,
  kMinSigned,
  kMaxSigned,
  kMinUnsigned,
  kMaxUnsigned,
  kAnd,
  kOr,
  kXor,
  kMaskedOr,  // `data` is the mask, `second` the bits
  kIncrement,
  kDecrement,
  kWrap,      // subtracts `data` where it can, else adds `second`
  kSubClamp,  // at 0
  kCondSub,   // where it does not become negative
  // Floats; to nearest even, denormals kept. The documents leave to the memory what it does with
  // denormals.
  kAddFloat,
  kMinFloat,  // the old value where one of the two is not a number
  kMaxFloat,
  kMinNumber,  // IEEE minimumNumber
  kMaxNumber,
  kAddHalves,  // two f16
  kAddBrains,  // two bf16
};

// bf16, to nearest even; a NaN stays one, made quiet.
inline std::uint16_t brain_of(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float float_of_brain(std::uint32_t bits) {
  return std::bit_cast<float>(bits << 16);
}

// Sums of f16 and bf16 in single precision are exact enough: rounding twice changes nothing.
inline std::uint32_t sum_of_halves(std::uint32_t a, std::uint32_t b) {
  const auto sum = [](std::uint32_t x, std::uint32_t y) {
    const float total =
        _cvtsh_ss(static_cast<std::uint16_t>(x)) + _cvtsh_ss(static_cast<std::uint16_t>(y));
    return std::uint32_t{_cvtss_sh(total, _MM_FROUND_TO_NEAREST_INT)};
  };
  return sum(a & 0xffff, b & 0xffff) | sum(a >> 16, b >> 16) << 16;
}

inline std::uint32_t sum_of_brains(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t low = brain_of(float_of_brain(a & 0xffff) + float_of_brain(b & 0xffff));
  const std::uint32_t high = brain_of(float_of_brain(a >> 16) + float_of_brain(b >> 16));
  return low | high << 16;
}

template <AtomicOp op, typename Float>
inline Float combined_float(Float old, Float data) {
  if constexpr (op == AtomicOp::kAddFloat) return old + data;
  if constexpr (op == AtomicOp::kMinFloat) return data < old ? data : old;
  if constexpr (op == AtomicOp::kMaxFloat) return data > old ? data : old;
  constexpr bool kIsMinimum = op == AtomicOp::kMinNumber;
  if (old != old) return data != data ? data + data : data;
  if (data != data) return old;
  if (old == 0 && data == 0) return std::signbit(data) == kIsMinimum ? data : old;
  return (data < old) == kIsMinimum ? data : old;
}

// What memory holds after the operation. T is an unsigned integer of 32 or 64 bits.
template <AtomicOp op, typename T>
inline T combined(T old, T data, T second) {
  using Signed = std::make_signed_t<T>;
  using Float = std::conditional_t<sizeof(T) == 4, float, double>;
  const auto is_less = [](T a, T b) { return static_cast<Signed>(a) < static_cast<Signed>(b); };
  if constexpr (op == AtomicOp::kSwap) return data;
  if constexpr (op == AtomicOp::kCompareSwap) return old == second ? data : old;
  if constexpr (op == AtomicOp::kCompareSwapFloat)
    return std::bit_cast<Float>(old) == std::bit_cast<Float>(second) ? data : old;
  if constexpr (op == AtomicOp::kAdd) return old + data;
  if constexpr (op == AtomicOp::kSub) return old - data;
  if constexpr (op == AtomicOp::kReverseSub) return data - old;
  if constexpr (op == AtomicOp::kMinSigned) return is_less(data, old) ? data : old;
  if constexpr (op == AtomicOp::kMaxSigned) return is_less(old, data) ? data : old;
  if constexpr (op == AtomicOp::kMinUnsigned) return data < old ? data : old;
  if constexpr (op == AtomicOp::kMaxUnsigned) return old < data ? data : old;
  if constexpr (op == AtomicOp::kAnd) return old & data;
  if constexpr (op == AtomicOp::kOr) return old | data;
  if constexpr (op == AtomicOp::kXor) return old ^ data;
  if constexpr (op == AtomicOp::kMaskedOr) return (old & ~data) | second;
  if constexpr (op == AtomicOp::kIncrement) return old >= data ? 0 : old + 1;
  if constexpr (op == AtomicOp::kDecrement) return old == 0 || old > data ? data : old - 1;
  if constexpr (op == AtomicOp::kWrap) return old >= data ? old - data : old + second;
  if constexpr (op == AtomicOp::kSubClamp) return old < data ? 0 : old - data;
  if constexpr (op == AtomicOp::kCondSub) return old < data ? old : old - data;
  if constexpr (op == AtomicOp::kAddHalves) return sum_of_halves(old, data);
  if constexpr (op == AtomicOp::kAddBrains) return sum_of_brains(old, data);
  if constexpr (op >= AtomicOp::kAddFloat && op <= AtomicOp::kMaxNumber) {
    return std::bit_cast<T>(
        combined_float<op, Float>(std::bit_cast<Float>(old), std::bit_cast<Float>(data)));
  }
}

template <typename T>
inline T read_register(const Wave& wave, std::uint32_t row, std::uint32_t lane) {
  T value = wave.row(row)[lane];
  if constexpr (sizeof(T) == 8) value |= std::uint64_t{wave.row(row + 1)[lane]} << 32;
  return value;
}

template <typename T>
inline void write_register(Wave& wave, std::uint32_t row, std::uint32_t lane, T value) {
  wave.row(row)[lane] = static_cast<std::uint32_t>(value);
  if constexpr (sizeof(T) == 8) wave.row(row + 1)[lane] = static_cast<std::uint32_t>(value >> 32);
}

// The old value. Other threads may do the same to the same bytes.
template <AtomicOp op, typename T>
inline T exchange(std::byte* at, T data, T second) {
  T old = read_as<T>(at);
  if (reinterpret_cast<std::uintptr_t>(at) % sizeof(T) != 0) {
    const T value = combined<op, T>(old, data, second);
    std::memcpy(at, &value, sizeof(T));
    return old;
  }
  T* word = reinterpret_cast<T*>(at);
  old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, combined<op, T>(old, data, second), true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

inline constexpr std::uint32_t kNoRow = 0xffffffff;

// Lane after lane. The data is in the rows from `data` and `second` on; the old values go to those
// from `result` on. `second` and `result` may be kNoRow.
template <AtomicOp op, typename T>
inline void combine_lanes(Wave& wave, const LaneAddresses& at, std::uint32_t data,
                          std::uint32_t second, std::uint32_t result) {
  for_each_lane(wave, at.lanes, [&](std::uint32_t lane) {
    const T first = read_register<T>(wave, data, lane);
    const T other = second == kNoRow ? T{0} : read_register<T>(wave, second, lane);
    const T old = exchange<op, T>(at.bytes(lane), first, other);
    if (result != kNoRow) write_register<T>(wave, result, lane, old);
  });
}

}  // namespace halyard::emulator
