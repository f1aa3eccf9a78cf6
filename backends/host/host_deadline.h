// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace halyard::host {

// Waits until `done()` holds; false when `timeout` passes first. A negative timeout waits for
// ever, and so does one too long to add to the clock.
template <typename Predicate>
bool wait_until_done(std::condition_variable& condition, std::unique_lock<std::mutex>& lock,
                     std::chrono::nanoseconds timeout, Predicate done) {
  constexpr std::chrono::nanoseconds kForEver = std::chrono::hours(24 * 365);
  if (timeout < std::chrono::nanoseconds::zero() || timeout > kForEver) {
    condition.wait(lock, done);
    return true;
  }
  return condition.wait_until(lock, std::chrono::steady_clock::now() + timeout, done);
}

}  // namespace halyard::host
