// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/float_rows.h"

namespace halyard::emulator::lanes {

// The half that the low result (op_sel), or the high one (op_sel_hi), is computed from.
struct PackedSelectors {
  explicit PackedSelectors(const Operation& operation) {
    // VOP2 has no selectors: the halves stay where they are.
    const bool has_fields = operation.family == isa::EncodingFamily::kVop3p;
    low = has_fields ? operation.op_sel : std::uint8_t{0};
    high = has_fields ? operation.op_sel_hi : std::uint8_t{7};
  }
  U32 of_low(U32 value, int source) const { return part(value, low >> source & 1); }
  U32 of_high(U32 value, int source) const { return part(value, high >> source & 1); }

  std::uint8_t low = 0;
  std::uint8_t high = 7;

 private:
  static U32 part(U32 value, int is_high) {
    return (U32)_mm256_srl_epi32((__m256i)value, _mm_cvtsi32_si128(16 * is_high)) & 0xffffu;
  }
};

// Functions of two or three numbers of 16 bits, for each half.
template <int kCount, auto kFunction>
void run_packed_u16(Wave& wave, const Operation& operation) {
  const Sources<kCount> sources(wave, operation);
  const PackedSelectors selectors(operation);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    U32 low[kCount]{};
    U32 high[kCount]{};
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) {
      const U32 value = sources.block(i, lane);
      low[i] = selectors.of_low(value, i);
      high[i] = selectors.of_high(value, i);
    }
    return (call<kFunction, kCount>(low) & 0xffffu) | call<kFunction, kCount>(high) << 16;
  });
}

}  // namespace halyard::emulator::lanes
