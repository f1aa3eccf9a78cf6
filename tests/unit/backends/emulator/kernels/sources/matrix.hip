// SPDX-License-Identifier: Apache-2.0
// Matrix instructions: each kernel multiplies one pair of matrices a workgroup, d += a · b, rows
// first. For this machine the same words mean the plain product.
#include "device.h"

#if defined(__gfx1100__) || defined(__gfx1201__)
// 16 by 16 by 16. gfx11: each half of the wave has all of A and B, and every second row of D.
// gfx12: each half has half of the columns of A, and half of the rows of D.
#ifdef __gfx1100__
constexpr u32 kItems = 16;
DEVICE u32 inner(u32 item) {
  return item;
}
DEVICE u32 row_of(u32 item) {
  return item * 2 + lane() / 16;
}
#define WMMA(name) __builtin_amdgcn_wmma_##name##_w32
#else
constexpr u32 kItems = 8;
DEVICE u32 inner(u32 item) {
  return lane() / 16 * 8 + item;
}
DEVICE u32 row_of(u32 item) {
  return item + lane() / 16 * 8;
}
#define WMMA(name) __builtin_amdgcn_wmma_##name##_w32_gfx12
#endif

template <typename Fragment, typename T>
DEVICE Fragment fragment_of_a(const T* a) {
  T items[kItems];
  for (u32 i = 0; i < kItems; ++i) items[i] = a[block_x() * 256 + lane() % 16 * 16 + inner(i)];
  return __builtin_bit_cast(Fragment, items);
}
template <typename Fragment, typename T>
DEVICE Fragment fragment_of_b(const T* b) {
  T items[kItems];
  for (u32 i = 0; i < kItems; ++i) items[i] = b[block_x() * 256 + inner(i) * 16 + lane() % 16];
  return __builtin_bit_cast(Fragment, items);
}
template <typename T>
DEVICE Vector<T, 8> fragment_of_d(const T* d) {
  Vector<T, 8> items;
  for (u32 i = 0; i < 8; ++i) items[i] = d[block_x() * 256 + row_of(i) * 16 + lane() % 16];
  return items;
}
template <typename T>
DEVICE void store_d(Vector<T, 8> items, T* d) {
  for (u32 i = 0; i < 8; ++i) d[block_x() * 256 + row_of(i) * 16 + lane() % 16] = items[i];
}

KERNEL wmma_half(const f16* a, const f16* b, float* d) {
  using F = Vector<f16, kItems>;
  store_d<float>(WMMA(f32_16x16x16_f16)(fragment_of_a<F>(a), fragment_of_b<F>(b),
                                        fragment_of_d(d)), d);
}

KERNEL wmma_bfloat(const u16* a, const u16* b, float* d) {
  using F = Vector<i16, kItems>;
  store_d<float>(WMMA(f32_16x16x16_bf16)(fragment_of_a<F>(a), fragment_of_b<F>(b),
                                         fragment_of_d(d)), d);
}

KERNEL wmma_signed_bytes(const i8* a, const i8* b, i32* d) {
  using F = Vector<i32, kItems / 4>;
  store_d<i32>(WMMA(i32_16x16x16_iu8)(true, fragment_of_a<F>(a), true, fragment_of_b<F>(b),
                                      fragment_of_d(d), false), d);
}

KERNEL wmma_mixed_bytes(const u8* a, const i8* b, i32* d) {
  using F = Vector<i32, kItems / 4>;
  store_d<i32>(WMMA(i32_16x16x16_iu8)(false, fragment_of_a<F>(a), true, fragment_of_b<F>(b),
                                      fragment_of_d(d), false), d);
}

