// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/timing.h"

#include <algorithm>
#include <cmath>

namespace halyard::services {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kMaxRepeats = 2000;
constexpr double kLongNs = 50e6;

struct Sample {
  double ns = 0;  // Of all repetitions.
  std::uint32_t clock = 0;
};

base::Result<Sample> take_sample(halyard_queue* queue, const std::function<base::Status()>& enqueue,
                                 std::uint32_t repeats, std::chrono::nanoseconds deadline) {
  HALYARD_TRY(library_status(halyard_queue_write_timestamp(queue, 0)));
  for (std::uint32_t i = 0; i < repeats; ++i)
    HALYARD_TRY(enqueue());
  HALYARD_TRY(library_status(halyard_queue_write_timestamp(queue, 1)));
  HALYARD_TRY(wait_for(queue, deadline));
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  Sample sample;
  HALYARD_TRY(library_status(halyard_queue_read_timestamp(queue, 0, &begin, &sample.clock)));
  HALYARD_TRY(library_status(halyard_queue_read_timestamp(queue, 1, &end, &sample.clock)));
  sample.ns = end > begin ? static_cast<double>(end - begin) : 0;
  return sample;
}

}  // namespace

base::Result<Timing> time_on_queue(halyard_queue* queue,
                                   const std::function<base::Status()>& enqueue,
                                   const TimingLimits& limits) {
  const Clock::time_point deadline = Clock::now() + limits.budget;
  Timing timing;
  HALYARD_TRY_ASSIGN(Sample sample, take_sample(queue, enqueue, 1, limits.deadline));
  if (sample.ns >= kLongNs) timing.samples_ns.push_back(sample.ns);
  const auto wanted = static_cast<double>(limits.min_sample.count());
  while (sample.ns < wanted && timing.repeats < kMaxRepeats) {
    const double factor = sample.ns > 0 ? 1.2 * wanted / sample.ns : 10;
    timing.repeats = static_cast<std::uint32_t>(
        std::min<double>(kMaxRepeats, std::ceil(timing.repeats * std::min(factor, 10.0))));
    HALYARD_TRY_ASSIGN(sample, take_sample(queue, enqueue, timing.repeats, limits.deadline));
  }
  timing.clock = sample.clock == HALYARD_CLOCK_DEVICE ? "device" : "host";
  while (timing.samples_ns.size() < limits.max_samples &&
         (timing.samples_ns.size() < limits.min_samples || Clock::now() < deadline)) {
    HALYARD_TRY_ASSIGN(sample, take_sample(queue, enqueue, timing.repeats, limits.deadline));
    timing.samples_ns.push_back(sample.ns / timing.repeats);
  }
  return timing;
}

}  // namespace halyard::services
