// SPDX-License-Identifier: Apache-2.0
// The types that a build binds to the type variables T and S, from HALYARD_TYPE_<variable>_<type>.
//
// For T (likewise for S):
//   HALYARD_T               one element as it lies in memory: float, or uint16_t holding the bits;
//                           the type of buffers only, never of a variable
//   HALYARD_T_BYTES         its size
//   halyard_load_t(e)       its value as float
//   halyard_store_t(v)      v rounded to nearest even, as an element
//   halyard_round_t(v)      v rounded likewise, as float
//   halyard_bits_t(e)       the bits of the value as float, exact for subnormal numbers too
//   halyard_from_bits_t(b)  the float of bits b rounded, as an element, exact likewise
//   HALYARD_T4              four neighbouring elements, aligned to their size: uvec4 or uvec2
//   halyard_unpack_t4(p)    their values as vec4; f16 by the device's own conversion
//   HALYARD_T4_WIDE         the same four elements in 64-bit words, fewer loads on some devices;
//   halyard_narrow_t4(w)    makes a HALYARD_T4 of them. Needs HALYARD_USE_I64 and type.i64
// 16-bit types need the capability storage.16bit, integers of 8 bits storage.8bit.
#ifndef HALYARD_TYPES_GLSL
#define HALYARD_TYPES_GLSL

#if defined(HALYARD_USE_I64)
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif

#if defined(HALYARD_TYPE_T_F16) || defined(HALYARD_TYPE_T_BF16) || defined(HALYARD_TYPE_S_F16) || \
    defined(HALYARD_TYPE_S_BF16)
#extension GL_EXT_shader_16bit_storage : require
#endif

vec4 halyard_unpack_f32x4(uvec4 p) { return uintBitsToFloat(p); }
vec4 halyard_unpack_f16x4(uvec2 p) { return vec4(unpackHalf2x16(p.x), unpackHalf2x16(p.y)); }
vec4 halyard_unpack_bf16x4(uvec2 p) {
  return uintBitsToFloat(uvec4(p.x << 16, p.x & 0xffff0000u, p.y << 16, p.y & 0xffff0000u));
}

#if defined(HALYARD_TYPE_T_F32)
#define HALYARD_T float
#define HALYARD_T_BYTES 4
#define HALYARD_T4 uvec4
#define halyard_load_t(e) (e)
#define halyard_store_t(v) (v)
#define halyard_round_t(v) (v)
#define halyard_bits_t(e) floatBitsToUint(e)
#define halyard_from_bits_t(b) uintBitsToFloat(b)
#define halyard_unpack_t4(p) halyard_unpack_f32x4(p)
#define HALYARD_T4_WIDE u64vec2
#define halyard_narrow_t4(p) uvec4(unpackUint2x32((p).x), unpackUint2x32((p).y))
#elif defined(HALYARD_TYPE_T_F16)
#define HALYARD_T uint16_t
#define HALYARD_T_BYTES 2
#define HALYARD_T4 uvec2
#define halyard_load_t(e) halyard_f16_to_float(uint(e))
#define halyard_store_t(v) uint16_t(halyard_float_to_f16(v))
#define halyard_round_t(v) halyard_f16_to_float(halyard_float_to_f16(v))
#define halyard_bits_t(e) halyard_f16_to_f32_bits(uint(e))
#define halyard_from_bits_t(b) uint16_t(halyard_f32_bits_to_f16(b))
#define halyard_unpack_t4(p) halyard_unpack_f16x4(p)
#define HALYARD_T4_WIDE uint64_t
#define halyard_narrow_t4(p) unpackUint2x32(p)
#elif defined(HALYARD_TYPE_T_BF16)
#define HALYARD_T uint16_t
#define HALYARD_T_BYTES 2
#define HALYARD_T4 uvec2
#define halyard_load_t(e) halyard_bf16_to_float(uint(e))
#define halyard_store_t(v) uint16_t(halyard_float_to_bf16(v))
#define halyard_round_t(v) halyard_bf16_to_float(halyard_float_to_bf16(v))
#define halyard_bits_t(e) halyard_bf16_to_f32_bits(uint(e))
#define halyard_from_bits_t(b) uint16_t(halyard_f32_bits_to_bf16(b))
#define halyard_unpack_t4(p) halyard_unpack_bf16x4(p)
#define HALYARD_T4_WIDE uint64_t
#define halyard_narrow_t4(p) unpackUint2x32(p)
#endif

#if defined(HALYARD_TYPE_S_F32)
#define HALYARD_S float
#define halyard_load_s(e) (e)
#define halyard_bits_s(e) floatBitsToUint(e)
#elif defined(HALYARD_TYPE_S_F16)
#define HALYARD_S uint16_t
#define halyard_load_s(e) halyard_f16_to_float(uint(e))
#define halyard_bits_s(e) halyard_f16_to_f32_bits(uint(e))
#elif defined(HALYARD_TYPE_S_BF16)
#define HALYARD_S uint16_t
#define halyard_load_s(e) halyard_bf16_to_float(uint(e))
#define halyard_bits_s(e) halyard_bf16_to_f32_bits(uint(e))
#endif

#endif
