// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_worker_pool.h"

#include "backends/host/host_machine.h"
#include "tests/failing_allocations.h"

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace halyard::cpu {
namespace {

// What the test kernels see; its address is their only argument.
struct Observation {
  explicit Observation(std::size_t groups) : counts(groups) {}

  std::vector<std::atomic<std::uint32_t>> counts;
  std::atomic<std::uint32_t> calls{0};
  std::atomic<std::uint32_t> thread_count{0};
  std::atomic<std::uint32_t> arrived{0};
  std::vector<std::atomic<int>> cpus = std::vector<std::atomic<int>>(1024);
};

Observation& observation_of(const std::uint64_t* arguments) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a slot of the ABI.
  return *reinterpret_cast<Observation*>(arguments[0]);
}

void count_groups(const std::uint64_t* arguments, const KernelRange* range) {
  Observation& seen = observation_of(arguments);
  for (std::uint64_t i = range->begin; i < range->end; ++i)
    seen.counts[i].fetch_add(1, std::memory_order_relaxed);
  seen.calls.fetch_add(1, std::memory_order_relaxed);
  seen.thread_count.store(range->thread_count, std::memory_order_relaxed);
}

// Each thread waits until all have begun, so that none can do the share of another.
void meet(const std::uint64_t* arguments, const KernelRange* range) {
  Observation& seen = observation_of(arguments);
  seen.arrived.fetch_add(1);
  while (seen.arrived.load() < range->thread_count)
    std::this_thread::yield();
  seen.cpus[range->thread].store(::sched_getcpu());
  seen.calls.fetch_add(1);
}

void write_scratch(const std::uint64_t* arguments, const KernelRange* range) {
  auto* bytes = static_cast<unsigned char*>(range->scratch);
  std::fill_n(bytes, range->scratch_bytes, static_cast<unsigned char>(range->thread));
  const bool aligned = reinterpret_cast<std::uintptr_t>(range->scratch) % 64 == 0;
  const bool mine = std::all_of(bytes, bytes + range->scratch_bytes,
                                [&](unsigned char b) { return b == range->thread; });
  if (aligned && mine) observation_of(arguments).calls.fetch_add(1);
}

// Runs a launch of `groups` groups; the kernel sees `seen`.
base::Status run(CpuWorkerPool& pool, KernelEntry entry, Observation& seen, std::uint32_t groups,
                 bool is_static = true, std::uint64_t scratch_bytes = 0) {
  const std::uint64_t argument = reinterpret_cast<std::uintptr_t>(&seen);
  CpuScratch scratch;
  CpuLaunch launch;
  launch.entry = entry;
  launch.arguments = &argument;
  launch.grid = {groups, 1, 1};
  launch.group_count = groups;
  launch.static_partition = is_static;
  launch.scratch_bytes = scratch_bytes;
  return pool.run(launch, scratch);
}

bool each_once(const Observation& seen) {
  return std::all_of(seen.counts.begin(), seen.counts.end(),
                     [](const auto& count) { return count.load() == 1; });
}

// As many entries as asked for, all of them CPUs that the process may use.
std::vector<int> cpus(std::size_t count) {
  const std::vector<int> allowed = host::allowed_cpus();
  std::vector<int> chosen;
  for (std::size_t i = 0; i < count; ++i)
    chosen.push_back(allowed[i % allowed.size()]);
  return chosen;
}

TEST(CpuWorkerPool, StaticPartitionRunsEachGroupOnce) {
  for (const std::size_t threads : {1, 2, 3, 5, 8}) {
    CpuWorkerPool pool(cpus(threads));
    for (const std::uint32_t groups : {1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 1000, 4099}) {
      Observation seen(groups);
      ASSERT_TRUE(run(pool, &count_groups, seen, groups));
      EXPECT_TRUE(each_once(seen)) << threads << " threads, " << groups << " groups";
      EXPECT_EQ(seen.calls.load(), std::min<std::size_t>(threads, groups));
    }
  }
}

TEST(CpuWorkerPool, DynamicPartitionRunsEachGroupOnce) {
  for (const std::size_t threads : {1, 2, 3, 5, 8}) {
    CpuWorkerPool pool(cpus(threads));
    for (const std::uint32_t groups : {1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 1000, 4099}) {
      Observation seen(groups);
      ASSERT_TRUE(run(pool, &count_groups, seen, groups, false));
      EXPECT_TRUE(each_once(seen)) << threads << " threads, " << groups << " groups";
    }
  }
}

TEST(CpuWorkerPool, ManyLaunchesInARowRunEachGroupOnce) {
  CpuWorkerPool pool(cpus(3));
  for (int i = 0; i < 5000; ++i) {
    Observation seen(7);
    ASSERT_TRUE(run(pool, &count_groups, seen, 7));
    ASSERT_TRUE(each_once(seen)) << i;
  }
}

TEST(CpuWorkerPool, EmptyLaunchReturns) {
  CpuWorkerPool pool(cpus(2));
  Observation seen(0);
  EXPECT_TRUE(run(pool, &count_groups, seen, 0));
}

TEST(CpuWorkerPool, EachThreadRunsOnItsOwnCpu) {
  const std::vector<int> allowed = host::allowed_cpus();
  CpuWorkerPool pool(allowed);
  // The calling thread is not pinned and may be moved while it runs, which is rare.
  std::size_t distinct = 0;
  for (int attempt = 0; attempt < 20 && distinct < allowed.size(); ++attempt) {
    Observation seen(0);
    ASSERT_TRUE(run(pool, &meet, seen, static_cast<std::uint32_t>(allowed.size())));
    std::set<int> used;
    for (std::size_t i = 0; i < allowed.size(); ++i)
      used.insert(seen.cpus[i].load());
    distinct = used.size();
  }
  EXPECT_EQ(distinct, allowed.size());
}

TEST(CpuWorkerPool, PinnedCallerTakesThePlaceOfItsWorker) {
  const std::vector<int> allowed = host::allowed_cpus();
  CpuWorkerPool pool(allowed);
  for (const int cpu : allowed) {
    std::thread([&] {
      cpu_set_t set;
      CPU_ZERO(&set);
      CPU_SET(static_cast<std::size_t>(cpu), &set);
      ASSERT_EQ(::sched_setaffinity(0, sizeof(set), &set), 0);
      Observation seen(0);
      ASSERT_TRUE(run(pool, &meet, seen, static_cast<std::uint32_t>(allowed.size())));
      std::set<int> used;
      for (std::size_t i = 0; i < allowed.size(); ++i)
        used.insert(seen.cpus[i].load());
      EXPECT_EQ(used, std::set<int>(allowed.begin(), allowed.end()));
    }).join();
  }
}

TEST(CpuWorkerPool, LaunchesFromSeveralThreadsRunEachGroupOnce) {
  CpuWorkerPool pool(cpus(3));
  std::vector<std::thread> callers;
  callers.reserve(4);
  std::atomic<int> good{0};
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        Observation seen(33);
        if (run(pool, &count_groups, seen, 33, i % 2 == 0) && each_once(seen)) ++good;
      }
    });
  }
  for (std::thread& caller : callers)
    caller.join();
  EXPECT_EQ(good.load(), 4 * 300);
}

