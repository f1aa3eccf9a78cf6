// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace halyard::services {

// The value below which the share `fraction` (0 to 1) of the samples lies, interpolated between
// neighbours; 0 without samples.
double quantile(std::span<const double> samples, double fraction);

// Of timing samples.
struct Spread {
  double median = 0;
  double p10 = 0;
  double p90 = 0;
};

Spread spread_of(std::span<const double> samples);

}  // namespace halyard::services
