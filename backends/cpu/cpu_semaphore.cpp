// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_semaphore.h"

#include "backends/cpu/cpu_deadline.h"
#include "runtime/base/text.h"

namespace halyard::cpu {

CpuSemaphore::CpuSemaphore(core::Device& device, const base::ForkGuard& fork_guard,
                           std::uint64_t initial_value)
    : core::Semaphore(device),
      fork_guard_(fork_guard),
      value_(initial_value) {}

base::Result<std::uint64_t> CpuSemaphore::value() {
  return value_.load(std::memory_order_acquire);
}

base::Status CpuSemaphore::signal(std::uint64_t value) {
  HALYARD_TRY(fork_guard_.check());
  const std::lock_guard lock(mutex_);
  const std::uint64_t present = value_.load(std::memory_order_relaxed);
  if (value <= present) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("Semaphore value ", value, " is not above the present value (",
                                    present, ")."));
  }
  value_.store(value, std::memory_order_release);
  raised_.notify_all();
  return base::ok();
}

base::Status CpuSemaphore::wait(std::uint64_t value, std::chrono::nanoseconds timeout) {
  const auto reached = [&] { return value_.load(std::memory_order_acquire) >= value; };
  if (reached()) return base::ok();
  HALYARD_TRY(fork_guard_.check());
  std::unique_lock lock(mutex_);
  if (wait_until_done(raised_, lock, timeout, reached)) return base::ok();
  return base::Error(
      base::ErrorCode::kDeadlineExceeded,
      base::concat("The semaphore has value ", value_.load(std::memory_order_acquire), ", not ",
                   value, ", after ", timeout.count(), " ns."));
}

}  // namespace halyard::cpu
