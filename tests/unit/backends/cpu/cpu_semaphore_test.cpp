// SPDX-License-Identifier: Apache-2.0
#include "tests/forked_child.h"
#include "tests/unit/backends/cpu/cpu_fixture.h"

#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace halyard::cpu {
namespace {

using namespace std::chrono_literals;

class CpuSemaphore : public CpuFixture {};

TEST_F(CpuSemaphore, ValueRisesWithSignals) {
  const auto semaphore = make_semaphore(3);
  EXPECT_EQ(*semaphore->value(), 3U);
  ASSERT_TRUE(semaphore->signal(UINT64_MAX));
  EXPECT_EQ(*semaphore->value(), UINT64_MAX);
}

TEST_F(CpuSemaphore, ValueThatDoesNotRiseIsRefused) {
  const auto semaphore = make_semaphore(3);
  const auto status = semaphore->signal(3);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(status.error().message(), "Semaphore value 3 is not above the present value (3).");
}

TEST_F(CpuSemaphore, WaitEndsWithTheSignal) {
  const auto semaphore = make_semaphore();
  std::thread signaller([&] { ASSERT_TRUE(semaphore->signal(2)); });
  EXPECT_TRUE(semaphore->wait(2, -1ns));
  EXPECT_TRUE(semaphore->wait(1, 0ns));
  signaller.join();
}

TEST_F(CpuSemaphore, WaitPastItsDeadlineSaysTheValue) {
  const auto semaphore = make_semaphore(1);
  const auto status = semaphore->wait(2, 500ns);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(status.error().message(), "The semaphore has value 1, not 2, after 500 ns.");
}

TEST_F(CpuSemaphore, LongestTimeoutDoesNotOverflow) {
  const auto semaphore = make_semaphore();
  std::thread signaller([&] { ASSERT_TRUE(semaphore->signal(1)); });
  EXPECT_TRUE(semaphore->wait(1, std::chrono::nanoseconds::max()));
  signaller.join();
}

// Waits until thread `id` of this process sleeps.
void await_sleep(pid_t id) {
  std::string name;
  std::string state;
  while (state != "S") {
    std::this_thread::yield();
    std::ifstream("/proc/self/task/" + std::to_string(id) + "/stat") >> id >> name >> state;
  }
}

TEST_F(CpuSemaphore, ForkedChildReleasesWhatAThreadOfItsParentWaitsIn) {
  auto semaphore = make_semaphore();
  std::atomic<pid_t> id{0};
  std::thread waiter([&] {
    id = ::gettid();
    EXPECT_TRUE(semaphore->wait(1, -1ns));
  });
  while (id == 0)
    std::this_thread::yield();
  await_sleep(id);
  EXPECT_TRUE(tests::passes_in_child([&]() -> std::string {
    semaphore = {};
    device_ = {};
    return "";
  }));
  EXPECT_TRUE(semaphore->signal(1));
  waiter.join();
}

}  // namespace
}  // namespace halyard::cpu
