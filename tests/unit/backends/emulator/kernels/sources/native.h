// SPDX-License-Identifier: Apache-2.0
// The words of device.h for this machine: each work-item runs on a stack of its own until it waits
// for others, at a barrier or where lanes of a wave exchange values.
#pragma once

namespace native {

struct Item {
  u32 thread[3];
  u32 lane;
};
struct Launch {
  u32 grid[3];
  u32 block[3];
  u32 block_id[3];
  u32 lanes;
  bool has_negative_zero_fp8;  // as OCP defines numbers of 8 bits
  void* dynamic_shared;
};
// Lanes that came to the same place, and what each brought.
struct Meeting {
  u64 lanes;
  u64 values[64];
};

extern const Item* item;
extern Launch launch;

// Where lanes of a wave are at several places, those at the lowest line go on first.
const Meeting& meet(u64 value, int line);
void wait_for_workgroup();
float of_fp8(u32 byte, u32 mantissa_bits);
u32 to_fp8(float value, u32 mantissa_bits);

template <typename T>
T argument(const void* from) {
  T value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <typename F, typename... Done>
struct Call;
template <typename... Done>
struct Call<void(), Done...> {
  template <typename K>
  static void run(K kernel, const void* const*, Done... done) {
    kernel(done...);
  }
};
template <typename First, typename... Rest, typename... Done>
struct Call<void(First, Rest...), Done...> {
  template <typename K>
  static void run(K kernel, const void* const* arguments, Done... done) {
    Call<void(Rest...), Done..., First>::run(kernel, arguments + 1, done...,
                                             argument<First>(*arguments));
  }
};
template <typename F>
void run(F* kernel, const void* const* arguments) {
  Call<F>::run(kernel, arguments);
}

}  // namespace native

#define KERNEL extern "C" void
#define EXPORT(name)                                                                        \
  extern "C" __attribute__((visibility("default"))) void run_##name(const void* const* a) { \
    native::run(name, a);                                                                   \
  }
#define DEVICE inline
#define NOINLINE __attribute__((noinline))
#define SHARED static
#define DYNAMIC_SHARED(type, name) \
  type* const name = static_cast<type*>(native::launch.dynamic_shared)

DEVICE u32 thread_x() {
  return native::item->thread[0];
}
DEVICE u32 thread_y() {
  return native::item->thread[1];
}
DEVICE u32 thread_z() {
  return native::item->thread[2];
}
DEVICE u32 block_x() {
  return native::launch.block_id[0];
}
DEVICE u32 block_y() {
  return native::launch.block_id[1];
}
DEVICE u32 block_z() {
  return native::launch.block_id[2];
}
DEVICE u32 block_size_x() {
  return native::launch.block[0];
}
DEVICE u32 grid_size_x() {
  return native::launch.grid[0] * native::launch.block[0];
}
DEVICE u32 lane() {
  return native::item->lane;
}
DEVICE u32 lane_count() {
  return native::launch.lanes;
}
DEVICE void barrier() {
  native::wait_for_workgroup();
}
DEVICE void fence_release() {}
DEVICE void fence_acquire() {}

#include "native_lanes.h"
#include "native_memory.h"

DEVICE float fast_exp2(float x) {
  return static_cast<float>(__builtin_exp2(static_cast<double>(x)));
}
DEVICE float fast_log2(float x) {
  return static_cast<float>(__builtin_log2(static_cast<double>(x)));
}
DEVICE float fast_rcp(float x) {
  return 1 / x;
}
DEVICE float fast_rsq(float x) {
  return static_cast<float>(1 / __builtin_sqrt(static_cast<double>(x)));
}
DEVICE float fast_sin(float turns) {
  return static_cast<float>(__builtin_sin(turns * 6.283185307179586));
}
DEVICE float fast_cos(float turns) {
  return static_cast<float>(__builtin_cos(turns * 6.283185307179586));
}
DEVICE float fraction(float x) {
  const float part = x - __builtin_floorf(x);
  return part < 1 ? part : 0x1.fffffep-1F;
}
DEVICE float median(float a, float b, float c) {
  return __builtin_fmaxf(__builtin_fminf(a, b), __builtin_fminf(__builtin_fmaxf(a, b), c));
}