// D in floats of 16 bits: gfx11 has one in the low half of each register.
KERNEL wmma_half_half(const f16* a, const f16* b, f16* d) {
  using F = Vector<f16, kItems>;
#ifdef __gfx1100__
  const Vector<f16, 8> c = fragment_of_d(d);
  Vector<f16, 16> wide;
  for (u32 i = 0; i < 8; ++i) {
    wide[2 * i] = c[i];
    wide[2 * i + 1] = 0;
  }
  wide = WMMA(f16_16x16x16_f16)(fragment_of_a<F>(a), fragment_of_b<F>(b), wide, false);
  Vector<f16, 8> out;
  for (u32 i = 0; i < 8; ++i) out[i] = wide[2 * i];
  store_d<f16>(out, d);
#else
  store_d<f16>(WMMA(f16_16x16x16_f16)(fragment_of_a<F>(a), fragment_of_b<F>(b),
                                      fragment_of_d(d)), d);
#endif
}
#endif

#if defined(__gfx1100__) || defined(__gfx1201__)
// Eight numbers of 4 bits a register.
template <typename Place>
DEVICE auto nibbles(Place place) {
  Vector<i32, kItems / 8> words = {};
  for (u32 i = 0; i < kItems; ++i) {
    words[i / 8] |= static_cast<i32>((static_cast<u32>(place(inner(i))) & 15) << i % 8 * 4);
  }
#ifdef __gfx1100__
  return words;
#else
  return words[0];
#endif
}

KERNEL wmma_nibbles(const i8* a, const i8* b, i32* d) {
  const u32 first = block_x() * 256;
  const auto left = nibbles([&](u32 k) { return a[first + lane() % 16 * 16 + k]; });
  const auto right = nibbles([&](u32 k) { return b[first + k * 16 + lane() % 16]; });
  store_d<i32>(WMMA(i32_16x16x16_iu4)(true, left, true, right, fragment_of_d(d), false), d);
}
#endif

#ifdef __gfx1201__
KERNEL wmma_fp8_bf8(const u8* a, const u8* b, float* d) {
  using F = Vector<i32, 2>;
  store_d<float>(WMMA(f32_16x16x16_fp8_bf8)(fragment_of_a<F>(a), fragment_of_b<F>(b),
                                            fragment_of_d(d)), d);
}

KERNEL wmma_bf8_fp8(const u8* a, const u8* b, float* d) {
  using F = Vector<i32, 2>;
  store_d<float>(WMMA(f32_16x16x16_bf8_fp8)(fragment_of_a<F>(a), fragment_of_b<F>(b),
                                            fragment_of_d(d)), d);
}

KERNEL wmma_bf8(const u8* a, const u8* b, float* d) {
  using F = Vector<i32, 2>;
  store_d<float>(WMMA(f32_16x16x16_bf8_bf8)(fragment_of_a<F>(a), fragment_of_b<F>(b),
                                            fragment_of_d(d)), d);
}

KERNEL wmma_fp8(const u8* a, const u8* b, float* d) {
  using F = Vector<i32, 2>;
  store_d<float>(WMMA(f32_16x16x16_fp8_fp8)(fragment_of_a<F>(a), fragment_of_b<F>(b),
                                            fragment_of_d(d)), d);
}
#endif

#ifdef __gfx942__
// A: row lane % kM, columns from lane / kM * kItems on; D of 4 rows a register group.
template <typename Fragment, u32 kM, u32 kK, typename T>
DEVICE Fragment fragment_of_a(const T* a) {
  constexpr u32 kItems = sizeof(Fragment) / sizeof(T);
  T items[kItems];
  for (u32 i = 0; i < kItems; ++i) {
    items[i] = a[block_x() * kM * kK + lane() % kM * kK + lane() / kM * kItems + i];
  }
  return __builtin_bit_cast(Fragment, items);
}
template <typename Fragment, u32 kN, u32 kK, typename T>
DEVICE Fragment fragment_of_b(const T* b) {
  constexpr u32 kItems = sizeof(Fragment) / sizeof(T);
  T items[kItems];
  for (u32 i = 0; i < kItems; ++i) {
    items[i] = b[block_x() * kN * kK + (lane() / kN * kItems + i) * kN + lane() % kN];
  }
  return __builtin_bit_cast(Fragment, items);
}
template <u32 kM>
DEVICE u32 place_of_d(u32 item) {
  const u32 row = kM == 16 ? lane() / 16 * 4 + item : item / 4 * 8 + lane() / 32 * 4 + item % 4;
  return block_x() * kM * kM + row * kM + lane() % kM;
}
template <u32 kM, typename T>
DEVICE Vector<T, kM * kM / 64> fragment_of_d(const T* d) {
  Vector<T, kM * kM / 64> items;
  for (u32 i = 0; i < kM * kM / 64; ++i) items[i] = d[place_of_d<kM>(i)];
  return items;
}
template <u32 kM, typename T>
DEVICE void store_d(Vector<T, kM * kM / 64> items, T* d) {
  for (u32 i = 0; i < kM * kM / 64; ++i) d[place_of_d<kM>(i)] = items[i];
}

