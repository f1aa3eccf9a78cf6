// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace halyard::verification {

// Two times of one moment: the incumbent's and the candidate's, in nanoseconds of one clock.
struct TimePair {
  double incumbent_ns = 0;
  double candidate_ns = 0;
};

// The median of incumbent over candidate; 1 without pairs.
double median_speedup(std::span<const TimePair> pairs);

// The sign test: how likely as many pairs would favour the candidate if it were not faster. Ties
// count against it. 1 without pairs. No shape of the noise is assumed; pairs are taken as
// independent.
double sign_test(std::span<const TimePair> pairs);

// The nine-tenths quantile of |a / b - 1| over pairs of the incumbent with itself; 0 without pairs.
double noise_of(std::span<const TimePair> same);

}  // namespace halyard::verification
