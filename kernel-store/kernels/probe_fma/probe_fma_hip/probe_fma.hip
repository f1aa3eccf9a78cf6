// SPDX-License-Identifier: Apache-2.0
#include "halyard_math.h"

using namespace halyard;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;
constexpr uint32_t kChains = 8;    // Sums side by side: enough to hide the latency.
constexpr uint32_t kUnrolled = 8;  // Steps between two looks at the counter.

struct Sums {
  float even[kChains];
  float odd[kChains];
  float sum[kChains] = {};

  HALYARD_MEMBER void step(float a) {
#pragma unroll
    for (uint32_t j = 0; j < kChains; ++j)
      sum[j] = fma(sum[j], a, even[j]);
#pragma unroll
    for (uint32_t j = 0; j < kChains; ++j)
      sum[j] = fma(sum[j], a, odd[j]);
  }
};

}  // namespace

HALYARD_ENTRY(probe_fma, kLanes)
(const float* x, float* y, uint32_t n, uint32_t steps, float a) {
  const auto lane = static_cast<uint32_t>(thread_index());
  for (uint32_t first = group_x() * kChains * kLanes + lane; first < n;
       first += group_count(0) * kChains * kLanes) {
    Sums sums;
#pragma unroll
    for (uint32_t j = 0; j < kChains; ++j) {
      const uint32_t i = min(first + j * kLanes, n - 1);
      sums.even[j] = x[i];
      sums.odd[j] = x[n + i];
    }
    uint32_t step = 0;
#pragma unroll 1
    for (; step + kUnrolled <= steps; step += kUnrolled) {
#pragma unroll
      for (uint32_t k = 0; k < kUnrolled; ++k)
        sums.step(a);
    }
#pragma unroll 1
    for (; step < steps; ++step)
      sums.step(a);
#pragma unroll
    for (uint32_t j = 0; j < kChains; ++j) {
      if (first + j * kLanes < n) y[first + j * kLanes] = sums.sum[j];
    }
  }
}