#define MFMA(name, instruction, T, Fragment, D, kM, kK)                                  \
  KERNEL name(const T* a, const T* b, D* d) {                                            \
    using F = Fragment;                                                                  \
    store_d<kM, D>(__builtin_amdgcn_mfma_##instruction(fragment_of_a<F, kM, kK>(a),      \
                                                       fragment_of_b<F, kM, kK>(b),      \
                                                       fragment_of_d<kM>(d), 0, 0, 0), d); \
  }
using Halves = Vector<f16, 4>;
using Shorts = Vector<i16, 4>;
using Floats = Vector<float, 2>;
MFMA(mfma_half_16, f32_16x16x16f16, f16, Halves, float, 16, 16)
MFMA(mfma_half_32, f32_32x32x8f16, f16, Halves, float, 32, 8)
MFMA(mfma_bfloat_16, f32_16x16x16bf16_1k, u16, Shorts, float, 16, 16)
MFMA(mfma_bfloat_32, f32_32x32x8bf16_1k, u16, Shorts, float, 32, 8)
MFMA(mfma_float_16, f32_16x16x4f32, float, float, float, 16, 4)
MFMA(mfma_float_32, f32_32x32x2f32, float, float, float, 32, 2)
MFMA(mfma_xfloat_16, f32_16x16x8_xf32, float, Floats, float, 16, 8)
MFMA(mfma_xfloat_32, f32_32x32x4_xf32, float, Floats, float, 32, 4)
MFMA(mfma_bytes_16, i32_16x16x32_i8, i8, i64, i32, 16, 32)
MFMA(mfma_bytes_32, i32_32x32x16_i8, i8, i64, i32, 32, 16)
MFMA(mfma_fp8_16, f32_16x16x32_fp8_fp8, u8, i64, float, 16, 32)
MFMA(mfma_fp8_32, f32_32x32x16_fp8_fp8, u8, i64, float, 32, 16)
MFMA(mfma_fp8_bf8_16, f32_16x16x32_fp8_bf8, u8, i64, float, 16, 32)
MFMA(mfma_bf8_fp8_16, f32_16x16x32_bf8_fp8, u8, i64, float, 16, 32)
MFMA(mfma_bf8_32, f32_32x32x16_bf8_bf8, u8, i64, float, 32, 16)

// Rows of a double's D lie four apart.
KERNEL mfma_double(const double* a, const double* b, double* d) {
  Vector<double, 4> items;
  const auto place = [](u32 i) {
    return block_x() * 256 + (i * 4 + lane() / 16) * 16 + lane() % 16;
  };
  for (u32 i = 0; i < 4; ++i) items[i] = d[place(i)];
  items = __builtin_amdgcn_mfma_f64_16x16x4f64(fragment_of_a<double, 16, 4>(a),
                                               fragment_of_b<double, 16, 4>(b), items, 0, 0, 0);
  for (u32 i = 0; i < 4; ++i) d[place(i)] = items[i];
}

