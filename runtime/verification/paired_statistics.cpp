// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/paired_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace halyard::verification {
namespace {

double quantile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  const double at = fraction * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], at - static_cast<double>(below));
}

}  // namespace

double median_speedup(std::span<const TimePair> pairs) {
  if (pairs.empty()) return 1;
  std::vector<double> ratios;
  for (const TimePair& pair : pairs)
    ratios.push_back(pair.incumbent_ns / pair.candidate_ns);
  return quantile(std::move(ratios), 0.5);
}

double sign_test(std::span<const TimePair> pairs) {
  const auto wins = static_cast<int>(std::count_if(pairs.begin(), pairs.end(), [](TimePair pair) {
    return pair.candidate_ns < pair.incumbent_ns;
  }));
  const auto count = static_cast<int>(pairs.size());
  // P(X >= wins), X binomial with p = 1/2, from logarithms so that many pairs do not underflow.
  double sum = 0;
  for (int k = wins; k <= count; ++k) {
    const double choose =
        std::lgamma(count + 1.0) - std::lgamma(k + 1.0) - std::lgamma(count - k + 1.0);
    sum += std::exp(choose - count * std::log(2.0));
  }
  return std::min(sum, 1.0);
}

double noise_of(std::span<const TimePair> same) {
  if (same.empty()) return 0;
  std::vector<double> deviations;
  for (const TimePair& pair : same)
    deviations.push_back(std::abs(pair.incumbent_ns / pair.candidate_ns - 1));
  return quantile(std::move(deviations), 0.9);
}

}  // namespace halyard::verification