DEVICE u32 permute_bytes(u32 high, u32 low, u32 selector) {
  const u64 all = u64{high} << 32 | low;
  u32 out = 0;
  for (u32 k = 0; k < 4; ++k) {
    const u32 from = selector >> 8 * k & 255;
    u32 byte = 0;
    if (from < 8) byte = static_cast<u32>(all >> 8 * from) & 255;
    if (from >= 8 && from < 12) byte = (all >> ((from - 8) * 16 + 15) & 1) != 0 ? 255 : 0;
    if (from > 12) byte = 255;
    out |= byte << 8 * k;
  }
  return out;
}
DEVICE u32 align_bits(u32 high, u32 low, u32 count) {
  return static_cast<u32>((u64{high} << 32 | low) >> (count & 31));
}
DEVICE u32 align_bytes(u32 high, u32 low, u32 bytes) {
  return align_bits(high, low, (bytes & 3) * 8);
}
DEVICE u32 bits_of(u32 value, u32 from, u32 count) {
  return value >> (from & 31) & ((1U << (count & 31)) - 1);
}
DEVICE i32 signed_bits_of(i32 value, u32 from, u32 count) {
  const u32 bits = count & 31;
  if (bits == 0) return 0;
  const u32 part = static_cast<u32>(value >> (from & 31)) << (32 - bits);
  return static_cast<i32>(part) >> (32 - bits);
}
DEVICE u32 distance_of_bytes(u32 a, u32 b, u32 sum) {
  for (u32 k = 0; k < 32; k += 8) {
    const u32 x = a >> k & 255;
    const u32 y = b >> k & 255;
    sum += x > y ? x - y : y - x;
  }
  return sum;
}
DEVICE u32 distance_of_words(u32 a, u32 b, u32 sum) {
  for (u32 k = 0; k < 32; k += 16) {
    const u32 x = a >> k & 0xffff;
    const u32 y = b >> k & 0xffff;
    sum += x > y ? x - y : y - x;
  }
  return sum;
}
DEVICE u32 mean_of_bytes(u32 a, u32 b, u32 round) {
  u32 out = 0;
  for (u32 k = 0; k < 32; k += 8) {
    out |= ((a >> k & 255) + (b >> k & 255) + (round >> k & 1)) >> 1 << k;
  }
  return out;
}
DEVICE i32 dot_of_bytes(u32 a, u32 b, i32 sum) {
  for (u32 k = 0; k < 32; k += 8) {
    sum += i32{static_cast<i8>(a >> k)} * i32{static_cast<i8>(b >> k)};
  }
  return sum;
}
DEVICE u32 dot_of_unsigned_bytes(u32 a, u32 b, u32 sum) {
  for (u32 k = 0; k < 32; k += 8)
    sum += (a >> k & 255) * (b >> k & 255);
  return sum;
}
DEVICE i32 dot_of_nibbles(u32 a, u32 b, i32 sum) {
  const auto at = [](u32 word, u32 k) { return static_cast<i32>(word << (28 - k)) >> 28; };
  for (u32 k = 0; k < 32; k += 4)
    sum += at(a, k) * at(b, k);
  return sum;
}
DEVICE u32 dot_of_unsigned_nibbles(u32 a, u32 b, u32 sum) {
  for (u32 k = 0; k < 32; k += 4)
    sum += (a >> k & 15) * (b >> k & 15);
  return sum;
}
DEVICE float mantissa_of(float x) {
  int exponent = 0;
  return __builtin_frexpf(x, &exponent);
}
DEVICE i32 exponent_of(float x) {
  int exponent = 0;
  __builtin_frexpf(x, &exponent);
  return exponent;
}
DEVICE u32 pack_signed(i32 low, i32 high) {
  const auto within = [](i32 v) { return v < -32768 ? -32768 : v > 32767 ? 32767 : v; };
  return (static_cast<u32>(within(low)) & 0xffff) | static_cast<u32>(within(high)) << 16;
}
DEVICE u32 pack_unsigned(u32 low, u32 high) {
  const auto within = [](u32 v) { return v > 65535 ? 65535 : v; };
  return within(low) | within(high) << 16;
}
DEVICE float dot_of_halves(Vector<f16, 2> a, Vector<f16, 2> b, float sum) {
  return static_cast<float>(static_cast<double>(a.x) * static_cast<double>(b.x) +
                            static_cast<double>(a.y) * static_cast<double>(b.y) +
                            static_cast<double>(sum));
}