// Sixteen products of 4 by 4 by 4.
KERNEL mfma_half_4(const f16* a, const f16* b, float* d) {
  const u32 block = block_x() * 16 + lane() / 4;
  const u32 at = lane() % 4;
  Halves left;
  Halves right;
  Vector<float, 4> items;
  for (u32 i = 0; i < 4; ++i) {
    left[i] = a[block * 16 + at * 4 + i];
    right[i] = b[block * 16 + i * 4 + at];
    items[i] = d[block * 16 + i * 4 + at];
  }
  items = __builtin_amdgcn_mfma_f32_4x4x4f16(left, right, items, 0, 0, 0);
  for (u32 i = 0; i < 4; ++i) d[block * 16 + i * 4 + at] = items[i];
}
#endif

#ifndef __AMDGCN__
template <typename A, typename B, typename D>
void product(const A* a, const B* b, D* d, u32 m, u32 n, u32 k) {
  for (u32 at = 0; at < m * n; ++at) {
    for (u32 i = 0; i < k; ++i) {
      d[at] = static_cast<D>(d[at] + static_cast<D>(a[at / n * k + i]) *
                                         static_cast<D>(b[i * n + at % n]));
    }
  }
}
#define PRODUCT(name, A, B, D, kM, kN, kK)                                                  \
  KERNEL name(const A* a, const B* b, D* d) {                                               \
    if (thread_x() != 0) return;                                                            \
    const u32 at = block_x();                                                               \
    product(a + at * kM * kK, b + at * kK * kN, d + at * kM * kN, kM, kN, kK);              \
  }                                                                                         \
  EXPORT(name)

PRODUCT(wmma_half, f16, f16, float, 16, 16, 16)
PRODUCT(wmma_bfloat, Bfloat, Bfloat, float, 16, 16, 16)
PRODUCT(wmma_signed_bytes, i8, i8, i32, 16, 16, 16)
PRODUCT(wmma_mixed_bytes, u8, i8, i32, 16, 16, 16)
PRODUCT(wmma_half_half, f16, f16, f16, 16, 16, 16)
PRODUCT(wmma_fp8, Fp8, Fp8, float, 16, 16, 16)
PRODUCT(wmma_fp8_bf8, Fp8, Bf8, float, 16, 16, 16)
PRODUCT(wmma_bf8_fp8, Bf8, Fp8, float, 16, 16, 16)
PRODUCT(wmma_bf8, Bf8, Bf8, float, 16, 16, 16)
PRODUCT(wmma_nibbles, i8, i8, i32, 16, 16, 16)
PRODUCT(mfma_fp8_bf8_16, Fp8, Bf8, float, 16, 16, 32)
PRODUCT(mfma_bf8_fp8_16, Bf8, Fp8, float, 16, 16, 32)
PRODUCT(mfma_bf8_32, Bf8, Bf8, float, 32, 32, 16)
PRODUCT(mfma_half_16, f16, f16, float, 16, 16, 16)
PRODUCT(mfma_half_32, f16, f16, float, 32, 32, 8)
PRODUCT(mfma_bfloat_16, Bfloat, Bfloat, float, 16, 16, 16)
PRODUCT(mfma_bfloat_32, Bfloat, Bfloat, float, 32, 32, 8)
PRODUCT(mfma_float_16, float, float, float, 16, 16, 4)
PRODUCT(mfma_float_32, float, float, float, 32, 32, 2)
PRODUCT(mfma_xfloat_16, float, float, float, 16, 16, 8)
PRODUCT(mfma_xfloat_32, float, float, float, 32, 32, 4)
PRODUCT(mfma_bytes_16, i8, i8, i32, 16, 16, 32)
PRODUCT(mfma_bytes_32, i8, i8, i32, 32, 32, 16)
PRODUCT(mfma_fp8_16, Fp8, Fp8, float, 16, 16, 32)
PRODUCT(mfma_fp8_32, Fp8, Fp8, float, 32, 32, 16)
PRODUCT(mfma_double, double, double, double, 16, 16, 4)
KERNEL mfma_half_4(const f16* a, const f16* b, float* d) {
  if (thread_x() != 0) return;
  for (u32 block = block_x() * 16; block < block_x() * 16 + 16; ++block) {
    product(a + block * 16, b + block * 16, d + block * 16, 4, 4, 4);
  }
}
EXPORT(mfma_half_4)
#endif
