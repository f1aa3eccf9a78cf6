// SPDX-License-Identifier: Apache-2.0
// The words of device.h for a GPU.
#pragma once

#define KERNEL extern "C" __attribute__((global)) void
#define EXPORT(name)
#define DEVICE __attribute__((device)) inline
#define NOINLINE __attribute__((device, noinline))
#define SHARED __attribute__((shared))
#define DYNAMIC_SHARED(type, name) extern __attribute__((shared)) type name[]

DEVICE u32 thread_x() {
  return __builtin_amdgcn_workitem_id_x();
}
DEVICE u32 thread_y() {
  return __builtin_amdgcn_workitem_id_y();
}
DEVICE u32 thread_z() {
  return __builtin_amdgcn_workitem_id_z();
}
DEVICE u32 block_x() {
  return __builtin_amdgcn_workgroup_id_x();
}
DEVICE u32 block_y() {
  return __builtin_amdgcn_workgroup_id_y();
}
DEVICE u32 block_z() {
  return __builtin_amdgcn_workgroup_id_z();
}
DEVICE u32 block_size_x() {
  return __builtin_amdgcn_workgroup_size_x();
}
DEVICE u32 grid_size_x() {
  return __builtin_amdgcn_grid_size_x();
}
DEVICE u32 lane() {
  return __builtin_amdgcn_mbcnt_hi(~0U, __builtin_amdgcn_mbcnt_lo(~0U, 0));
}
DEVICE u32 lane_count() {
  return __builtin_amdgcn_wavefrontsize();
}
DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
DEVICE void fence_release() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
}
DEVICE void fence_acquire() {
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
}
DEVICE u32 shuffle(u32 value, u32 from) {
  const int at = static_cast<int>(from * 4);
  const int here = __builtin_amdgcn_ds_bpermute(at, static_cast<int>(value));
#if __AMDGCN_WAVEFRONT_SIZE__ == 64 && !defined(__gfx942__)
  // There it stays within 32 lanes.
  const int swapped = static_cast<int>(__builtin_amdgcn_permlane64(value));
  const int there = __builtin_amdgcn_ds_bpermute(at, swapped);
  return static_cast<u32>(((from ^ lane()) & 32) != 0 ? there : here);
#else
  return static_cast<u32>(here);
#endif
}
DEVICE u32 push(u32 value, u32 to) {
  return static_cast<u32>(
      __builtin_amdgcn_ds_permute(static_cast<int>(to * 4), static_cast<int>(value)));
}
DEVICE u64 ballot(bool value) {
#if __AMDGCN_WAVEFRONT_SIZE__ == 64
  return __builtin_amdgcn_ballot_w64(value);
#else
  return __builtin_amdgcn_ballot_w32(value);
#endif
}
DEVICE u32 first_lane(u32 value) {
  return static_cast<u32>(__builtin_amdgcn_readfirstlane(static_cast<int>(value)));
}
DEVICE u32 read_lane(u32 value, u32 from) {
  return static_cast<u32>(
      __builtin_amdgcn_readlane(static_cast<int>(value), static_cast<int>(from)));
}
template <int kControl, int kRows = 15, int kBanks = 15, bool kBound = false>
DEVICE u32 dpp(u32 old, u32 value) {
  return static_cast<u32>(__builtin_amdgcn_update_dpp(
      static_cast<int>(old), static_cast<int>(value), kControl, kRows, kBanks, kBound));
}
template <int kPattern>
DEVICE u32 swizzle(u32 value) {
  return static_cast<u32>(__builtin_amdgcn_ds_swizzle(static_cast<int>(value), kPattern));
}

#define ATOMIC(name, builtin)                                                  \
  template <typename T>                                                        \
  DEVICE T atomic_##name(T* at, T value) {                                     \
    return builtin(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);     \
  }                                                                            \
  template <typename T>                                                        \
  DEVICE T local_##name(T* at, T value) {                                      \
    return builtin(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP); \
  }
ATOMIC(add, __hip_atomic_fetch_add)
ATOMIC(min, __hip_atomic_fetch_min)
ATOMIC(max, __hip_atomic_fetch_max)
ATOMIC(and, __hip_atomic_fetch_and)
ATOMIC(or, __hip_atomic_fetch_or)
ATOMIC(xor, __hip_atomic_fetch_xor)
ATOMIC(exchange, __hip_atomic_exchange)
#undef ATOMIC

