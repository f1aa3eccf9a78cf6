// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_scratch.h"
#include "backends/cpu/cpu_worker_pool.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/queue.h"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

namespace halyard::cpu {

// Runs each command inside the call that enqueues it. From a wait for a value that is still to come
// until it is caught up, commands go to a thread of its own instead, which keeps the queue alive.
// Once nobody can raise that value any more, the commands behind the wait are dropped.
class CpuQueue final : public core::Queue {
 public:
  // `pool` is the device's and lives as long.
  CpuQueue(core::Device& device, CpuWorkerPool& pool);

  base::Status dispatch(const core::Dispatch& dispatch) override;
  base::Status copy(core::Buffer& source, std::uint64_t source_offset, core::Buffer& destination,
                    std::uint64_t destination_offset, std::uint64_t length_bytes) override;
  base::Status fill(core::Buffer& buffer, std::uint64_t offset_bytes, std::uint64_t length_bytes,
                    std::uint32_t pattern) override;
  base::Status replay(core::Recording& recording) override;
  base::Status wait(core::Semaphore& semaphore, std::uint64_t value) override;
  base::Status signal(core::Semaphore& semaphore, std::uint64_t value) override;
  base::Status flush() override;
  // Also gives the first failure of a deferred command since the last call.
  base::Status synchronize(std::chrono::nanoseconds timeout) override;
  base::Status write_timestamp(std::uint32_t slot) override;
  base::Result<std::uint64_t> read_timestamp(std::uint32_t slot) override;
  core::Clock timestamp_clock() const override { return core::Clock::kHost; }

 private:
  struct Command {
    std::function<base::Status()> run;
    bool is_wait = false;  // when it fails, what is behind it must not run
  };

  ~CpuQueue() override;

  static void* catch_up_body(void* queue);

  // Hands a command to the thread; false when there is none and the caller is to run it.
  bool defer(Command& command);
  template <typename Work>
  base::Status run_or_defer(Work work);
  base::Status start_deferring(Command command);
  void catch_up();
  // Drops all commands but the first; `lock` is free meanwhile.
  void drop_behind(std::unique_lock<std::mutex>& lock);

  CpuWorkerPool& pool_;
  CpuScratch scratch_;  // of whoever runs commands: the caller, or the thread while deferring
  std::array<std::atomic<std::uint64_t>, core::kTimestampSlots> timestamps_{};  // 0: not written

  std::atomic<bool> deferring_{false};  // changes under the mutex
  std::mutex mutex_;                    // guards all below
  std::deque<Command> commands_;        // the first is running
  std::optional<base::Error> failure_;
  std::condition_variable caught_up_;
};

}  // namespace halyard::cpu
