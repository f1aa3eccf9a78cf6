// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/library_call.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace halyard::services {

// How long something takes on a queue.
struct Timing {
  std::string clock;               // "device" or "host".
  std::vector<double> samples_ns;  // Of one repetition each.
  std::uint32_t repeats = 1;       // Repetitions between the two timestamps of a sample.
};

struct TimingLimits {
  std::chrono::nanoseconds budget{0};
  std::chrono::nanoseconds min_sample{200'000};
  std::uint32_t min_samples = 5;  // Taken even beyond the budget.
  std::uint32_t max_samples = 100;
  std::chrono::nanoseconds deadline = kDeviceDeadline;  // For the repetitions of one sample.
};

// Times what `enqueue` adds to the queue: once to warm up, then samples until the budget is spent.
// Short work is repeated until a sample is long enough to time; of work so long that a warm start
// is nothing beside it, the first run counts too. The queue is idle before and after. Errors: those
// of `enqueue`; DEADLINE_EXCEEDED; DEVICE_LOST.
base::Result<Timing> time_on_queue(halyard_queue* queue,
                                   const std::function<base::Status()>& enqueue,
                                   const TimingLimits& limits);

}  // namespace halyard::services
