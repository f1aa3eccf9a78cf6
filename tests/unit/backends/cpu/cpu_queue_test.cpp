// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/cpu/cpu_fixture.h"

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace halyard::cpu {
namespace {

using namespace std::chrono_literals;
constexpr std::chrono::nanoseconds kForEver{-1};

class CpuQueue : public CpuFixture {
 protected:
  // One dispatch of count_groups over a buffer of counts and one of threads.
  base::Status count(core::Queue& queue, std::uint32_t groups) {
    const std::array arguments = {whole(*counts_), whole(*threads_)};
    return queue.dispatch({count_groups_.get(), 0, {groups, 1, 1}, arguments});
  }
  std::uint32_t count_of(std::size_t group) { return data<std::uint32_t>(*counts_)[group]; }

  base::Ref<core::Executable> count_groups_ = load({make_stage("count_groups", 2)});
  base::Ref<core::Buffer> counts_ = make_buffer(4096);
  base::Ref<core::Buffer> threads_ = make_buffer(4096);
};

TEST_F(CpuQueue, ArgumentsReachTheKernel) {
  const auto executable = load({make_stage("do_nothing", 0), make_stage("scale", 2, 2)});
  const auto x = make_buffer(64, std::bit_cast<std::uint32_t>(3.0F));
  const auto y = make_buffer(64);
  std::array arguments = {whole(*x), whole(*y), bits(std::bit_cast<std::uint32_t>(2.0F)),
                          bits(static_cast<std::uint64_t>(-5))};
  arguments[1].offset_bytes = 16;
  const auto queue = make_queue();
  ASSERT_TRUE(queue->dispatch({executable.get(), 1, {4, 3, 1}, arguments}));
  EXPECT_EQ(data<float>(*y)[3], 0.0F);
  EXPECT_EQ(data<float>(*y)[4], 1.0F);
  EXPECT_EQ(data<float>(*y)[15], 1.0F);
}

TEST_F(CpuQueue, WrongStageOrArgumentCountIsNamed) {
  const auto queue = make_queue();
  const std::array arguments = {whole(*counts_)};
  const auto few = queue->dispatch({count_groups_.get(), 0, {1, 1, 1}, arguments});
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().message(),
            "Entry \"count_groups\" of kernel \"probe\" takes 2 arguments and is given 1.");
  const auto stage = queue->dispatch({count_groups_.get(), 1, {1, 1, 1}, arguments});
  ASSERT_FALSE(stage);
  EXPECT_EQ(stage.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(stage.error().message(), "Stage 1 is not one of the 1 stages of kernel \"probe\".");
}

TEST_F(CpuQueue, GridAbove64BitsIsRefused) {
  const auto queue = make_queue();
  const std::array arguments = {whole(*counts_), whole(*threads_)};
  const auto status =
      queue->dispatch({count_groups_.get(), 0, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, arguments});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "A grid of 4294967295 x 4294967295 x 4294967295 groups has more than 2^64 of them.");
}

TEST_F(CpuQueue, CopyAndFillReachTheirRanges) {
  const auto queue = make_queue();
  const auto source = make_buffer(64, 7);
  const auto destination = make_buffer(64);
  ASSERT_TRUE(queue->fill(*source, 8, 8, 9));
  ASSERT_TRUE(queue->copy(*source, 4, *destination, 0, 12));
  const auto* words = data<std::uint32_t>(*destination);
  EXPECT_EQ(std::vector<std::uint32_t>(words, words + 4), (std::vector<std::uint32_t>{7, 9, 9, 0}));
}

TEST_F(CpuQueue, WaitForAValueSignalledLaterByTheHostDefers) {
  const auto queue = make_queue();
  const auto semaphore = make_semaphore();
  ASSERT_TRUE(queue->wait(*semaphore, 1));
  ASSERT_TRUE(count(*queue, 3));
  ASSERT_TRUE(queue->fill(*threads_, 0, 4, 77));
  EXPECT_EQ(count_of(0), 0U);
  ASSERT_TRUE(semaphore->signal(1));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(count_of(2), 1U);
  EXPECT_EQ(data<std::uint32_t>(*threads_)[0], 77U);
  ASSERT_TRUE(count(*queue, 3));
  EXPECT_EQ(count_of(2), 2U);
}

TEST_F(CpuQueue, WaitForAValueSignalledLaterByAnotherQueueDefers) {
  const auto first = make_queue();
  const auto second = make_queue();
  const auto semaphore = make_semaphore();
  for (std::uint64_t i = 1; i <= 50; ++i) {
    ASSERT_TRUE(first->wait(*semaphore, 2 * i - 1));
    ASSERT_TRUE(count(*first, 4));
    ASSERT_TRUE(first->signal(*semaphore, 2 * i));
    ASSERT_TRUE(count(*second, 4));
    ASSERT_TRUE(second->signal(*semaphore, 2 * i - 1));
    ASSERT_TRUE(second->wait(*semaphore, 2 * i));
  }
  ASSERT_TRUE(first->synchronize(kForEver));
  ASSERT_TRUE(second->synchronize(kForEver));
  EXPECT_EQ(count_of(3), 100U);
}

TEST_F(CpuQueue, ReleasedQueueFinishesItsWork) {
  const auto start = make_semaphore();
  const auto finish = make_semaphore();
  auto queue = make_queue();
  ASSERT_TRUE(queue->wait(*start, 1));
  ASSERT_TRUE(count(*queue, 1));
  ASSERT_TRUE(queue->signal(*finish, 1));
  queue = {};
  ASSERT_TRUE(start->signal(1));
  ASSERT_TRUE(finish->wait(1, kForEver));
  EXPECT_EQ(count_of(0), 1U);
}

// Whether a thread of that name runs in this process.
bool has_thread(std::string_view name) {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "comm");
    std::string found;
    if (std::getline(file, found) && found == name) return true;
  }
  return false;
}

