// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_semaphore.h"

#include <utility>

namespace halyard::cpu {

CpuSemaphore::CpuSemaphore(core::Device& device, base::Ref<CpuTimeline> timeline)
    : core::Semaphore(device),
      timeline_(std::move(timeline)) {}

CpuSemaphore::~CpuSemaphore() {
  timeline_->abandon();
}

base::Result<std::uint64_t> CpuSemaphore::value() {
  return timeline_->value();
}

base::Status CpuSemaphore::signal(std::uint64_t value) {
  return timeline_->signal(value);
}

base::Status CpuSemaphore::wait(std::uint64_t value, std::chrono::nanoseconds timeout) {
  const base::Ref<CpuTimeline> held = timeline_;
  return held->wait(value, timeout);
}

}  // namespace halyard::cpu
