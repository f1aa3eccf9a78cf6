// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/data_type.h"

#include <cstdint>

namespace halyard::base {

// Conversions between IEEE doubles and the narrow formats. Widening is exact. Narrowing rounds
// once, to nearest, ties to even; subnormals are kept, overflow gives infinity, NaN stays NaN with
// its sign. Every double that comes from a float is exact, so the float forms round once too.
std::uint16_t f16_from_double(double value);
double f16_to_double(std::uint16_t bits);
std::uint16_t f16_from_float(float value);
float f16_to_float(std::uint16_t bits);

std::uint16_t bf16_from_double(double value);
double bf16_to_double(std::uint16_t bits);
std::uint16_t bf16_from_float(float value);
float bf16_to_float(std::uint16_t bits);

// OCP 8-bit formats. e4m3 has no infinity: infinities and values that round past 448 become NaN.
std::uint8_t fp8_e4m3_from_double(double value);
double fp8_e4m3_to_double(std::uint8_t bits);
std::uint8_t fp8_e5m2_from_double(double value);
double fp8_e5m2_to_double(std::uint8_t bits);

// Reads one element of `type` at `source`, which needs no alignment. Exact, but for 64-bit integers
// beyond 2^53, which round to nearest.
double load_as_double(DataType type, const void* source);

// Writes `value` as one element of `type` at `target`, which needs no alignment. Floats round once;
// integers round to nearest even, saturate at the limits of the type, and NaN becomes 0.
void store_from_double(DataType type, double value, void* target);

}  // namespace halyard::base