// False when `holds` does not hold within 20 seconds.
template <typename Condition>
bool comes_true(Condition holds) {
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST_F(CpuQueue, ThreadEndsWithTheLastWhoCouldSignal) {
  auto queue = make_queue();
  auto gate = make_semaphore();
  ASSERT_TRUE(queue->wait(*gate, 1));
  ASSERT_TRUE(count(*queue, 1));
  ASSERT_TRUE(comes_true([] { return has_thread("halyard-queue"); }));
  queue = {};
  gate = {};
  EXPECT_TRUE(comes_true([] { return !has_thread("halyard-queue"); }));
  EXPECT_EQ(count_of(0), 0U);
}

TEST_F(CpuQueue, SynchronizeTellsThatNobodyCanSignalAnyMore) {
  const auto queue = make_queue();
  auto gate = make_semaphore(2);
  ASSERT_TRUE(queue->wait(*gate, 3));
  ASSERT_TRUE(count(*queue, 1));
  gate = {};
  const auto status = queue->synchronize(kForEver);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(status.error().message(),
            "The semaphore is released at value 2, so that nobody can raise it to 3 any more.");
  EXPECT_EQ(count_of(0), 0U);
  ASSERT_TRUE(count(*queue, 1));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(count_of(0), 1U);
}

TEST_F(CpuQueue, DeferredSignalCountsAsOneWhoCanSignal) {
  const auto first = make_queue();
  auto second = make_queue();
  const auto start = make_semaphore();
  auto middle = make_semaphore();
  ASSERT_TRUE(first->wait(*middle, 1));
  ASSERT_TRUE(count(*first, 1));
  ASSERT_TRUE(second->wait(*start, 1));
  ASSERT_TRUE(second->signal(*middle, 1));
  middle = {};
  second = {};
  ASSERT_TRUE(start->signal(1));
  ASSERT_TRUE(first->synchronize(kForEver));
  EXPECT_EQ(count_of(0), 1U);
}

TEST_F(CpuQueue, DeferredWorkKeepsWhatItUses) {
  const auto queue = make_queue();
  const auto semaphore = make_semaphore();
  ASSERT_TRUE(queue->wait(*semaphore, 1));
  ASSERT_TRUE(count(*queue, 1));
  count_groups_ = {};
  const base::Ref<core::Buffer> counts = std::exchange(counts_, {});
  threads_ = {};
  ASSERT_TRUE(semaphore->signal(1));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(data<std::uint32_t>(*counts)[0], 1U);
}

TEST_F(CpuQueue, SynchronizePastItsDeadlineSaysHowManyAreLeft) {
  const auto queue = make_queue();
  const auto semaphore = make_semaphore();
  ASSERT_TRUE(queue->wait(*semaphore, 1));
  ASSERT_TRUE(count(*queue, 1));
  const auto status = queue->synchronize(1000ns);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(status.error().message(), "2 commands of the queue are not done after 1000 ns.");
  ASSERT_TRUE(semaphore->signal(1));
  EXPECT_TRUE(queue->synchronize(kForEver));
}

TEST_F(CpuQueue, FailureOfADeferredCommandComesWithSynchronizeOnce) {
  const auto queue = make_queue();
  const auto start = make_semaphore();
  const auto other = make_semaphore(5);
  ASSERT_TRUE(queue->wait(*start, 1));
  ASSERT_TRUE(queue->signal(*other, 3));
  ASSERT_TRUE(start->signal(1));
  const auto status = queue->synchronize(kForEver);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(), "Semaphore value 3 is not above the present value (5).");
  EXPECT_TRUE(queue->synchronize(kForEver));
}

