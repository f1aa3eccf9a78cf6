// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_launch.h"
#include "backends/cpu/cpu_scratch.h"
#include "runtime/base/fork_guard.h"
#include "runtime/base/result.h"

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace halyard::cpu {

// Spreads launches over the CPUs that the process may use. One worker is pinned to each CPU; the
// calling thread takes the place of the worker of its own CPU, so that no two share a core.
// Workers are started by the first launch that needs them, spin for a while after each one and
// then sleep. A share that its worker has not begun when the caller is done is run by the caller.
// Threads: any number at once. One launch is spread at a time; another runs on its caller alone.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): a cache line for next_group_ alone.
class CpuWorkerPool {
 public:
  // `cpus` are the numbers of the CPUs to use, at least one. With `confine_thread`, which each
  // worker calls first, the workers are started at once.
  explicit CpuWorkerPool(const std::vector<int>& cpus, void (*confine_thread)() = nullptr);
  CpuWorkerPool(const CpuWorkerPool&) = delete;
  CpuWorkerPool& operator=(const CpuWorkerPool&) = delete;
  // No launch is running.
  ~CpuWorkerPool();

  // Returns once all groups have run. `caller_scratch` serves where the caller is alone.
  // Errors: UNAVAILABLE in a forked child; OUT_OF_MEMORY for scratch.
  base::Status run(const CpuLaunch& launch, CpuScratch& caller_scratch) {
    if (fork_guard_.in_child()) [[unlikely]]
      return fork_guard_.check();
    if (launch.group_count <= 1 || worker_count_ == 1 ||
        busy_.exchange(true, std::memory_order_acquire)) {
      return run_alone(launch, caller_scratch);
    }
    const Turn turn(busy_);
    return spread(launch);
  }

  const base::ForkGuard& fork_guard() const { return fork_guard_; }

 private:
  enum State : std::uint32_t {
    kIdle,            // awake, without work
    kAsleep,          // sleeps, or is about to: posting needs a wake
    kPosted,          // has a share that nobody has begun
    kRunning,         // runs its share
    kRunningAwaited,  // the same, and the caller sleeps until it ends
    kStop,
  };

  struct alignas(64) Worker {
    std::atomic<std::uint32_t> state{kIdle};
    std::uint32_t share = 0;  // of the present launch; written before it is posted
    int cpu = 0;
    pthread_t thread{};
    CpuWorkerPool* pool = nullptr;
    CpuScratch scratch;
  };

  // Gives the workers back, whichever way a launch ends.
  class Turn {
   public:
    explicit Turn(std::atomic<bool>& busy) : busy_(busy) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { busy_.store(false, std::memory_order_release); }

   private:
    std::atomic<bool>& busy_;
  };

  static base::Status run_alone(const CpuLaunch& launch, CpuScratch& scratch);
  static void* worker_body(void* worker);

  base::Status spread(const CpuLaunch& launch);
  base::Status prepare_workers(std::uint64_t scratch_bytes);
  void start_workers();
  std::uint32_t worker_of_this_cpu() const;
  void run_share(Worker& worker);
  void work(Worker& worker);

  std::vector<std::int32_t> worker_of_cpu_;  // by CPU number; -1 for those not in use
  std::unique_ptr<Worker[]> workers_;
  std::uint32_t cpu_count_;
  void (*confine_thread_)();                 // null: none
  std::atomic<std::uint32_t> worker_count_;  // with the caller; fewer when threads cannot start
  base::ForkGuard fork_guard_{"The CPU device"};

  std::atomic<bool> busy_{false};  // guards all below, and `share` and `scratch` of the workers
  bool started_ = false;
  std::uint32_t thread_count_ = 0;  // of workers with a thread, from the first
  std::uint64_t scratch_bytes_ = 0;
  const CpuLaunch* launch_ = nullptr;
  std::uint32_t share_count_ = 0;
  std::uint64_t chunk_ = 1;
  alignas(64) std::atomic<std::uint64_t> next_group_{0};  // dynamic partition
};

}  // namespace halyard::cpu
