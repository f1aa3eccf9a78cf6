// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard_types.h"

// Elementary functions that the compiler expands in place: within 2 units in the last place of f32,
// with the IEEE results for zero, infinity, NaN and subnormal numbers. Those named fast_ are one
// instruction, within 1 unit, and take and give subnormal numbers as 0.

namespace halyard {

inline constexpr float kInfinity = __builtin_inff();
inline constexpr float kLog2E = 1.44269504088896340736f;

HALYARD_DEVICE float exp(float x) {
  return __builtin_elementwise_exp(x);
}
HALYARD_DEVICE float exp2(float x) {
  return __builtin_elementwise_exp2(x);
}
HALYARD_DEVICE float log2(float x) {
  return __builtin_elementwise_log2(x);
}
HALYARD_DEVICE float sqrt(float x) {
  return __builtin_elementwise_sqrt(x);
}
HALYARD_DEVICE float rsqrt(float x) {
  return 1.0f / __builtin_elementwise_sqrt(x);
}
HALYARD_DEVICE float fma(float a, float b, float c) {
  return __builtin_elementwise_fma(a, b, c);
}
HALYARD_DEVICE float abs(float x) {
  return __builtin_elementwise_abs(x);
}
// The larger one; the other where one is NaN.
HALYARD_DEVICE float larger(float a, float b) {
  return __builtin_elementwise_max(a, b);
}

HALYARD_DEVICE float fast_exp2(float x) {
  return __builtin_amdgcn_exp2f(x);
}
HALYARD_DEVICE float fast_log2(float x) {
  return __builtin_amdgcn_logf(x);
}
HALYARD_DEVICE float fast_rsqrt(float x) {
  return __builtin_amdgcn_rsqf(x);
}
HALYARD_DEVICE float fast_reciprocal(float x) {
  return __builtin_amdgcn_rcpf(x);
}

}  // namespace halyard
