// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace halyard::store {

// When a promotion that reaches a share of the hosts reaches all of them.
struct RolloutRules {
  // So many devices have passed since the promotion, each at least once.
  std::uint32_t least_devices = 2;
};

enum class RolloutStep : std::uint8_t {
  kNone,       // No promotion is on its way.
  kWaits,      // For evidence of more devices.
  kWidened,    // To all hosts.
  kTakenBack,  // A device has failed since.
};

struct RolloutReport {
  RolloutStep step = RolloutStep::kNone;
  std::uint32_t passed_devices = 0;
  std::string sentence;
};

// Looks at the newest promotion in effect for a kernel and target that began with a share of the
// hosts (in_share() tells which). Evidence of hardware and self-tests for its drivers decides:
// failing evidence since it began takes it back, also when it has reached all hosts; enough passing
// devices since its newest share widen it. Time is that of the evidence, to the second, so hosts
// keep their clocks set. `who` is written into the history. Any number of processes may ask at
// once; what one misses of another's, the next call finds.
base::Result<RolloutReport> advance_rollout(KernelStore& store, const KernelId& kernel,
                                            std::string_view target, const RolloutRules& rules,
                                            std::string_view who);

}  // namespace halyard::store
