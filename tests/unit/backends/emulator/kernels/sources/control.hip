// SPDX-License-Identifier: Apache-2.0
// Lanes that go different ways.
#include "device.h"

KERNEL collatz(const u32* x, u32* steps) {
  const u32 i = global_x(64);
  u32 value = (x[i] & 0xffff) + 1;
  u32 count = 0;
  while (value != 1 && count < 200) {
    value = (value & 1) != 0 ? 3 * value + 1 : value >> 1;
    ++count;
  }
  steps[i] = count;
}
EXPORT(collatz)

KERNEL switch_machine(const u8* code, const i32* x, i32* out) {
  const u32 i = global_x(64);
  i32 value = x[i];
  for (u32 k = 0; k < 12; ++k) {
    switch (code[i * 12 + k] & 7) {
      case 0: value += 17; break;
      case 1: value *= 3; break;
      case 2: value ^= 0x55; break;
      case 3: value = -value; break;
      case 4: value >>= 2; break;
      case 5:
        if (value < 0) break;
        value -= 1000;
        [[fallthrough]];
      case 6: value = value << 1 | 1; break;
      default: k += value & 1; break;
    }
  }
  out[i] = value;
}
EXPORT(switch_machine)

KERNEL nested_loops(const u32* x, u32* out) {
  const u32 i = global_x(64);
  u32 sum = 0;
  for (u32 a = 0; a < x[i] % 7; ++a) {
    for (u32 b = a; b < 9; ++b) {
      if ((a * b + i) % 5 == 0) continue;
      if (b > 6 && (i & 4) != 0) break;
      for (u32 c = b; c != 0; c >>= 1) {
        sum += a * 100 + b * 10 + c;
        if (sum > 40000) goto done;
      }
    }
    sum ^= a << 4;
  }
done:
  out[i] = sum;
}
EXPORT(nested_loops)

KERNEL mandelbrot(u32* out, u32 width) {
  const u32 column = block_x() * 16 + thread_x();
  const u32 row = block_y() * 4 + thread_y();
  const float re = static_cast<float>(column) * 0.09375F - 2.0F;
  const float im = static_cast<float>(row) * 0.25F - 1.0F;
  float a = 0;
  float b = 0;
  u32 count = 0;
  for (; count < 60 && a * a + b * b < 4; ++count) {
    const float next = a * a - b * b + re;
    b = 2 * a * b + im;
    a = next;
  }
  out[row * width + column] = count;
}
EXPORT(mandelbrot)

KERNEL binary_search(const u32* sorted, const u32* keys, u32* out, u32 count) {
  const u32 key = keys[global_x(64)];
  u32 low = 0;
  u32 high = count;
  while (low < high) {
    const u32 middle = (low + high) / 2;
    if (sorted[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  out[global_x(64)] = low;
}
EXPORT(binary_search)

KERNEL common_divisor(const u32* a, const u32* b, u32* out) {
  const u32 i = global_x(64);
  u32 x = a[i] & 0xfffff;
  u32 y = b[i] & 0xfff;
  while (y != 0) {
    const u32 rest = x % y;
    x = y;
    y = rest;
  }
  out[i] = x;
}
EXPORT(common_divisor)

// Barriers in a loop whose length is the same for the whole workgroup, around lanes that part.
KERNEL game_of_life(u8* cells, u32 steps) {
  SHARED u8 tile[2][16][16];
  const u32 x = thread_x();
  const u32 y = thread_y();
  u32 now = 0;
  tile[0][y][x] = cells[(block_x() * 16 + y) * 16 + x];
  barrier();
  for (u32 step = 0; step < steps; ++step) {
    u32 around = 0;
    for (u32 dy = 15; dy < 18; ++dy) {
      for (u32 dx = 15; dx < 18; ++dx) around += tile[now][(y + dy) & 15][(x + dx) & 15];
    }
    const u8 alive = tile[now][y][x];
    around -= alive;
    tile[now ^ 1][y][x] = around == 3 || (alive != 0 && around == 2) ? 1 : 0;
    now ^= 1;
    barrier();
  }
  cells[(block_x() * 16 + y) * 16 + x] = tile[now][y][x];
}
EXPORT(game_of_life)

KERNEL find_bytes(const u8* text, u32* out, u32 size) {
  const u32 i = global_x(64);
  u32 length = 0;
  for (u32 k = i; k < size && text[k] >= 'a' && text[k] <= 'z'; ++k) ++length;
  out[i] = length;
}
EXPORT(find_bytes)
