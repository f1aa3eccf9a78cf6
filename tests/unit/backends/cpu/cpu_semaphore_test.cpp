// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/cpu/cpu_fixture.h"

#include <chrono>
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

}  // namespace
}  // namespace halyard::cpu
