// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard_vector.h"

// Elementary functions without a math library: within 2 units in the last place of f32
// (sigmoid 2.5), with the IEEE results for zero, infinity and NaN.

namespace halyard {

// 2^k for integers k in [-126, 127], from the float k + kRoundMagic.
inline constexpr float kRoundMagic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer.

HALYARD_INLINE F32v power_of_two(I32v exponent) {
  return __builtin_bit_cast(F32v, (exponent + 127) << 23);
}

// value * 2^exponent for exponents in [-252, 254]: in two steps, so that subnormal results and
// the largest finite ones are reached.
HALYARD_INLINE F32v scale_by_power(F32v value, I32v exponent) {
#if defined(__AVX512F__)
  typedef float Floats __attribute__((vector_size(64)));
  return __builtin_bit_cast(
      F32v, __builtin_ia32_scalefps512_mask(
                __builtin_bit_cast(Floats, value),
                __builtin_bit_cast(Floats, __builtin_convertvector(exponent, F32v)), Floats{},
                0xffff, 4));
#else
  const I32v half = exponent >> 1;
  return value * power_of_two(half) * power_of_two(exponent - half);
#endif
}

HALYARD_INLINE F32v exp2(F32v x) {
  const F32v limited = x > 129.0f ? F32v(129.0f) : (x < -151.0f ? F32v(-151.0f) : x);
  const F32v shifted = limited + kRoundMagic;
  const I32v exponent =
      __builtin_bit_cast(I32v, shifted) - __builtin_bit_cast(I32v, F32v(kRoundMagic));
  const F32v r = limited - (shifted - kRoundMagic);
  F32v p = fma(r, F32v(0.0001545316294848107f), F32v(0.0013390863364790284f));
  p = fma(r, p, F32v(0.009618082557271129f));
  p = fma(r, p, F32v(0.05550357114218822f));
  p = fma(r, p, F32v(0.24022650760568112f));
  p = fma(r, p, F32v(0.6931471880262288f));
  const F32v result = scale_by_power(fma(r, p, F32v(1.0f)), exponent);
  return x == x ? result : x;
}

HALYARD_INLINE F32v exp(F32v x) {
  const F32v limited = x > 89.0f ? F32v(89.0f) : (x < -104.0f ? F32v(-104.0f) : x);
  const F32v shifted = fma(limited, F32v(1.4426950408889634f), F32v(kRoundMagic));
  const F32v k = shifted - kRoundMagic;
  const I32v exponent =
      __builtin_bit_cast(I32v, shifted) - __builtin_bit_cast(I32v, F32v(kRoundMagic));
  // ln 2 in two parts; the first has trailing zeros, so that its product with k is exact.
  F32v r = fma(k, F32v(-0.693145751953125f), limited);
  r = fma(k, F32v(-1.4286068203094172e-06f), r);
  F32v p = fma(r, F32v(0.0013926176120095635f), F32v(0.008363173074517661f));
  p = fma(r, p, F32v(0.04166655466204864f));
  p = fma(r, p, F32v(0.1666657702559794f));
  p = fma(r, p, F32v(0.5f));
  const F32v result = scale_by_power(fma(r * r, p, r) + 1.0f, exponent);
  return x == x ? result : x;
}

HALYARD_INLINE F32v log2(F32v x) {
  const auto subnormal = (x < 0x1p-126f) & (x > 0.0f);
  const F32v normal = subnormal ? x * 0x1p24f : x;
  // The mantissa is taken from [sqrt(1/2), sqrt(2)), where the exponent is 0 for x near 1.
  const I32v bits = __builtin_bit_cast(I32v, normal);
  const I32v exponent = (bits - 0x3f3504f3) >> 23;
  const F32v m = __builtin_bit_cast(F32v, bits - (exponent << 23));
  const F32v e = __builtin_convertvector(exponent, F32v) - (subnormal ? F32v(24.0f) : F32v(0.0f));
  // log(m) = 2 atanh(s). With f = m - 1 exact, s = f / (2 + f) and 2 s = f - s f.
  const F32v f = m - 1.0f;
  const F32v s = f / (f + 2.0f);
  const F32v z = s * s;
  F32v p = fma(z, F32v(0.23331614467353562f), F32v(0.2855077863334117f));
  p = fma(z, p, F32v(0.4000012221180959f));
  p = fma(z, p, F32v(0.6666666655404201f));
  const F32v correction = s * (z * p - f);
  const F32v log2_e = 1.4426950408889634f;
  F32v result = fma(f, log2_e, fma(correction, log2_e, f * 1.925963033500947e-08f)) + e;
  result = x == 0.0f ? F32v(-__builtin_inff()) : result;
  result = x < 0.0f ? F32v(__builtin_nanf("")) : result;
  const auto finite = (x == x) & (x != __builtin_inff());
  return finite ? result : x;
}

HALYARD_INLINE F32v sqrt(F32v x) {
  return __builtin_elementwise_sqrt(x);
}
HALYARD_INLINE F32v rsqrt(F32v x) {
  return F32v(1.0f) / sqrt(x);
}

HALYARD_INLINE F32v sigmoid(F32v x) {
  const F32v small = exp(-__builtin_elementwise_abs(x));
  const F32v numerator = x < 0.0f ? small : F32v(1.0f);
  return numerator / (small + 1.0f);
}

HALYARD_INLINE float exp(float x) {
  return exp(F32v(x))[0];
}
HALYARD_INLINE float exp2(float x) {
  return exp2(F32v(x))[0];
}
HALYARD_INLINE float log2(float x) {
  return log2(F32v(x))[0];
}
HALYARD_INLINE float sqrt(float x) {
  return sqrt(F32v(x))[0];
}
HALYARD_INLINE float rsqrt(float x) {
  return 1.0f / sqrt(x);
}
HALYARD_INLINE float sigmoid(float x) {
  return sigmoid(F32v(x))[0];
}

}  // namespace halyard
