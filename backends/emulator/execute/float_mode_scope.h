// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/state/wave.h"

#include <immintrin.h>

#include <cstdint>

namespace halyard::emulator::lanes {

// Makes the CPU round and treat denormals as the MODE of a wave says, for a scope. What is computed
// within must come from memory and go there: the compiler does not know that arithmetic depends on
// the scope.
class FloatModeScope {
 public:
  // `round` and `denormals` as in FloatMode.
  FloatModeScope(std::uint8_t round, std::uint8_t denormals) : saved_(_mm_getcsr()) {
    constexpr std::uint32_t kRound[] = {0, 2, 1, 3};  // nearest, up, down, towards zero
    std::uint32_t bits = 0x1f80 | kRound[round & 3] << 13;
    if ((denormals & 1) == 0) bits |= 0x0040;
    if ((denormals & 2) == 0) bits |= 0x8000;
    changes_ = ((bits ^ saved_) & 0xffc0) != 0;
    if (changes_) _mm_setcsr(bits);
    fence();
  }
  ~FloatModeScope() {
    fence();
    if (changes_) _mm_setcsr(saved_);
  }
  FloatModeScope(const FloatModeScope&) = delete;
  FloatModeScope& operator=(const FloatModeScope&) = delete;

 private:
  static void fence() { asm volatile("" ::: "memory"); }

  std::uint32_t saved_;
  bool changes_ = false;
};

// Round to nearest and denormals kept, which is what the CPU does outside of a scope.
inline bool is_default_single(const FloatMode& mode) {
  return mode.round_single == 0 && mode.denormals_single == 3;
}
inline bool is_default_other(const FloatMode& mode) {
  return mode.round_other == 0 && mode.denormals_other == 3 && !mode.half_overflow;
}

}  // namespace halyard::emulator::lanes
