// SPDX-License-Identifier: Apache-2.0
#include "backends/host/host_semaphore.h"

#include <utility>

namespace halyard::host {

HostSemaphore::HostSemaphore(core::Device& device, base::Ref<HostTimeline> timeline)
    : core::Semaphore(device),
      timeline_(std::move(timeline)) {}

HostSemaphore::~HostSemaphore() {
  timeline_->abandon();
}

base::Result<std::uint64_t> HostSemaphore::value() {
  return timeline_->value();
}

base::Status HostSemaphore::signal(std::uint64_t value) {
  return timeline_->signal(value);
}

base::Status HostSemaphore::wait(std::uint64_t value, std::chrono::nanoseconds timeout) {
  const base::Ref<HostTimeline> held = timeline_;
  return held->wait(value, timeout);
}

}  // namespace halyard::host
