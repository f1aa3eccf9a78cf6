// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/launch_arena.h"

namespace halyard::worker {

ArenaPlan plan_arena(std::span<const std::uint64_t> capacities) {
  ArenaPlan plan;
  std::uint64_t at = kControlBytes;
  for (const std::uint64_t wanted : capacities) {
    const std::uint64_t capacity = (wanted + kPageBytes - 1) / kPageBytes * kPageBytes;
    if (capacity == 0) {
      plan.slots.push_back({0, 0});
      continue;
    }
    plan.slots.push_back({at + kPageBytes, capacity});
    at += capacity + 2 * kPageBytes;
  }
  plan.size_bytes = at;
  return plan;
}

}  // namespace halyard::worker
