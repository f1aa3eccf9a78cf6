// SPDX-License-Identifier: Apache-2.0
#include "halyard_vector.h"

using namespace halyard;

namespace {

constexpr int64_t kGroup = 128;  // Sums of one group; the grid of kernel.json divides by it too.
constexpr int kChains = 8;       // Vectors of sums at a time: enough to hide the latency.
constexpr int64_t kBlock = kChains * kLanes;

// Sums [first, first + kBlock) of n; those past the end are not stored.
HALYARD_INLINE void sum_block(const f32* x, f32* y, int64_t first, int64_t n, int64_t steps,
                              F32v a) {
  F32v even[kChains];
  F32v odd[kChains];
  F32v sums[kChains] = {};
  const auto lanes_of = [&](int j) {
    return FirstLanes{
        static_cast<int>(max<int64_t>(0, min<int64_t>(kLanes, n - first - j * kLanes)))};
  };
  for (int j = 0; j < kChains; ++j) {
    even[j] = load(x + first + j * kLanes, lanes_of(j));
    odd[j] = load(x + n + first + j * kLanes, lanes_of(j));
  }
  for (int64_t step = 0; step < steps; ++step) {
#pragma unroll
    for (int j = 0; j < kChains; ++j)
      sums[j] = fma(sums[j], a, even[j]);
#pragma unroll
    for (int j = 0; j < kChains; ++j)
      sums[j] = fma(sums[j], a, odd[j]);
  }
  for (int j = 0; j < kChains; ++j)
    store(y + first + j * kLanes, sums[j], lanes_of(j));
}

}  // namespace

HALYARD_ENTRY(probe_fma) {
  Arguments next(arguments);
  const auto* x = next.pointer<const f32>();
  auto* y = next.pointer<f32>();
  const int64_t n = next.integer();
  const int64_t steps = next.integer();
  const F32v a = next.f32();

  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t first = static_cast<int64_t>(group) * kGroup;
    for (int64_t i = 0; i < kGroup && first + i < n; i += kBlock)
      sum_block(x, y, first + i, n, steps, a);
  }
}
