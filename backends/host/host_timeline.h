// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/fork_guard.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace halyard::host {

// The value behind a semaphore, in host memory. Work that waits holds the value and not the
// semaphore, so that the end of the semaphore tells it that nobody can raise the value any more.
// Threads: any number at once.
class HostTimeline final : public base::RefCounted {
 public:
  // `fork_guard` is the device's and lives as long.
  HostTimeline(const base::ForkGuard& fork_guard, std::uint64_t initial_value);

  std::uint64_t value() const { return value_.load(std::memory_order_acquire); }
  // INVALID_ARGUMENT unless `value` is above the present one.
  base::Status signal(std::uint64_t value);
  // DEADLINE_EXCEEDED after `timeout`, for ever where that is negative; INVALID_ARGUMENT once the
  // value can no longer be reached. The caller holds the timeline by a reference of its own: a
  // forked child, which never gives that back, must not end what a thread waits in.
  base::Status wait(std::uint64_t value, std::chrono::nanoseconds timeout);
  // Nobody will raise the value any more.
  void abandon();

 private:
  const base::ForkGuard& fork_guard_;
  std::mutex mutex_;  // held while the value rises; guards is_abandoned_
  std::condition_variable changed_;
  std::atomic<std::uint64_t> value_;
  bool is_abandoned_ = false;
};

}  // namespace halyard::host
