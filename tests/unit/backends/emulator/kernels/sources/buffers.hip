// SPDX-License-Identifier: Apache-2.0
// Memory by buffer descriptors, which bound what is read and written.
#include "device.h"

KERNEL buffer_copy(u32* x, u32* out, u32 bytes) {
  const Buffer from(x, bytes);
  const Buffer to(out, bytes);
  const u32 at = global_x(64) * 4;
  to.store(at, from.load(at) + 1);
}
EXPORT(buffer_copy)

KERNEL buffer_widths(u32* x, u32* out, u32 bytes) {
  const Buffer from(x, bytes);
  const Buffer to(out, bytes);
  const u32 at = global_x(64) * 32;
  const Vector<u32, 4> four = from.load4(at);
  const Vector<u32, 2> two = from.load2(at + 16);
  const u32 one = from.load(at + 24);
  const u32 byte = from.load_byte(at + 28);
  const u32 word = from.load_short(at + 30);
  to.store4(at, four.wzyx);
  to.store2(at + 16, two.yx ^ byte);
  to.store(at + 24, one * 3 + word);
  to.store_byte(at + 28, byte + 1);
  to.store_byte(at + 29, word);
  to.store_short(at + 30, word ^ 0x5a5a);
}
EXPORT(buffer_widths)
