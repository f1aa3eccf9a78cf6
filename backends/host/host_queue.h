// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/fork_guard.h"
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
#include <utility>

namespace halyard::host {

// Runs each command inside the call that enqueues it; what a dispatch is, the backend says. From a
// wait for a value that is still to come until it is caught up, commands go to a thread of its own
// instead, which keeps the queue alive. Once nobody can raise that value any more, the commands
// behind the wait are dropped.
class HostQueue : public core::Queue {
 public:
  base::Status copy(core::Buffer& source, std::uint64_t source_offset, core::Buffer& destination,
                    std::uint64_t destination_offset, std::uint64_t length_bytes) final;
  base::Status fill(core::Buffer& buffer, std::uint64_t offset_bytes, std::uint64_t length_bytes,
                    std::uint32_t pattern) final;
  base::Status wait(core::Semaphore& semaphore, std::uint64_t value) final;
  base::Status signal(core::Semaphore& semaphore, std::uint64_t value) final;
  base::Status flush() final;
  // Also gives the first failure of a deferred command since the last call.
  base::Status synchronize(std::chrono::nanoseconds timeout) final;
  base::Status write_timestamp(std::uint32_t slot) final;
  base::Result<std::uint64_t> read_timestamp(std::uint32_t slot) final;
  core::Clock timestamp_clock() const final { return core::Clock::kHost; }

 protected:
  // `fork_guard` is the device's and lives as long.
  HostQueue(core::Device& device, const base::ForkGuard& fork_guard);
  ~HostQueue() override;

  // Whether commands go to the thread. False until the caller, who is the only one, waits again.
  bool is_deferring() const { return deferring_.load(std::memory_order_acquire); }

  // Runs `work`, which gives a base::Status and may be copied, now or in its turn.
  template <typename Work>
  base::Status run_or_defer(Work work) {
    HALYARD_TRY(fork_guard_.check());
    if (is_deferring()) {
      Command command{work};
      if (defer(command)) return base::ok();
    }
    return work();
  }

 private:
  struct Command {
    std::function<base::Status()> run;
    bool is_wait = false;  // when it fails, what is behind it must not run
  };

  static void* catch_up_body(void* queue);

  // Hands a command to the thread; false when there is none and the caller is to run it.
  bool defer(Command& command);
  base::Status start_deferring(Command command);
  void catch_up();
  // Drops all commands but the first; `lock` is free meanwhile.
  void drop_behind(std::unique_lock<std::mutex>& lock);

  const base::ForkGuard& fork_guard_;
  std::array<std::atomic<std::uint64_t>, core::kTimestampSlots> timestamps_{};  // 0: not written

  std::atomic<bool> deferring_{false};  // changes under the mutex
  std::mutex mutex_;                    // guards all below
  std::deque<Command> commands_;        // the first is running
  std::optional<base::Error> failure_;
  std::condition_variable caught_up_;
};

}  // namespace halyard::host
