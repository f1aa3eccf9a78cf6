// SPDX-License-Identifier: Apache-2.0
// Data that changes its place.
#include "device.h"

// 16 by 16 work-items; `columns` is a multiple of 16.
KERNEL transpose_padded(const float* x, float* out, u32 rows, u32 columns) {
  SHARED float tile[16][17];
  tile[thread_y()][thread_x()] =
      x[(block_y() * 16 + thread_y()) * columns + block_x() * 16 + thread_x()];
  barrier();
  out[(block_x() * 16 + thread_y()) * rows + block_y() * 16 + thread_x()] =
      tile[thread_x()][thread_y()];
}
EXPORT(transpose_padded)

KERNEL transpose_short(const u16* x, u16* out) {
  SHARED u16 tile[32 * 34];
  for (u32 k = 0; k < 4; ++k) {
    const u32 at = k * 256 + thread_x();
    tile[at / 32 * 34 + at % 32] = x[block_x() * 1024 + at];
  }
  barrier();
  for (u32 k = 0; k < 4; ++k) {
    const u32 at = k * 256 + thread_x();
    out[block_x() * 1024 + at] = tile[at % 32 * 34 + at / 32];
  }
}
EXPORT(transpose_short)

KERNEL transpose_bytes(const u32* x, u32* out) {
  const u32 i = global_x(64);
  const u32 a = x[4 * i], b = x[4 * i + 1], c = x[4 * i + 2], d = x[4 * i + 3];
  for (u32 k = 0; k < 4; ++k) {
    out[4 * i + k] = (a >> 8 * k & 255) | (b >> 8 * k & 255) << 8 | (c >> 8 * k & 255) << 16 |
                     (d >> 8 * k) << 24;
  }
}
EXPORT(transpose_bytes)

KERNEL gather(const float* x, const u32* where, float* out, u32 count) {
  const u32 i = global_x(64);
  if (i < count) out[i] = x[where[i]];
}
EXPORT(gather)

KERNEL scatter(const Vector<u32, 4>* x, const u16* where, Vector<u32, 4>* out, u32 count) {
  const u32 i = global_x(64);
  if (i < count) out[where[i]] = x[i];
}
EXPORT(scatter)

// Loads of each width, signed and not; stores of each width.
KERNEL widths(const u8* bytes, u8* out) {
  const u32 i = global_x(64);
  const u8* const b = bytes + 48 * i;
  u8* const o = out + 48 * i;
  const u32 sum = b[0] + static_cast<u32>(static_cast<i8>(b[1]) * 3);
  o[0] = static_cast<u8>(sum);
  o[1] = static_cast<u8>(sum >> 8);
  const u16 s = reinterpret_cast<const u16*>(b)[1];
  reinterpret_cast<u16*>(o)[1] = static_cast<u16>(reinterpret_cast<const i16*>(b)[2] / 5 + s);
  reinterpret_cast<u32*>(o)[1] = reinterpret_cast<const u32*>(b)[2] + 1;
  const Vector<u32, 2> two = reinterpret_cast<const Vector<u32, 2>*>(b)[2];
  reinterpret_cast<Vector<u32, 2>*>(o)[1] = two.yx + 2U;
  const Vector<u32, 4> four = reinterpret_cast<const Vector<u32, 4>*>(b)[2];
  reinterpret_cast<Vector<u32, 4>*>(o)[1] = four.wzyx ^ two.x;
  Vector<u32, 3> three;
  __builtin_memcpy(&three, reinterpret_cast<const u32*>(b) + 9, 12);
  three = three.zxy + 3U;
  __builtin_memcpy(reinterpret_cast<u32*>(o) + 9, &three, 12);
  reinterpret_cast<u16*>(o)[16] = static_cast<u16>(sum >> 4);
  o[34] = static_cast<u8>(four.x >> 16);
  o[35] = b[47];
}
EXPORT(widths)

// The same in LDS: each width, in a place of the work-item's own and from that of another.
KERNEL widths_local(const u32* x, u32* out) {
  SHARED Vector<u32, 4> wide[64];
  SHARED u8 bytes[64];
  SHARED i16 shorts[64];
  SHARED u64 pairs[128];
  const u32 i = thread_x();
  const u32 value = x[i];
  wide[i] = Vector<u32, 4>{value, value + 1, value ^ 5, ~value};
  bytes[i] = static_cast<u8>(value);
  shorts[i] = static_cast<i16>(value >> 3);
  pairs[i] = u64{value} * value;
  pairs[i + 64] = value;
  barrier();
  const u32 j = (i * 5 + 3) & 63;
  const Vector<u32, 4> other = wide[j];
  out[8 * i] = other.x + other.w;
  out[8 * i + 1] = other.y ^ other.z;
  out[8 * i + 2] = bytes[j] + static_cast<u32>(static_cast<i8>(bytes[63 - j]));
  out[8 * i + 3] = static_cast<u32>(shorts[j] + static_cast<i32>(static_cast<u16>(shorts[i ^ 1])));
  const u64 sum = pairs[j] + pairs[j + 64];
  out[8 * i + 4] = static_cast<u32>(sum);
  out[8 * i + 5] = static_cast<u32>(sum >> 32);
  const u32* const flat = reinterpret_cast<const u32*>(wide);
  out[8 * i + 6] = flat[j] + flat[j + 128] * 3;
  out[8 * i + 7] = flat[value & 255];
}
EXPORT(widths_local)

KERNEL stencil_line(const float* x, float* out, u32 count) {
  SHARED float tile[64 + 4];
  const u32 i = global_x(64);
  const u32 t = thread_x();
  const auto at = [&](i32 where) {
    const i32 last = static_cast<i32>(count) - 1;
    return x[where < 0 ? 0 : where > last ? last : where];
  };
  tile[t + 2] = at(static_cast<i32>(i));
  if (t < 2) {
    tile[t] = at(static_cast<i32>(i) - 2);
    tile[t + 66] = at(static_cast<i32>(i) + 64);
  }
  barrier();
  const float sum = 0.0625F * (tile[t] + tile[t + 4]) + 0.25F * (tile[t + 1] + tile[t + 3]);
  if (i < count) out[i] = __builtin_fmaf(0.375F, tile[t + 2], sum);
}
EXPORT(stencil_line)

KERNEL stencil_plane(const i32* x, i32* out, u32 width, u32 height) {
  const u32 column = block_x() * 16 + thread_x();
  const u32 row = block_y() * 16 + thread_y();
  if (column >= width || row >= height) return;
  i32 sum = -4 * x[row * width + column];
  if (column > 0) sum += x[row * width + column - 1];
  if (column + 1 < width) sum += x[row * width + column + 1];
  if (row > 0) sum += x[(row - 1) * width + column];
  if (row + 1 < height) sum += x[(row + 1) * width + column];
  out[row * width + column] = sum;
}
EXPORT(stencil_plane)

// A block of three dimensions, and LDS whose size the launch says.
KERNEL block_index(u32* out) {
  DYNAMIC_SHARED(u32, tile);
  const u32 flat = (thread_z() * 4 + thread_y()) * 8 + thread_x();
  const u32 block = (block_z() * 2 + block_y()) * 2 + block_x();
  tile[flat] = thread_x() | thread_y() << 8 | thread_z() << 16;
  barrier();
  out[block * 64 + flat] = tile[63 - flat] ^ (block_x() | block_y() << 4 | block_z() << 8) << 20;
}
EXPORT(block_index)
