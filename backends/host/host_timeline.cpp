// SPDX-License-Identifier: Apache-2.0
#include "backends/host/host_timeline.h"

#include "backends/host/host_deadline.h"
#include "runtime/base/text.h"

namespace halyard::host {

HostTimeline::HostTimeline(const base::ForkGuard& fork_guard, std::uint64_t initial_value)
    : fork_guard_(fork_guard),
      value_(initial_value) {}

base::Status HostTimeline::signal(std::uint64_t value) {
  HALYARD_TRY(fork_guard_.check());
  const std::lock_guard lock(mutex_);
  const std::uint64_t present = value_.load(std::memory_order_relaxed);
  if (value <= present) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("Semaphore value ", value, " is not above the present value (",
                                    present, ")."));
  }
  value_.store(value, std::memory_order_release);
  changed_.notify_all();
  return base::ok();
}

base::Status HostTimeline::wait(std::uint64_t value, std::chrono::nanoseconds timeout) {
  if (this->value() >= value) return base::ok();
  HALYARD_TRY(fork_guard_.check());
  std::unique_lock lock(mutex_);
  const auto is_over = [&] { return this->value() >= value || is_abandoned_; };
  const bool in_time = wait_until_done(changed_, lock, timeout, is_over);
  const std::uint64_t present = this->value();
  if (present >= value) return base::ok();
  if (in_time) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("The semaphore is released at value ", present,
                                    ", so that nobody can raise it to ", value, " any more."));
  }
  return base::Error(base::ErrorCode::kDeadlineExceeded,
                     base::concat("The semaphore has value ", present, ", not ", value, ", after ",
                                  timeout.count(), " ns."));
}

void HostTimeline::abandon() {
  if (fork_guard_.in_child()) return;  // a thread of the parent may hold the lock
  const std::lock_guard lock(mutex_);
  is_abandoned_ = true;
  changed_.notify_all();
}

}  // namespace halyard::host
