// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard_types.h"

// Products of small matrices by the matrix instructions of the target, behind one interface.
//
// MatrixTile<T> multiplies 16 rows of A by 16 rows of B over 16 elements of K: a wave adds
// A * B^T to its 16 x 16 sums. Rows of A and B are contiguous along K.
//   Operand   what a lane holds of A or B: kOperandElements neighbours along K of row
//             lane % 16, from element first_k() on
//   Sums      what a lane holds of the sums: those of column lane % 16 and of the rows
//             first_row() + i * kRowStep
//
// gfx11 and gfx12 have f16 and bf16 (WMMA), gfx90a and gfx942 f32 too (MFMA). The instructions of
// gfx90a take subnormal numbers of 16 bits as 0. For bf16 that is kept; f16, whose subnormal
// numbers are as large as weights may be, is multiplied as f32 there, at a quarter of the rate.

namespace halyard {

#if defined(__GFX11__) || defined(__GFX12__)
#define HALYARD_HAS_MATRIX 1
#elif defined(__gfx90a__) || defined(__gfx942__)
#define HALYARD_HAS_MATRIX 1
#define HALYARD_HAS_MATRIX_F32 1
#endif

#if defined(HALYARD_HAS_MATRIX)

template <typename T>
struct MatrixTile {
#if defined(__GFX11__)
  static constexpr int kOperandElements = 16;  // the upper 16 lanes repeat the lower ones
  static constexpr int kSums = 8;
  static constexpr int kRowStep = 2;
#elif defined(__GFX12__)
  static constexpr int kOperandElements = 8;
  static constexpr int kSums = 8;
  static constexpr int kRowStep = 1;
#else
  static constexpr int kOperandElements = 4;
  static constexpr int kSums = 4;
  static constexpr int kRowStep = 1;
#endif

#if defined(__gfx90a__)
  static constexpr bool kIsMultipliedAsF32 = __is_same(T, f32) || __is_same(T, f16);
#else
  static constexpr bool kIsMultipliedAsF32 = __is_same(T, f32);
#endif

  struct alignas(sizeof(T) * kOperandElements < 16 ? sizeof(T) * kOperandElements : 16) Operand {
    T at[kOperandElements];
  };
  using Sums = Vector<float, kSums>;

  static HALYARD_MEMBER int first_row() {
#if defined(__GFX11__)
    return lane_index() / 16;
#else
    return kSums * (lane_index() / 16);
#endif
  }
  static HALYARD_MEMBER int column() {
    return lane_index() % 16;
  }

  static HALYARD_MEMBER int operand_row() {
    return lane_index() % 16;
  }
  static HALYARD_MEMBER int first_k() {
#if defined(__GFX11__)
    return 0;
#else
    return kOperandElements * (lane_index() / 16);
#endif
  }

  // The operand whose first row begins at `rows`, `stride` elements before the next one, from a
  // place that is a multiple of its alignment.
  static HALYARD_MEMBER Operand load(const T* rows, int stride) {
    return *reinterpret_cast<const Operand*>(rows + operand_row() * stride + first_k());
  }

  static HALYARD_MEMBER void multiply_add(const Operand& a, const Operand& b, Sums& sums) {
    using Halves = Vector<f16, kOperandElements>;
    using Bits = Vector<short, kOperandElements>;
    if constexpr (kIsMultipliedAsF32) {
#if defined(HALYARD_HAS_MATRIX_F32)
      // One instruction takes one element of K from each lane; which ones go together is free.
#pragma unroll
      for (int i = 0; i < kOperandElements; ++i) {
        sums =
            __builtin_amdgcn_mfma_f32_16x16x4f32(to_f32(a.at[i]), to_f32(b.at[i]), sums, 0, 0, 0);
      }
#else
      static_assert(!kIsMultipliedAsF32, "The target has no matrix instruction for f32.");
#endif
    } else if constexpr (__is_same(T, f16)) {
      const auto x = __builtin_bit_cast(Halves, a);
      const auto y = __builtin_bit_cast(Halves, b);
#if defined(__GFX11__)
      sums = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, sums);
#elif defined(__GFX12__)
      sums = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, sums);
#else
      sums = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, sums, 0, 0, 0);
#endif
    } else {
      const auto x = __builtin_bit_cast(Bits, a);
      const auto y = __builtin_bit_cast(Bits, b);
#if defined(__GFX11__)
      sums = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(x, y, sums);
#elif defined(__GFX12__)
      sums = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(x, y, sums);
#else
      sums = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(x, y, sums, 0, 0, 0);
#endif
    }
  }
};

#endif

}  // namespace halyard
