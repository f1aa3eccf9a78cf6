// SPDX-License-Identifier: Apache-2.0
// Conversions that round to nearest even on every device, and functions more exact than Vulkan asks
// of the built-in ones.
#ifndef HALYARD_MATH_GLSL
#define HALYARD_MATH_GLSL

// Written as bits because a constant expression may not divide by zero.
#define HALYARD_INFINITY uintBitsToFloat(0x7f800000u)
#define HALYARD_NAN uintBitsToFloat(0x7fc00000u)

// Exact on devices that compile isnan() away.
bool halyard_is_nan(uint float_bits) { return (float_bits & 0x7fffffffu) > 0x7f800000u; }

uint halyard_bf16_to_f32_bits(uint bits) { return bits << 16; }

float halyard_bf16_to_float(uint bits) { return uintBitsToFloat(bits << 16); }

uint halyard_f32_bits_to_bf16(uint bits) {
  uint rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return halyard_is_nan(bits) ? (bits >> 16) | 0x40u : rounded;
}

uint halyard_float_to_bf16(float value) { return halyard_f32_bits_to_bf16(floatBitsToUint(value)); }

// Integers only: unpackHalf2x16 may flush subnormal numbers.
uint halyard_f16_to_f32_bits(uint bits) {
  uint sign = (bits & 0x8000u) << 16;
  uint magnitude = bits & 0x7fffu;
  uint normal = (magnitude << 13) + (112u << 23);
  uint special = (magnitude << 13) | 0x7f800000u;
  uint subnormal = floatBitsToUint(float(magnitude) * 5.9604644775390625e-8);  // 2^-24
  uint finite = magnitude < 0x0400u ? subnormal : normal;
  return sign | (magnitude >= 0x7c00u ? special : finite);
}

float halyard_f16_to_float(uint bits) { return uintBitsToFloat(halyard_f16_to_f32_bits(bits)); }

uint halyard_f32_bits_to_f16(uint bits) {
  uint sign = (bits >> 16) & 0x8000u;
  uint magnitude = bits & 0x7fffffffu;
  uint normal = (magnitude - (112u << 23) + 0x0fffu + ((magnitude >> 13) & 1u)) >> 13;

  // Below 2^-14 the 24-bit significand is shifted right by 126 - exponent places.
  uint shift = min(126u - min(magnitude >> 23, 113u), 25u);
  uint significand = (magnitude & 0x007fffffu) | 0x00800000u;
  uint half_less_one = (1u << (shift - 1u)) - 1u;
  uint subnormal = (significand + half_less_one + ((significand >> shift) & 1u)) >> shift;

  uint finite = magnitude < 0x38800000u ? subnormal : normal;
  uint overflow = magnitude > 0x7f800000u ? 0x7e00u | (magnitude >> 13 & 0x01ffu) : 0x7c00u;
  return sign | (magnitude >= 0x477ff000u ? overflow : finite);
}

uint halyard_float_to_f16(float value) { return halyard_f32_bits_to_f16(floatBitsToUint(value)); }

// 2^x within 2 units in the last place; 0 below -125 and infinity from 128 on.
float halyard_exp2(float x) {
  float clamped = clamp(x, -125.0, 128.0);
  float whole = floor(clamped + 0.5);
  float r = clamped - whole;
  float p = 1.5252734e-5;
  p = fma(p, r, 1.5403530e-4);
  p = fma(p, r, 1.3333558e-3);
  p = fma(p, r, 9.6181291e-3);
  p = fma(p, r, 5.5504109e-2);
  p = fma(p, r, 2.4022651e-1);
  p = fma(p, r, 6.9314718e-1);
  p = fma(p, r, 1.0);
  float scaled = (p + p) * uintBitsToFloat(uint(int(whole) + 126) << 23);
  float limited = x < -125.0 ? 0.0 : (x >= 128.0 ? HALYARD_INFINITY : scaled);
  return halyard_is_nan(floatBitsToUint(x)) ? x : limited;
}

// e^x within 3 units in the last place; 0 below -87 and infinity above 88.72. The argument is reduced
// by a ln 2 in two parts, the first so short that its product is exact: not every driver fuses fma().
float halyard_exp(float x) {
  float clamped = clamp(x, -87.0, 89.0);
  float whole = floor(clamped * 1.44269502 + 0.5);
  precise float reduced = clamped - whole * 0.693359375;
  reduced = reduced + whole * 2.12194440e-4;
  float p = halyard_exp2(reduced * 1.44269502);
  float scaled = (p + p) * uintBitsToFloat(uint(int(whole) + 126) << 23);
  float limited = x < -87.0 ? 0.0 : (x > 88.7228394 ? HALYARD_INFINITY : scaled);
  return halyard_is_nan(floatBitsToUint(x)) ? x : limited;
}

// log2 of a positive normal float, or of NaN.
float halyard_log2(float x) {
  uint bits = floatBitsToUint(x);
  int exponent = int(bits - 0x3f3504f3u) >> 23;
  float m = uintBitsToFloat(bits - (uint(exponent) << 23));
  float s = (m - 1.0) / (m + 1.0);
  float z = s * s;
  float p = 0.32057852;
  p = fma(p, z, 0.41219859);
  p = fma(p, z, 0.57707802);
  p = fma(p, z, 0.96179669);
  p = fma(p, z, 2.88539008);
  float result = fma(p, s, float(exponent));
  return halyard_is_nan(bits) ? x : result;
}

#endif
