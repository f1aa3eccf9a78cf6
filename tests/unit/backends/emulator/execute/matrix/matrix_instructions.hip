// SPDX-License-Identifier: Apache-2.0
// One matrix instruction or dot product in each kernel, with operands from memory as they are: for
// each lane 16 dwords of A, 16 of B, 32 of C and one more. Compiled for several processors.
template <typename T, int N>
using Vector = T __attribute__((ext_vector_type(N)));

using f16x2 = Vector<_Float16, 2>;
using f16x4 = Vector<_Float16, 4>;
using f16x8 = Vector<_Float16, 8>;
using f16x16 = Vector<_Float16, 16>;
using s16x2 = Vector<short, 2>;
using s16x4 = Vector<short, 4>;
using s16x16 = Vector<short, 16>;
using bf16x2 = Vector<__bf16, 2>;
using i2 = Vector<int, 2>;
using i4 = Vector<int, 4>;
using i8 = Vector<int, 8>;
using f2 = Vector<float, 2>;
using f4 = Vector<float, 4>;
using f8 = Vector<float, 8>;
using f32 = Vector<float, 32>;
using d4 = Vector<double, 4>;

constexpr int kDwords = 68;

template <typename T>
__attribute__((device)) T load(const int* from) {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}

// Parentheses around the expression keep its commas.
#define KERNEL(name, TypeA, TypeB, TypeC, expression)                                              \
  extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 64))) void name(const int* in, \
                                                                                    int* out) {    \
    const unsigned lane = __builtin_amdgcn_workitem_id_x();                                        \
    in += lane * kDwords;                                                                          \
    const TypeA a = load<TypeA>(in);                                                               \
    const TypeB b = load<TypeB>(in + 16);                                                          \
    const TypeC c = load<TypeC>(in + 32);                                                          \
    const int more = in[64];                                                                       \
    (void)more;                                                                                    \
    const TypeC d = expression;                                                                    \
    __builtin_memcpy(out + lane * 32, &d, sizeof d);                                               \
  }

#if defined(__gfx90a__)
KERNEL(halves, f16x4, f16x4, f4, (__builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0)))
KERNEL(old_brains, s16x2, s16x2, f4, (__builtin_amdgcn_mfma_f32_16x16x8bf16(a, b, c, 0, 0, 0)))
KERNEL(bytes, int, int, i4, (__builtin_amdgcn_mfma_i32_16x16x16i8(a, b, c, 0, 0, 0)))
KERNEL(doubles, double, double, d4, (__builtin_amdgcn_mfma_f64_16x16x4f64(a, b, c, 0, 0, 0)))
#endif

#if defined(__gfx942__)
KERNEL(small_blocks, f16x4, f16x4, f4, (__builtin_amdgcn_mfma_f32_4x4x4f16(a, b, c, 2, 3, 5)))
KERNEL(large_blocks, s16x4, s16x4, f32,
       (__builtin_amdgcn_mfma_f32_32x32x4bf16_1k(a, b, c, 1, 1, 3)))
KERNEL(bytes, long, long, i4, (__builtin_amdgcn_mfma_i32_16x16x32_i8(a, b, c, 0, 0, 0)))
KERNEL(xf32, f2, f2, f4, (__builtin_amdgcn_mfma_f32_16x16x8_xf32(a, b, c, 0, 0, 0)))
KERNEL(float8, long, long, f4, (__builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8(a, b, c, 0, 0, 0)))
KERNEL(doubles, double, double, d4, (__builtin_amdgcn_mfma_f64_16x16x4f64(a, b, c, 0, 0, 5)))
KERNEL(constant, f16x4, f16x4, f4,
       (__builtin_amdgcn_mfma_f32_16x16x16f16(a, b, f4{4, 4, 4, 4}, 0, 0, 0)))
KERNEL(sparse_halves, f16x4, f16x8, f4,
       (__builtin_amdgcn_smfmac_f32_16x16x32_f16(a, b, c, more, 0, 2)))
KERNEL(sparse_bytes, i2, i4, i4, (__builtin_amdgcn_smfmac_i32_16x16x64_i8(a, b, c, more, 0, 1)))
KERNEL(dot_bytes, int, int, int, (__builtin_amdgcn_sdot4(a, b, c, true)))
KERNEL(dot_nibbles, int, int, int, (__builtin_amdgcn_udot8(a, b, c, false)))
KERNEL(dot_words, s16x2, s16x2, int, (__builtin_amdgcn_sdot2(a, b, c, true)))
KERNEL(dot_halves, f16x2, f16x2, float, (__builtin_amdgcn_fdot2(a, b, c, true)))
#endif

#if defined(__gfx1100__)
KERNEL(halves, f16x16, f16x16, f8, (__builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c)))
KERNEL(high_halves, f16x16, f16x16, f16x16,
       (__builtin_amdgcn_wmma_f16_16x16x16_f16_tied_w32(a, b, c, true)))
KERNEL(low_brains, s16x16, s16x16, s16x16,
       (__builtin_amdgcn_wmma_bf16_16x16x16_bf16_tied_w32(a, b, c, false)))
KERNEL(bytes, i4, i4, i8, (__builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, a, false, b, c, true)))
KERNEL(nibbles, i2, i2, i8,
       (__builtin_amdgcn_wmma_i32_16x16x16_iu4_w32(false, a, true, b, c, false)))
KERNEL(dot_bytes, int, int, int, (__builtin_amdgcn_sudot4(true, a, false, b, c, true)))
KERNEL(dot_nibbles, int, int, int, (__builtin_amdgcn_sudot8(true, a, true, b, c, false)))
KERNEL(dot_halves, f16x2, f16x2, float, (__builtin_amdgcn_fdot2(a, b, c, true)))
KERNEL(dot_brains, bf16x2, bf16x2, float, (__builtin_amdgcn_fdot2_f32_bf16(a, b, c, true)))
#endif

#if defined(__gfx1201__)
KERNEL(halves, f16x8, f16x8, f8, (__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c)))
KERNEL(packed_halves, f16x8, f16x8, f16x8,
       (__builtin_amdgcn_wmma_f16_16x16x16_f16_w32_gfx12(a, b, c)))
KERNEL(float8, i2, i2, f8, (__builtin_amdgcn_wmma_f32_16x16x16_fp8_bf8_w32_gfx12(a, b, c)))
KERNEL(nibbles, i2, i2, i8,
       (__builtin_amdgcn_wmma_i32_16x16x32_iu4_w32_gfx12(true, a, false, b, c, true)))
KERNEL(sparse_halves, f16x8, f16x16, f8,
       (__builtin_amdgcn_swmmac_f32_16x16x32_f16_w32(a, b, c, static_cast<short>(more >> 16))))
KERNEL(sparse_bytes, i2, i4, i8,
       (__builtin_amdgcn_swmmac_i32_16x16x32_iu8_w32(true, a, true, b, c, static_cast<short>(more),
                                                     false)))
KERNEL(sparse_nibbles, i2, i4, i8,
       (__builtin_amdgcn_swmmac_i32_16x16x64_iu4_w32(false, a, true, b, c, more, true)))
KERNEL(sparse_float8, i2, i4, f8,
       (__builtin_amdgcn_swmmac_f32_16x16x32_bf8_fp8_w32(a, b, c, static_cast<short>(more))))
KERNEL(dot_float8, int, int, float, (__builtin_amdgcn_dot4_f32_fp8_bf8(a, b, c)))
#endif
