// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_worker_pool.h"

#include "backends/cpu/cpu_futex.h"
#include "backends/host/host_thread.h"
#include "runtime/base/text.h"

#include <sched.h>

#include <algorithm>
#include <chrono>

namespace halyard::cpu {
namespace {

// Longer than the pause between two launches of a decode step, shorter than a scheduler tick.
constexpr std::chrono::microseconds kWorkerSpin{50};
constexpr std::chrono::microseconds kCallerSpin{100};
constexpr std::uint64_t kChunksPerShare = 8;

// Spins until `word` leaves `value`; false when `limit` passes first.
bool spin_while(const std::atomic<std::uint32_t>& word, std::uint32_t value,
                std::chrono::nanoseconds limit) {
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < 32; ++i) {
      if (word.load(std::memory_order_acquire) != value) return true;
      spin_pause();
    }
  } while (std::chrono::steady_clock::now() - start < limit);
  return false;
}

KernelRange make_range(const CpuLaunch& launch) {
  KernelRange range;
  range.end = launch.group_count;
  std::copy(launch.grid.begin(), launch.grid.end(), range.grid);
  range.scratch_bytes = launch.scratch_bytes;
  return range;
}

}  // namespace

CpuWorkerPool::CpuWorkerPool(const std::vector<int>& cpus, void (*confine_thread)())
    : workers_(std::make_unique<Worker[]>(cpus.size())),
      cpu_count_(static_cast<std::uint32_t>(cpus.size())),
      confine_thread_(confine_thread),
      worker_count_(cpu_count_) {
  const int highest = *std::max_element(cpus.begin(), cpus.end());
  worker_of_cpu_.assign(static_cast<std::size_t>(highest) + 1, -1);
  for (std::uint32_t i = 0; i < cpu_count_; ++i) {
    workers_[i].cpu = cpus[i];
    workers_[i].pool = this;
    worker_of_cpu_[static_cast<std::size_t>(cpus[i])] = static_cast<std::int32_t>(i);
  }
  if (confine_thread_ != nullptr) start_workers();
}

CpuWorkerPool::~CpuWorkerPool() {
  if (fork_guard_.in_child()) return;
  for (std::uint32_t i = 0; i < thread_count_; ++i) {
    workers_[i].state.store(kStop, std::memory_order_release);
    futex_wake(workers_[i].state);
  }
  for (std::uint32_t i = 0; i < thread_count_; ++i)
    ::pthread_join(workers_[i].thread, nullptr);
}

base::Status CpuWorkerPool::run_alone(const CpuLaunch& launch, CpuScratch& scratch) {
  if (!scratch.holds(launch.scratch_bytes)) HALYARD_TRY(scratch.reserve(launch.scratch_bytes));
  KernelRange range = make_range(launch);
  range.scratch = scratch.data();
  launch.entry(launch.arguments, &range);
  return base::ok();
}

base::Status CpuWorkerPool::spread(const CpuLaunch& launch) {
  HALYARD_TRY(prepare_workers(launch.scratch_bytes));
  const std::uint32_t workers = worker_count_;
  const std::uint32_t caller = worker_of_this_cpu();
  launch_ = &launch;
  share_count_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(workers, launch.group_count));
  chunk_ = std::max<std::uint64_t>(1, launch.group_count / (share_count_ * kChunksPerShare));
  next_group_.store(0, std::memory_order_relaxed);

  // With a share for each, worker i always takes share i, so that its cache keeps what it touched.
  const bool all = share_count_ == workers;
  workers_[caller].share = all ? caller : 0;
  std::uint32_t expected = kIdle;
  workers_[caller].state.compare_exchange_strong(expected, kAsleep, std::memory_order_relaxed);
  const auto other = [&](std::uint32_t k) -> Worker& { return workers_[(caller + k) % workers]; };
  for (std::uint32_t k = 1; k < share_count_; ++k) {
    Worker& worker = other(k);
    worker.share = all ? (caller + k) % workers : k;
    if (worker.state.exchange(kPosted, std::memory_order_acq_rel) == kAsleep) {
      futex_wake(worker.state);
    }
  }

  run_share(workers_[caller]);
  for (std::uint32_t k = share_count_ - 1; k > 0; --k) {
    expected = kPosted;
    if (other(k).state.compare_exchange_strong(expected, kIdle, std::memory_order_acq_rel)) {
      run_share(other(k));
    }
  }
  for (std::uint32_t k = 1; k < share_count_; ++k) {
    std::atomic<std::uint32_t>& state = other(k).state;
    if (spin_while(state, kRunning, kCallerSpin)) continue;
    expected = kRunning;
    if (!state.compare_exchange_strong(expected, kRunningAwaited, std::memory_order_acq_rel)) {
      continue;
    }
    while (state.load(std::memory_order_acquire) == kRunningAwaited)
      futex_wait(state, kRunningAwaited);
  }
  return base::ok();
}

