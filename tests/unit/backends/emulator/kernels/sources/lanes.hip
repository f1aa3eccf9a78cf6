// SPDX-License-Identifier: Apache-2.0
// Values that go from lane to lane.
#include "device.h"

KERNEL lane_ballot(const u32* x, u64* out) {
  const u32 i = global_x(64);
  const u64 odd = ballot((x[i] & 1) != 0);
  u64 inner = 0;
  if (x[i] % 3 == 0) inner = ballot((x[i] & 2) != 0);
  out[2 * i] = odd;
  out[2 * i + 1] = inner;
}
EXPORT(lane_ballot)

// Each value that lanes of a wave have, once.
KERNEL lane_waterfall(const u32* x, u32* out) {
  const u32 i = global_x(64);
  const u32 key = x[i] % 5;
  u32 rounds = 0;
  bool done = false;
  while (!done) {
    const u32 chosen = first_lane(key);
    ++rounds;
    if (key == chosen) {
      out[i] = chosen * 100 + rounds;
      done = true;
    }
  }
}
EXPORT(lane_waterfall)

KERNEL lane_swizzle(const u32* x, u32* out) {
  const u32 i = global_x(64);
  const u32 value = x[i];
  out[8 * i] = swizzle<0x041f>(value);   // swap neighbours
  out[8 * i + 1] = swizzle<0x401f>(value);   // swap halves of 32
  out[8 * i + 2] = swizzle<0x0010>(value);   // the first of each 16
  out[8 * i + 3] = swizzle<0x7c1f>(value);   // all 32 in reverse
  out[8 * i + 4] = swizzle<0x801b>(value);   // each four in reverse
  out[8 * i + 5] = swizzle<0x80a0>(value);   // 0, 0, 2, 2 of each four
  out[8 * i + 6] = shuffle(value, lane() * 7 + 3);
  out[8 * i + 7] = push(value, lane() ^ 21);
}
EXPORT(lane_swizzle)

KERNEL lane_dpp(const u32* x, u32* out) {
  const u32 i = global_x(64);
  const u32 value = x[i];
  u32* const o = out + 16 * i;
  o[0] = dpp<0x1b>(7, value);                  // quad_perm 3,2,1,0
  o[1] = dpp<0x103>(7, value);                 // row_shl 3
  o[2] = dpp<0x103, 15, 15, true>(7, value);   // zero where no lane is
  o[3] = dpp<0x11f>(7, value);                 // row_shr 15
  o[4] = dpp<0x125>(7, value);                 // row_ror 5
  o[5] = dpp<0x140>(7, value);                 // row_mirror
  o[6] = dpp<0x141>(7, value);                 // row_half_mirror
  o[7] = dpp<0x112, 10, 15>(7, value);         // rows 1 and 3
  o[8] = dpp<0x124, 15, 6>(7, value);          // banks 1 and 2
  o[9] = dpp<0x101, 5, 3, true>(7, value);
  o[10] = value;
  if ((value & 1) != 0) o[10] = dpp<0x121>(9, value * 3);  // sources that EXEC leaves out
  o[11] = value + dpp<0x111, 15, 15, true>(0, value);
  o[12] = bits_to<u32>(bits_to<float>(value & 0x3fffffff) +
                       bits_to<float>(dpp<0x4e>(0, value & 0x3fffffff)));
  o[13] = dpp<0x12f>(1, value) ^ dpp<0x10f>(2, value);
  o[14] = read_lane(value, 5);
  o[15] = read_lane(value, first_lane(value) & 31);
}
EXPORT(lane_dpp)

#ifndef __gfx942__
KERNEL lane_dpp_gfx10(const u32* x, u32* out) {
  const u32 i = global_x(64);
  const u32 value = x[i];
  out[8 * i] = dpp<0x153>(7, value);      // row_share 3
  out[8 * i + 1] = dpp<0x165>(7, value);  // row_xmask 5
  out[8 * i + 2] = dpp<0x15f, 3, 15>(7, value);
  out[8 * i + 3] = dpp8<076543210>(value);
  out[8 * i + 4] = dpp8<001234567>(value);
  out[8 * i + 5] = other_row(value, 0x76543210, 0xfedcba98);
  out[8 * i + 6] = same_row(value, 0x01234567, 0x89abcdef);
  out[8 * i + 7] = dpp8<033337777>(value);
}
EXPORT(lane_dpp_gfx10)
#endif

// Votes in a loop that lanes leave one by one.
KERNEL lane_vote(const u32* x, u32* out) {
  const u32 i = global_x(64);
  u32 left = x[i] % 9;
  u32 seen = 0;
  while (left != 0) {
    seen = seen * 31 + static_cast<u32>(__builtin_popcountl(ballot(left > 2)));
    --left;
  }
  out[i] = seen;
}
EXPORT(lane_vote)