// What an operation gives when it rounds to the nearest, up, down or towards zero.
template <int kMode, typename Operation>
DEVICE float in_mode(float a, float b, Operation operation) {
  constexpr u32 kRounding[] = {0, 2, 1, 3};  // as MXCSR has them
  const u32 usual = __builtin_ia32_stmxcsr();
  asm volatile("" : "+x"(a), "+x"(b));
  __builtin_ia32_ldmxcsr(usual | kRounding[kMode] << 13);
  asm volatile("" : "+x"(a), "+x"(b)::"memory");
  float result = operation(a, b);
  asm volatile("" : "+x"(result)::"memory");
  __builtin_ia32_ldmxcsr(usual);
  return result;
}
DEVICE u16 bfloat_of(float value) {
  u32 bits;
  __builtin_memcpy(&bits, &value, 4);
  if (value != value) return static_cast<u16>(bits >> 16 | 0x40);
  return static_cast<u16>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
// By doubles, which round once.
DEVICE f16 fused(f16 a, f16 b, f16 c) {
  return static_cast<f16>(
      __builtin_fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
}
DEVICE Vector<f16, 2> fused(Vector<f16, 2> a, Vector<f16, 2> b, Vector<f16, 2> c) {
  return {fused(a.x, b.x, c.x), fused(a.y, b.y, c.y)};
}

// Of zeros the negative one is the smaller.
DEVICE f16 smaller(f16 a, f16 b) {
  if (a == 0 && b == 0) return __builtin_signbit(static_cast<float>(a)) ? a : b;
  return __builtin_elementwise_min(a, b);
}
DEVICE f16 larger(f16 a, f16 b) {
  return -smaller(-a, -b);
}
DEVICE Vector<f16, 2> smaller(Vector<f16, 2> a, Vector<f16, 2> b) {
  return {smaller(a.x, b.x), smaller(a.y, b.y)};
}
DEVICE Vector<f16, 2> larger(Vector<f16, 2> a, Vector<f16, 2> b) {
  return {larger(a.x, b.x), larger(a.y, b.y)};
}

DEVICE float decode_fp8(u32 byte) {
  return native::of_fp8(byte & 255, 3);
}
DEVICE float decode_bf8(u32 byte) {
  return native::of_fp8(byte & 255, 2);
}
DEVICE u32 encode_fp8_pair(float low, float high) {
  return native::to_fp8(low, 3) | native::to_fp8(high, 3) << 8;
}
DEVICE u32 encode_bf8_pair(float low, float high) {
  return native::to_fp8(low, 2) | native::to_fp8(high, 2) << 8;
}
DEVICE Vector<float, 2> decode_fp8_pair_high(u32 word) {
  return {decode_fp8(word >> 16), decode_fp8(word >> 24)};
}

// What matrix instructions multiply, as numbers.
struct Fp8 {
  u8 bits;
  explicit operator float() const { return decode_fp8(bits); }
};
struct Bf8 {
  u8 bits;
  explicit operator float() const { return decode_bf8(bits); }
};
struct Bfloat {
  u16 bits;
  explicit operator float() const {
    const u32 wide = u32{bits} << 16;
    float value;
    __builtin_memcpy(&value, &wide, 4);
    return value;
  }
};