base::Status CpuWorkerPool::prepare_workers(std::uint64_t scratch_bytes) {
  if (!started_) start_workers();
  if (scratch_bytes <= scratch_bytes_) return base::ok();
  for (std::uint32_t i = 0; i < worker_count_; ++i)
    HALYARD_TRY(workers_[i].scratch.reserve(scratch_bytes));
  scratch_bytes_ = scratch_bytes;
  return base::ok();
}

void CpuWorkerPool::start_workers() {
  while (thread_count_ < cpu_count_) {
    Worker& worker = workers_[thread_count_];
    host::HostThreadDesc desc;
    desc.name = base::concat("halyard-cpu", worker.cpu);
    desc.cpu = worker.cpu;
    const auto thread = host::start_thread(desc, &worker_body, &worker);
    if (!thread) break;
    worker.thread = *thread;
    ++thread_count_;
  }
  // The caller makes up for the first worker where none can be started.
  worker_count_ = std::max<std::uint32_t>(thread_count_, 1);
  started_ = thread_count_ != 0;
}

std::uint32_t CpuWorkerPool::worker_of_this_cpu() const {
  const std::uint32_t last = worker_count_ - 1;
  const auto cpu = static_cast<std::size_t>(::sched_getcpu());
  if (cpu >= worker_of_cpu_.size() || worker_of_cpu_[cpu] < 0) return last;
  return std::min(static_cast<std::uint32_t>(worker_of_cpu_[cpu]), last);
}

void CpuWorkerPool::run_share(Worker& worker) {
  const CpuLaunch& launch = *launch_;
  KernelRange range = make_range(launch);
  range.thread = worker.share;
  range.thread_count = share_count_;
  range.scratch = worker.scratch.data();
  if (launch.static_partition) {
    const std::uint64_t least = launch.group_count / share_count_;
    const std::uint64_t longer = launch.group_count % share_count_;
    range.begin = worker.share * least + std::min<std::uint64_t>(worker.share, longer);
    range.end = range.begin + least + (worker.share < longer ? 1 : 0);
    launch.entry(launch.arguments, &range);
    return;
  }
  while (true) {
    range.begin = next_group_.fetch_add(chunk_, std::memory_order_relaxed);
    if (range.begin >= launch.group_count) return;
    range.end = std::min(launch.group_count - range.begin, chunk_) + range.begin;
    launch.entry(launch.arguments, &range);
  }
}

void* CpuWorkerPool::worker_body(void* argument) {
  Worker& worker = *static_cast<Worker*>(argument);
  if (worker.pool->confine_thread_ != nullptr) worker.pool->confine_thread_();
  worker.pool->work(worker);
  return nullptr;
}

void CpuWorkerPool::work(Worker& worker) {
  while (true) {
    std::uint32_t state = worker.state.load(std::memory_order_acquire);
    switch (state) {
      case kStop:
        return;
      case kPosted:
        if (!worker.state.compare_exchange_strong(state, kRunning, std::memory_order_acq_rel)) {
          break;
        }
        run_share(worker);
        if (worker.state.exchange(kIdle, std::memory_order_acq_rel) == kRunningAwaited) {
          futex_wake(worker.state);
        }
        break;
      case kAsleep:
        futex_wait(worker.state, kAsleep);
        break;
      default:
        if (!spin_while(worker.state, kIdle, kWorkerSpin)) {
          state = kIdle;
          worker.state.compare_exchange_strong(state, kAsleep, std::memory_order_acq_rel);
        }
        break;
    }
  }
}

}  // namespace halyard::cpu