TEST(CpuWorkerPool, BusyPoolLeavesTheCallerAlone) {
  CpuWorkerPool pool(cpus(2));
  Observation outer(0);
  // The second launch is made while the first still runs on the same pool.
  struct Nested {
    CpuWorkerPool* pool;
    Observation inner{16};
  } nested{&pool};
  const std::uint64_t argument = reinterpret_cast<std::uintptr_t>(&nested);
  CpuScratch scratch;
  CpuLaunch launch;
  launch.entry = [](const std::uint64_t* arguments, const KernelRange* range) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a slot of the ABI.
    auto& both = *reinterpret_cast<Nested*>(arguments[0]);
    if (range->thread == 0) {
      EXPECT_TRUE(run(*both.pool, &count_groups, both.inner, 16));
    }
  };
  launch.arguments = &argument;
  launch.grid = {2, 1, 1};
  launch.group_count = 2;
  ASSERT_TRUE(pool.run(launch, scratch));
  EXPECT_TRUE(each_once(nested.inner));
  EXPECT_EQ(nested.inner.thread_count.load(), 1U);
}

TEST(CpuWorkerPool, ScratchIsPrivateAlignedAndGrows) {
  CpuWorkerPool pool(cpus(3));
  for (const std::uint64_t bytes : {1, 100, 5000, 64}) {
    Observation seen(0);
    ASSERT_TRUE(run(pool, &write_scratch, seen, 3, true, bytes));
    EXPECT_EQ(seen.calls.load(), 3U);
    Observation alone(0);
    ASSERT_TRUE(run(pool, &write_scratch, alone, 1, true, bytes));
    EXPECT_EQ(alone.calls.load(), 1U);
  }
}

TEST(CpuWorkerPool, ScratchBeyondMemoryNamesItsSize) {
  CpuWorkerPool pool(cpus(2));
  Observation seen(0);
  const auto status = run(pool, &write_scratch, seen, 2, true, std::uint64_t{1} << 62);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kOutOfMemory);
  EXPECT_EQ(status.error().message(),
            "A thread's kernel scratch (4611686018427387904 bytes, of at most 268435456) cannot be "
            "allocated.");
  EXPECT_EQ(seen.calls.load(), 0U);
}

TEST(CpuWorkerPool, LaunchThatThrowsGivesTheWorkersBack) {
  CpuWorkerPool pool(cpus(2));
  Observation none(2);
  tests::fail_allocation_after(0);
  EXPECT_THROW(static_cast<void>(run(pool, &meet, none, 2)), std::bad_alloc);
  EXPECT_FALSE(tests::cancel_failing_allocation());
  Observation seen(2);
  ASSERT_TRUE(run(pool, &meet, seen, 2));
  EXPECT_EQ(seen.calls.load(), 2U);
}

TEST(CpuWorkerPool, ForkedChildIsRefusedAndParentGoesOn) {
  CpuWorkerPool pool(cpus(2));
  Observation before(2);
  ASSERT_TRUE(run(pool, &count_groups, before, 2));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Observation seen(8);
    const auto status = run(pool, &count_groups, seen, 8);
    ::_exit(!status && status.error().code() == base::ErrorCode::kUnavailable ? 0 : 1);
  }
  int code = -1;
  ASSERT_EQ(::waitpid(child, &code, 0), child);
  EXPECT_EQ(code, 0);
  Observation after(8);
  ASSERT_TRUE(run(pool, &count_groups, after, 8));
  EXPECT_TRUE(each_once(after));
}

}  // namespace
}  // namespace halyard::cpu
