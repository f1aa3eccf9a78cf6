// SPDX-License-Identifier: Apache-2.0
#include "halyard_panel.h"

using namespace halyard;

namespace {

constexpr int kChains = 8;  // Vectors of sums at a time: enough to hide the latency.
constexpr int64_t kGroup = kChains * kLanes;  // The grid of kernel.json divides by it too.

using Format = Bf16DotFormat;

// Sums [first, first + kGroup) of n; those past the end are not stored.
HALYARD_INLINE void sum_group(const bf16* x, f32* y, int64_t first, int64_t n, int64_t steps,
                              Format::Pairs a) {
  Format::Pairs pairs[kChains];
  F32v sums[kChains] = {};
  const auto lanes_of = [&](int j) {
    return FirstLanes{
        static_cast<int>(max<int64_t>(0, min<int64_t>(kLanes, n - first - j * kLanes)))};
  };
  for (int j = 0; j < kChains; ++j) {
    const U32v even = widen(load_raw<U16v>(x + first + j * kLanes, lanes_of(j)));
    const U32v odd = widen(load_raw<U16v>(x + n + first + j * kLanes, lanes_of(j)));
    pairs[j] = __builtin_bit_cast(Format::Pairs, even | (odd << 16));
  }
  for (int64_t step = 0; step < steps; ++step) {
#pragma unroll
    for (int j = 0; j < kChains; ++j)
      sums[j] = Format::multiply_add(a, pairs[j], sums[j]);
  }
  for (int j = 0; j < kChains; ++j)
    store(y + first + j * kLanes, sums[j], lanes_of(j));
}

}  // namespace

HALYARD_ENTRY(probe_fma) {
  Arguments next(arguments);
  const auto* x = next.pointer<const bf16>();
  auto* y = next.pointer<f32>();
  const int64_t n = next.integer();
  const int64_t steps = next.integer();
  const U32v bits = bf16_bits<F32v, U32v>(F32v(next.f32()));
  const auto a = __builtin_bit_cast(Format::Pairs, bits | (bits << 16));

  for (uint64_t group = range->begin; group < range->end; ++group)
    sum_group(x, y, static_cast<int64_t>(group) * kGroup, n, steps, a);
}
