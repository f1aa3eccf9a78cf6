// SPDX-License-Identifier: Apache-2.0
// Whole numbers: wide ones, divisions, bits.
#include "device.h"

KERNEL integer_divide64(const u64* a, const u64* b, u64* out) {
  const u32 i = global_x(64);
  out[4 * i] = a[i] / b[i];
  out[4 * i + 1] = a[i] % b[i];
  const i64 divisor = static_cast<i64>(b[i] >> 1) + 1;
  const i64 dividend = static_cast<i64>(a[i]) >> 3;
  out[4 * i + 2] = static_cast<u64>(dividend / divisor);
  out[4 * i + 3] = static_cast<u64>(dividend % -divisor);
}
EXPORT(integer_divide64)

KERNEL integer_wide(const u64* a, const u64* b, u64* out) {
  const u32 i = global_x(64);
  const u64 x = a[i];
  const u64 y = b[i];
  const unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
  out[8 * i] = static_cast<u64>(product);
  out[8 * i + 1] = static_cast<u64>(product >> 64);
  out[8 * i + 2] = x << (y & 63);
  out[8 * i + 3] = x >> (y & 63);
  out[8 * i + 4] = static_cast<u64>(static_cast<i64>(x) >> (y & 63));
  out[8 * i + 5] = x < y ? x - y : x + y;
  out[8 * i + 6] = static_cast<u64>(static_cast<i64>(x) > static_cast<i64>(y) ? x & y : x | ~y);
  out[8 * i + 7] = (x << 13 | x >> 51) ^ (y << 32 | y >> 32);
}
EXPORT(integer_wide)

KERNEL integer_divide32(const u32* a, const u32* b, u32* out) {
  const u32 i = global_x(64);
  const u32 divisor = b[i] | 1;
  out[8 * i] = a[i] / divisor;
  out[8 * i + 1] = a[i] % divisor;
  const i32 signed_divisor = static_cast<i32>(divisor | 2);
  out[8 * i + 2] = static_cast<u32>((static_cast<i32>(a[i]) / 2) / signed_divisor);
  out[8 * i + 3] = static_cast<u32>((static_cast<i32>(a[i]) / 2) % signed_divisor);
  out[8 * i + 4] = a[i] / 10;
  out[8 * i + 5] = a[i] % 1000003;
  out[8 * i + 6] = static_cast<u32>(static_cast<i32>(a[i]) / 7);
  out[8 * i + 7] = static_cast<u32>(static_cast<i32>(a[i]) % -641);
}
EXPORT(integer_divide32)

KERNEL integer_bits(const u32* a, const u32* b, u32* out) {
  const u32 i = global_x(64);
  const u32 x = a[i];
  const u32 y = b[i];
  u32* const o = out + i * 24;
  o[0] = static_cast<u32>(__builtin_popcount(x));
  o[1] = x == 0 ? 32 : static_cast<u32>(__builtin_clz(x));
  o[2] = x == 0 ? 32 : static_cast<u32>(__builtin_ctz(x));
  o[3] = __builtin_bitreverse32(x);
  o[4] = __builtin_bswap32(x);
  o[5] = static_cast<u32>(u64{x} * y >> 32);
  o[6] = static_cast<u32>(i64{static_cast<i32>(x)} * static_cast<i32>(y) >> 32);
  o[7] = (x & 0xffffff) * (y & 0xffffff) + x;
  o[8] = permute_bytes(x, y, x ^ y);
  o[9] = align_bytes(x, y, y & 3);
  o[10] = align_bits(x, y, x & 31);
  o[11] = bits_of(x, y & 31, x & 31);
  o[12] = static_cast<u32>(signed_bits_of(static_cast<i32>(x), y & 31, x & 31));
  o[13] = distance_of_bytes(x, y, 1000);
  o[14] = distance_of_words(x, y, 77);
  o[15] = mean_of_bytes(x, y, 0x01000100);
  o[16] = (x & 0x00ff00ff) | (y & ~0x00ff00ffU);
  o[17] = (x << (y & 31)) + x;
  o[18] = __builtin_elementwise_add_sat(x, y);
  o[19] = static_cast<u32>(
      __builtin_elementwise_sub_sat(static_cast<i32>(x), static_cast<i32>(y)));
  const i32 low = static_cast<i32>(x) < -1000 ? -1000 : static_cast<i32>(x);
  o[20] = static_cast<u32>(low > 1000 ? 1000 : low);
  o[21] = (x ^ y) + (x | y) * 3;
  o[22] = static_cast<u32>(__builtin_popcountl(u64{x} << 32 | y)) + (x > y ? x : y);
  o[23] = static_cast<u32>(__builtin_clzl((u64{x} << 16 | y) | 1)) +
          static_cast<u32>(__builtin_ctzl(u64{y} << 20 | 1UL << 63));
}
EXPORT(integer_bits)

KERNEL integer_short(const i16* a, const i16* b, i16* out) {
  const u32 i = global_x(64);
  const i16 x = a[i];
  const i16 y = b[i];
  out[8 * i] = static_cast<i16>(x + y);
  out[8 * i + 1] = static_cast<i16>(x * y + 3);
  out[8 * i + 2] = static_cast<i16>(static_cast<u16>(x) >> (y & 15));
  out[8 * i + 3] = static_cast<i16>(x >> (y & 15));
  out[8 * i + 4] = x < y ? x : y;
  out[8 * i + 5] = static_cast<u16>(x) > static_cast<u16>(y) ? x : y;
  out[8 * i + 6] = static_cast<i16>(x - y);
  out[8 * i + 7] = static_cast<i16>(x << (y & 15));
}
EXPORT(integer_short)

// Two numbers of 16 bits at once.
KERNEL integer_packed(const u32* a, const u32* b, u32* out) {
  const u32 i = global_x(64);
  using Pair = Vector<i16, 2>;
  using UnsignedPair = Vector<u16, 2>;
  const Pair x = bits_to<Pair>(a[i]);
  const Pair y = bits_to<Pair>(b[i]);
  const UnsignedPair ux = bits_to<UnsignedPair>(a[i]);
  const UnsignedPair uy = bits_to<UnsignedPair>(b[i]);
  out[8 * i] = bits_to<u32>(x + y);
  out[8 * i + 1] = bits_to<u32>(x - y);
  out[8 * i + 2] = bits_to<u32>(x * y);
  out[8 * i + 3] = bits_to<u32>(__builtin_elementwise_max(x, y));
  out[8 * i + 4] = bits_to<u32>(__builtin_elementwise_min(ux, uy));
  out[8 * i + 5] = bits_to<u32>(ux >> static_cast<u16>(3));
  out[8 * i + 6] = bits_to<u32>(x * y.yx + x);
  out[8 * i + 7] = bits_to<u32>(__builtin_elementwise_add_sat(ux, uy));
}
EXPORT(integer_packed)
