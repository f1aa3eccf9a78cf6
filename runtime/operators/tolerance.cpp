// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/tolerance.h"

#include "runtime/base/float_formats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace halyard::operators {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double least_subnormal(base::DataType type) {
  switch (type) {
    case base::DataType::kF64:
      return std::numeric_limits<double>::denorm_min();
    case base::DataType::kF32:
      return std::ldexp(1.0, -149);
    case base::DataType::kF16:
      return std::ldexp(1.0, -24);
    case base::DataType::kBf16:
      return std::ldexp(1.0, -133);
    case base::DataType::kFp8E4m3:
      return std::ldexp(1.0, -9);
    case base::DataType::kFp8E5m2:
      return std::ldexp(1.0, -16);
    default:
      return 0;
  }
}

// Devices may flush what they compute in f32, and bf16 has the same exponents.
double flushed_below(base::DataType type) {
  const bool is_flushed = type == base::DataType::kF32 || type == base::DataType::kBf16;
  return is_flushed ? std::ldexp(1.0, -126) : 0;
}

double round_to_type(base::DataType type, double value) {
  std::array<unsigned char, 8> bytes{};
  base::store_from_double(type, value, bytes.data());
  return base::load_as_double(type, bytes.data());
}

double equal_or_infinity(double y, double r) {
  return y == r ? 0 : kInfinity;
}

}  // namespace

double error_ratio(double y, double r, double magnitude, const ToleranceRule& rule) {
  if (std::isnan(y) || std::isnan(r)) return std::isnan(y) && std::isnan(r) ? 0 : kInfinity;
  if (rule.kind == ToleranceKind::kExact || !base::data_type_is_float(rule.output) ||
      std::isinf(r)) {
    return equal_or_infinity(y, r);
  }
  const double scale = std::isfinite(magnitude) ? std::max(magnitude, 0.0) : std::abs(r);
  const double accumulated = rule.c * base::data_type_unit_roundoff(rule.accumulation) *
                             std::sqrt(std::max(rule.reduction_length, 1.0)) * scale;
  if (std::isinf(y)) {
    const double outward = r + std::copysign(accumulated, r);
    return equal_or_infinity(y, round_to_type(rule.output, outward));
  }
  if (y == r || (y == 0 && std::abs(r) < flushed_below(rule.output))) return 0;
  const double allowed = base::data_type_unit_roundoff(rule.output) * std::abs(r) + accumulated +
                         least_subnormal(rule.output) / 2;
  return std::abs(y - r) / allowed;
}

void ErrorTally::add(std::uint64_t element, double y, double r, double magnitude) {
  const double ratio = error_ratio(y, r, magnitude, rule_);
  if (ratio > 1) ++worst_.failures;
  if (worst_.compared++ == 0 || ratio > worst_.ratio) {
    worst_.ratio = ratio;
    worst_.element = element;
    worst_.value = y;
    worst_.reference = r;
    worst_.magnitude = magnitude;
  }
}

}  // namespace halyard::operators
