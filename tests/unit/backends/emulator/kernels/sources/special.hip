// SPDX-License-Identifier: Apache-2.0
// Instructions that only builtins, or particular expressions, become.
#include "device.h"

KERNEL special_dots(const u32* a, const u32* b, i32* out, float* sums) {
  const u32 i = global_x(64);
  out[4 * i] = dot_of_nibbles(a[i], b[i], 1000);
  out[4 * i + 1] = static_cast<i32>(dot_of_unsigned_nibbles(a[i], b[i], 7));
  out[4 * i + 2] = dot_of_bytes(a[i], b[i], static_cast<i32>(a[i]) >> 4);
  out[4 * i + 3] = static_cast<i32>(dot_of_unsigned_bytes(a[i], b[i], b[i]));
  sums[i] = dot_of_halves(small_halves(a[i]), small_halves(b[i]), 0.5F);
}
EXPORT(special_dots)

KERNEL special_converts(const u32* a, const float* x, float* out, u32* words) {
  const u32 i = global_x(64);
  out[8 * i] = static_cast<float>(a[i] & 255);
  out[8 * i + 1] = static_cast<float>(a[i] >> 8 & 255);
  out[8 * i + 2] = static_cast<float>(a[i] >> 16 & 255);
  out[8 * i + 3] = static_cast<float>(a[i] >> 24);
  out[8 * i + 4] = __builtin_ldexpf(x[i], static_cast<int>(a[i] & 31) - 16);
  out[8 * i + 5] = mantissa_of(x[i]);
  out[8 * i + 6] = static_cast<float>(exponent_of(x[i]));
  out[8 * i + 7] = fraction(x[i]);
  words[4 * i] = bits_to<u32>(Vector<f16, 2>{static_cast<f16>(x[i]), static_cast<f16>(-x[i])});
  words[4 * i + 1] = pack_signed(static_cast<i32>(a[i]) >> 12, static_cast<i32>(x[i]));
  words[4 * i + 2] = pack_unsigned(a[i] >> 12, a[i] & 0xff);
  words[4 * i + 3] = static_cast<u32>(static_cast<i32>(__builtin_floorf(x[i])) * 3 +
                                      static_cast<i32>(__builtin_floorf(x[i] + 0.5F)));
}
EXPORT(special_converts)

template <typename T>
DEVICE T middle(T a, T b, T c) {
  const T low = a < b ? a : b;
  const T high = a < b ? b : a;
  const T capped = high < c ? high : c;
  return low > capped ? low : capped;
}

KERNEL special_middles(const u32* a, const u32* b, u32* out) {
  const u32 i = global_x(64);
  const u32 x = a[i];
  const u32 y = b[i];
  out[8 * i] = middle(x, y, x * 7);
  out[8 * i + 1] = static_cast<u32>(
      middle(static_cast<i32>(x), static_cast<i32>(y), static_cast<i32>(x * 7)));
  out[8 * i + 2] = middle(static_cast<u16>(x), static_cast<u16>(y), static_cast<u16>(x >> 16));
  out[8 * i + 3] = static_cast<u16>(
      middle(static_cast<i16>(x), static_cast<i16>(y), static_cast<i16>(x >> 16)));
  out[8 * i + 4] = static_cast<u32>(u64{x & 0xffffff} * (y & 0xffffff) >> 32);
  out[8 * i + 5] = static_cast<u32>(i64{static_cast<i32>(x << 8) >> 8} *
                                        (static_cast<i32>(y << 8) >> 8) >> 32);
  out[8 * i + 6] = static_cast<u32>(static_cast<i16>(x) * static_cast<i16>(y)) + x;
  out[8 * i + 7] = static_cast<u16>(static_cast<u16>(x) * static_cast<u16>(y) + (x >> 16));
}
EXPORT(special_middles)

// Pairs of halves that come from different places, and go to them.
KERNEL special_pairs(const f16* x, const i8* bytes, f16* out, i16* shorts) {
  const u32 i = global_x(64);
  using Pair = Vector<f16, 2>;
  const Pair a = {x[i], x[127 - i]};
  const Pair b = {x[(i * 5) & 127], x[(i * 3 + 1) & 127]};
  const Pair sum = a * b + a;
  out[i] = sum.x;
  out[255 - i] = sum.y;
  const Vector<i16, 2> c = {bytes[i], bytes[127 - i]};
  const Vector<i16, 2> d = {static_cast<u8>(bytes[i ^ 1]), bytes[(i * 3) & 127]};
  const Vector<i16, 2> products = c * d;
  shorts[i] = products.x;
  shorts[255 - i] = products.y;
}
EXPORT(special_pairs)