template <typename T>
DEVICE bool atomic_replace(T* at, T* expected, T value) {
  return __hip_atomic_compare_exchange_strong(at, expected, value, __ATOMIC_RELAXED,
                                              __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <typename T>
DEVICE T atomic_load(T* at) {
  return __hip_atomic_load(at, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
DEVICE u32 atomic_wrapping_increment(u32* at, u32 limit) {
  return __builtin_amdgcn_atomic_inc32(at, limit, __ATOMIC_RELAXED, "agent");
}
DEVICE u32 atomic_wrapping_decrement(u32* at, u32 limit) {
  return __builtin_amdgcn_atomic_dec32(at, limit, __ATOMIC_RELAXED, "agent");
}

// Approximations of the hardware.
DEVICE float fast_exp2(float x) {
  return __builtin_amdgcn_exp2f(x);
}
DEVICE float fast_log2(float x) {
  return __builtin_amdgcn_logf(x);
}
DEVICE float fast_rcp(float x) {
  return __builtin_amdgcn_rcpf(x);
}
DEVICE float fast_rsq(float x) {
  return __builtin_amdgcn_rsqf(x);
}
// Of an angle in turns.
DEVICE float fast_sin(float turns) {
  return __builtin_amdgcn_sinf(turns);
}
DEVICE float fast_cos(float turns) {
  return __builtin_amdgcn_cosf(turns);
}
DEVICE float fraction(float x) {
  return __builtin_amdgcn_fractf(x);
}
DEVICE float median(float a, float b, float c) {
  return __builtin_amdgcn_fmed3f(a, b, c);
}

DEVICE u32 permute_bytes(u32 high, u32 low, u32 selector) {
  return __builtin_amdgcn_perm(high, low, selector);
}
DEVICE u32 align_bytes(u32 high, u32 low, u32 bytes) {
  return __builtin_amdgcn_alignbyte(high, low, bytes);
}
DEVICE u32 align_bits(u32 high, u32 low, u32 count) {
  return __builtin_amdgcn_alignbit(high, low, count);
}
DEVICE u32 bits_of(u32 value, u32 from, u32 count) {
  return __builtin_amdgcn_ubfe(value, from, count);
}
DEVICE i32 signed_bits_of(i32 value, u32 from, u32 count) {
  return __builtin_amdgcn_sbfe(value, from, count);
}
DEVICE u32 distance_of_bytes(u32 a, u32 b, u32 sum) {
  return __builtin_amdgcn_sad_u8(a, b, sum);
}
DEVICE u32 distance_of_words(u32 a, u32 b, u32 sum) {
  return __builtin_amdgcn_sad_u16(a, b, sum);
}
DEVICE u32 mean_of_bytes(u32 a, u32 b, u32 round) {
  return __builtin_amdgcn_lerp(a, b, round);
}
DEVICE i32 dot_of_bytes(u32 a, u32 b, i32 sum) {
#ifdef __gfx942__
  return __builtin_amdgcn_sdot4(static_cast<int>(a), static_cast<int>(b), sum, false);
#else
  return __builtin_amdgcn_sudot4(true, static_cast<int>(a), true, static_cast<int>(b), sum, false);
#endif
}
DEVICE u32 dot_of_unsigned_bytes(u32 a, u32 b, u32 sum) {
  return __builtin_amdgcn_udot4(a, b, sum, false);
}
DEVICE float dot_of_halves(Vector<f16, 2> a, Vector<f16, 2> b, float sum) {
  return __builtin_amdgcn_fdot2(a, b, sum, false);
}

// As the compiler converts, NaNs included.
DEVICE u16 bfloat_of(float value) {
  const bf16 narrow = static_cast<bf16>(value);
  u16 bits;
  __builtin_memcpy(&bits, &narrow, 2);
  return bits;
}
DEVICE Vector<f16, 2> fused(Vector<f16, 2> a, Vector<f16, 2> b, Vector<f16, 2> c) {
  return __builtin_elementwise_fma(a, b, c);
}

DEVICE Vector<f16, 2> smaller(Vector<f16, 2> a, Vector<f16, 2> b) {
  return __builtin_elementwise_min(a, b);
}
DEVICE Vector<f16, 2> larger(Vector<f16, 2> a, Vector<f16, 2> b) {
  return __builtin_elementwise_max(a, b);
}

template <typename Pair>
DEVICE u32 bits_of_pair(Pair pair) {
  u32 bits;
  __builtin_memcpy(&bits, &pair, 4);
  return bits;
}
DEVICE i32 dot_of_nibbles(u32 a, u32 b, i32 sum) {
#ifdef __gfx942__
  return __builtin_amdgcn_sdot8(static_cast<int>(a), static_cast<int>(b), sum, false);
#else
  return __builtin_amdgcn_sudot8(true, static_cast<int>(a), true, static_cast<int>(b), sum, false);
#endif
}
DEVICE u32 dot_of_unsigned_nibbles(u32 a, u32 b, u32 sum) {
  return __builtin_amdgcn_udot8(a, b, sum, false);
}
DEVICE float mantissa_of(float x) {
  return __builtin_amdgcn_frexp_mantf(x);
}
DEVICE i32 exponent_of(float x) {
  return __builtin_amdgcn_frexp_expf(x);
}
// Each within 16 bits.
DEVICE u32 pack_signed(i32 low, i32 high) {
  return bits_of_pair(__builtin_amdgcn_cvt_pk_i16(low, high));
}
DEVICE u32 pack_unsigned(u32 low, u32 high) {
  return bits_of_pair(__builtin_amdgcn_cvt_pk_u16(low, high));
}

#if defined(__gfx942__) || defined(__gfx1201__)
DEVICE float decode_fp8(u32 byte) {
  return __builtin_amdgcn_cvt_f32_fp8(static_cast<int>(byte), 0);
}
DEVICE float decode_bf8(u32 byte) {
  return __builtin_amdgcn_cvt_f32_bf8(static_cast<int>(byte), 0);
}
DEVICE u32 encode_fp8_pair(float low, float high) {
  return static_cast<u32>(__builtin_amdgcn_cvt_pk_fp8_f32(low, high, 0, false)) & 0xffff;
}
DEVICE u32 encode_bf8_pair(float low, float high) {
  return static_cast<u32>(__builtin_amdgcn_cvt_pk_bf8_f32(low, high, 0, false)) & 0xffff;
}
DEVICE Vector<float, 2> decode_fp8_pair_high(u32 word) {
  return __builtin_amdgcn_cvt_pk_f32_fp8(static_cast<int>(word), true);
}
#endif

#ifndef __gfx942__
// `kLanes` in octal: the source of lane 7 of each eight first.
template <unsigned kLanes>
DEVICE u32 dpp8(u32 value) {
  return __builtin_amdgcn_mov_dpp8(value, kLanes);
}
// A lane of the other, or the same, row of 16; four bits for each lane say which.
DEVICE u32 other_row(u32 value, u32 low, u32 high) {
  return __builtin_amdgcn_permlanex16(0, value, low, high, false, false);
}
DEVICE u32 same_row(u32 value, u32 low, u32 high) {
  return __builtin_amdgcn_permlane16(0, value, low, high, false, false);
}
#endif

template <typename T>
DEVICE T local_sub(T* at, T value) {
  return __hip_atomic_fetch_sub(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <typename T>
DEVICE bool local_replace(T* at, T* expected, T value) {
  return __hip_atomic_compare_exchange_strong(at, expected, value, __ATOMIC_RELAXED,
                                              __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
// What an operation gives when it rounds to the nearest, up, down or towards zero.
template <int kMode, typename Operation>
DEVICE float in_mode(float a, float b, Operation operation) {
  asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), %2" : "+v"(a), "+v"(b) : "i"(kMode));
  float result = operation(a, b);
  asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0" : "+v"(result));
  return result;
}
// A pointer that the compiler knows nothing about.
template <typename T>
DEVICE T* hidden(T* at) {
  asm volatile("" : "+v"(at));
  return at;
}

// Memory behind a descriptor; beyond its end there are zeros, and stores go nowhere.
class Buffer {
 public:
  __attribute__((device)) Buffer(void* at, u32 bytes)
      : resource_(__builtin_amdgcn_make_buffer_rsrc(at, 0, static_cast<int>(bytes), kWord3)) {}

  DEVICE u32 load(u32 at) const {
    return __builtin_amdgcn_raw_buffer_load_b32(resource_, static_cast<int>(at), 0, 0);
  }
  DEVICE Vector<u32, 2> load2(u32 at) const {
    return __builtin_amdgcn_raw_buffer_load_b64(resource_, static_cast<int>(at), 0, 0);
  }
  DEVICE Vector<u32, 4> load4(u32 at) const {
    return __builtin_amdgcn_raw_buffer_load_b128(resource_, static_cast<int>(at), 0, 0);
  }
  DEVICE u32 load_byte(u32 at) const {
    return __builtin_amdgcn_raw_buffer_load_b8(resource_, static_cast<int>(at), 0, 0);
  }
  DEVICE u32 load_short(u32 at) const {
    return __builtin_amdgcn_raw_buffer_load_b16(resource_, static_cast<int>(at), 0, 0);
  }
  DEVICE void store(u32 at, u32 value) const {
    __builtin_amdgcn_raw_buffer_store_b32(value, resource_, static_cast<int>(at), 0, 0);
  }
  DEVICE void store2(u32 at, Vector<u32, 2> value) const {
    __builtin_amdgcn_raw_buffer_store_b64(value, resource_, static_cast<int>(at), 0, 0);
  }
  DEVICE void store4(u32 at, Vector<u32, 4> value) const {
    __builtin_amdgcn_raw_buffer_store_b128(value, resource_, static_cast<int>(at), 0, 0);
  }
  DEVICE void store_byte(u32 at, u32 value) const {
    __builtin_amdgcn_raw_buffer_store_b8(static_cast<u8>(value), resource_, static_cast<int>(at), 0,
                                         0);
  }
  DEVICE void store_short(u32 at, u32 value) const {
    __builtin_amdgcn_raw_buffer_store_b16(static_cast<u16>(value), resource_, static_cast<int>(at),
                                          0, 0);
  }

 private:
#if defined(__gfx942__)
  static constexpr int kWord3 = 0x00027000;
#else
  static constexpr int kWord3 = 0x31027000;
#endif
  __amdgpu_buffer_rsrc_t resource_;
};
