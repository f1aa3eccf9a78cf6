// SPDX-License-Identifier: Apache-2.0
// What lanes of a wave say to one another, on this machine. `line` is where the caller stands.
#pragma once

DEVICE u32 native_of(const native::Meeting& meeting, u32 from, u32 otherwise) {
  return (meeting.lanes >> from & 1) != 0 ? static_cast<u32>(meeting.values[from]) : otherwise;
}
// A lane that does not take part gives 0.
DEVICE u32 shuffle(u32 value, u32 from, int line = __builtin_LINE()) {
  const native::Meeting& meeting = native::meet(value, line);
  return native_of(meeting, from & (lane_count() - 1), 0);
}
DEVICE u32 push(u32 value, u32 to, int line = __builtin_LINE()) {
  const native::Meeting& meeting = native::meet(u64{to} << 32 | value, line);
  u32 out = 0;
  for (u32 from = 0; from < lane_count(); ++from) {
    if ((meeting.lanes >> from & 1) == 0) continue;
    if ((meeting.values[from] >> 32 & (lane_count() - 1)) == lane()) {
      out = static_cast<u32>(meeting.values[from]);
    }
  }
  return out;
}
DEVICE u64 ballot(bool value, int line = __builtin_LINE()) {
  const native::Meeting& meeting = native::meet(value ? 1 : 0, line);
  u64 out = 0;
  for (u32 from = 0; from < lane_count(); ++from) {
    if (native_of(meeting, from, 0) != 0) out |= 1UL << from;
  }
  return out;
}
DEVICE u32 first_lane(u32 value, int line = __builtin_LINE()) {
  const native::Meeting& meeting = native::meet(value, line);
  return static_cast<u32>(meeting.values[__builtin_ctzl(meeting.lanes)]);
}
DEVICE u32 read_lane(u32 value, u32 from, int line = __builtin_LINE()) {
  return static_cast<u32>(native::meet(value, line).values[from]);
}

// The lane that a lane reads by a DPP control word; 64 and above: none.
DEVICE u32 native_dpp_source(u32 control) {
  const u32 row = lane() & ~15U;
  const u32 at = lane() & 15;
  const u32 count = control & 15;
  if (control < 0x100) return (lane() & ~3U) | (control >> (lane() & 3) * 2 & 3);
  switch (control >> 4) {
    case 0x10:
      return at + count < 16 ? row + at + count : 64;
    case 0x11:
      return at >= count ? row + at - count : 64;
    case 0x12:
      return row + ((at + 16 - count) & 15);
    case 0x15:
      return row + count;
    case 0x16:
      return row + (at ^ count);
    default:
      break;
  }
  if (control == 0x140) return row + 15 - at;
  if (control == 0x141) return row + (at & 8) + 7 - (at & 7);
  __builtin_trap();
}
template <int kControl, int kRows = 15, int kBanks = 15, bool kBound = false>
DEVICE u32 dpp(u32 old, u32 value, int line = __builtin_LINE()) {
  const native::Meeting& meeting = native::meet(value, line);
  if ((kRows >> (lane() / 16 & 3) & 1) == 0 || (kBanks >> (lane() / 4 & 3) & 1) == 0) return old;
  const u32 from = native_dpp_source(kControl);
  return from < 64 ? native_of(meeting, from, kBound ? 0 : old) : kBound ? 0 : old;
}
template <unsigned kLanes>
DEVICE u32 dpp8(u32 value, int line = __builtin_LINE()) {
  const u32 from = (lane() & ~7U) | (kLanes >> (lane() & 7) * 3 & 7);
  return native_of(native::meet(value, line), from, 0);
}
DEVICE u32 other_row(u32 value, u32 low, u32 high, int line = __builtin_LINE()) {
  const u32 nibble = static_cast<u32>((u64{high} << 32 | low) >> (lane() & 15) * 4) & 15;
  return native_of(native::meet(value, line), ((lane() & ~15U) ^ 16) | nibble, 0);
}
DEVICE u32 same_row(u32 value, u32 low, u32 high, int line = __builtin_LINE()) {
  const u32 nibble = static_cast<u32>((u64{high} << 32 | low) >> (lane() & 15) * 4) & 15;
  return native_of(native::meet(value, line), (lane() & ~15U) | nibble, 0);
}
template <int kPattern>
DEVICE u32 swizzle(u32 value, int line = __builtin_LINE()) {
  u32 from = lane() & 31;
  if ((kPattern & 0x8000) != 0) {
    from = (from & ~3U) | (kPattern >> (from & 3) * 2 & 3);
  } else {
    from = ((from & kPattern & 31) | (kPattern >> 5 & 31)) ^ (kPattern >> 10 & 31);
  }
  return native_of(native::meet(value, line), (lane() & 32) | from, 0);
}
