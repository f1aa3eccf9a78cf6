// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/fork_guard.h"
#include "runtime/base/result.h"
#include "runtime/core/semaphore.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace halyard::cpu {

// A timeline kept in host memory.
class CpuSemaphore final : public core::Semaphore {
 public:
  // `fork_guard` is the device's and lives as long.
  CpuSemaphore(core::Device& device, const base::ForkGuard& fork_guard,
               std::uint64_t initial_value);

  base::Result<std::uint64_t> value() override;
  base::Status signal(std::uint64_t value) override;
  base::Status wait(std::uint64_t value, std::chrono::nanoseconds timeout) override;

 private:
  const base::ForkGuard& fork_guard_;
  std::mutex mutex_;  // held while the value rises
  std::condition_variable raised_;
  std::atomic<std::uint64_t> value_;
};

}  // namespace halyard::cpu