TEST_F(CpuQueue, RecordingReplaysItsDispatches) {
  const std::array arguments = {whole(*counts_), whole(*threads_)};
  const std::array dispatches = {
      core::Dispatch{count_groups_.get(), 0, {4, 1, 1}, arguments},
      core::Dispatch{count_groups_.get(), 0, {2, 1, 1}, arguments},
  };
  auto recording = device_->record(dispatches);
  ASSERT_TRUE(recording);
  count_groups_ = {};
  const auto queue = make_queue();
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(queue->replay(**recording));
  EXPECT_EQ(count_of(0), 6U);
  EXPECT_EQ(count_of(3), 3U);
}

TEST_F(CpuQueue, QueuesOfSeveralThreadsRunAtOnce) {
  std::vector<std::thread> threads;
  threads.reserve(3);
  std::atomic<int> good{0};
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      const auto queue = make_queue();
      const auto counts = make_buffer(1024);
      const auto seen = make_buffer(1024);
      const std::array arguments = {whole(*counts), whole(*seen)};
      bool all = true;
      for (int k = 0; k < 200; ++k) {
        all = all && queue->dispatch({count_groups_.get(), 0, {16, 16, 1}, arguments}).has_value();
      }
      if (all && data<std::uint32_t>(*counts)[0] == 200 && data<std::uint32_t>(*counts)[255] == 200)
        ++good;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(good.load(), 3);
}

TEST_F(CpuQueue, TimestampsFollowTheHostClock) {
  const auto queue = make_queue();
  EXPECT_EQ(queue->timestamp_clock(), core::Clock::kHost);
  ASSERT_TRUE(queue->write_timestamp(0));
  ASSERT_TRUE(count(*queue, 8));
  ASSERT_TRUE(queue->write_timestamp(255));
  ASSERT_TRUE(queue->synchronize(kForEver));
  const auto before = queue->read_timestamp(0);
  const auto after = queue->read_timestamp(255);
  ASSERT_TRUE(before && after);
  EXPECT_LE(*before, *after);
}

TEST_F(CpuQueue, TimestampOfABadSlotIsNamed) {
  const auto queue = make_queue();
  EXPECT_EQ(queue->write_timestamp(256).error().message(),
            "Timestamp slot 256 is past the last one (255).");
  EXPECT_EQ(queue->read_timestamp(3).error().message(), "Timestamp slot 3 has not been written.");
}

TEST_F(CpuQueue, DeferredTimestampIsTakenAfterTheWait) {
  const auto queue = make_queue();
  const auto semaphore = make_semaphore();
  ASSERT_TRUE(queue->wait(*semaphore, 1));
  ASSERT_TRUE(queue->write_timestamp(1));
  EXPECT_FALSE(queue->read_timestamp(1));
  ASSERT_TRUE(semaphore->signal(1));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_TRUE(queue->read_timestamp(1));
}

}  // namespace
}  // namespace halyard::cpu
