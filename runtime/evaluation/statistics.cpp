// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace halyard::services {
namespace {

double quantile_of_sorted(std::span<const double> sorted, double fraction) {
  if (sorted.empty()) return 0;
  const double place = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = place - std::floor(place);
  return sorted[below] + share * (sorted[above] - sorted[below]);
}

}  // namespace

double quantile(std::span<const double> samples, double fraction) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile_of_sorted(sorted, fraction);
}

Spread spread_of(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return {quantile_of_sorted(sorted, 0.5), quantile_of_sorted(sorted, 0.1),
          quantile_of_sorted(sorted, 0.9)};
}

}  // namespace halyard::services
