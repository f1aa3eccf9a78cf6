// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder are written with. They are compiled twice: for a GPU, and for
// this machine, where native.h stands in for the hardware.
#pragma once

using u8 = unsigned char;
using i8 = signed char;
using u16 = unsigned short;
using i16 = short;
using u32 = unsigned int;
using i32 = int;
using i64 = long;
using u64 = unsigned long;
using f16 = _Float16;
using bf16 = __bf16;

template <typename T, int N>
using Vector = T __attribute__((ext_vector_type(N)));

#ifdef __AMDGCN__
#include "amdgcn.h"
#else
#include "native.h"
#endif

template <typename To, typename From>
DEVICE To bits_to(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

// Index of the work-item in a grid of one dimension with `block` work-items a workgroup.
DEVICE u32 global_x(u32 block) {
  return block_x() * block + thread_x();
}

DEVICE float shuffle_float(float value, u32 from) {
  return bits_to<float>(shuffle(bits_to<u32>(value), from));
}
DEVICE float as_float(bf16 value) {
  return bits_to<float>(u32{bits_to<u16>(value)} << 16);
}
// To the nearest, ties to even; of finite numbers.
DEVICE u16 bf16_bits(float value) {
  const u32 bits = bits_to<u32>(value);
  return static_cast<u16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
// Two numbers between -2 and 2.
DEVICE Vector<f16, 2> small_halves(u32 bits) {
  return bits_to<Vector<f16, 2>>(bits & 0xbfffbfff);
}
