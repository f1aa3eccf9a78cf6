// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/device_test.h"

#include <limits>

namespace halyard::conformance {
namespace {

constexpr std::uint64_t kSecondNs = 1'000'000'000;

class QueueConformance : public DeviceTest {};
HALYARD_ON_EACH_DEVICE(QueueConformance);

TEST_P(QueueConformance, CommandsSeeTheResultsOfEarlierOnes) {
  const Buffer first = make_buffer(device_, std::vector<std::uint32_t>(1024, 0));
  const Buffer second = make_buffer(device_, std::vector<std::uint32_t>(1024, 0));
  queue_.fill(first, 0, 4096, 0x01020304);
  queue_.copy(first, 0, second, 0, 4096);
  queue_.fill(first, 0, 4096, 0);
  queue_.copy(second, 4, first, 8, 4);
  queue_.synchronize();
  EXPECT_EQ(0x01020304U, read_buffer<std::uint32_t>(second)[1023]);
  EXPECT_EQ(0x01020304U, read_buffer<std::uint32_t>(first)[2]);
  EXPECT_EQ(0U, read_buffer<std::uint32_t>(first)[3]);
}

TEST_P(QueueConformance, FillsAndCopiesCheckTheirRanges) {
  const Buffer buffer = Buffer::create(device_, 64);
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "reaches past the end of the buffer (64 bytes)",
                 [&] { queue_.fill(buffer, 60, 8, 0); });
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "multiples of 4",
                 [&] { queue_.fill(buffer, 2, 4, 0); });
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "overlap",
                 [&] { queue_.copy(buffer, 0, buffer, 8, 16); });
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "source range", [&] {
    queue_.copy(buffer, std::numeric_limits<std::uint64_t>::max(), buffer, 0, 16);
  });
}

TEST_P(QueueConformance, SignalIsSeenOnceEarlierWorkIsDone) {
  const Semaphore semaphore = Semaphore::create(device_, 3);
  EXPECT_EQ(3U, semaphore.value());
  const Buffer buffer = Buffer::create(device_, 4096);
  queue_.fill(buffer, 0, 4096, 1);
  queue_.signal(semaphore, 10);
  queue_.flush();
  semaphore.wait(10, 10 * kSecondNs);
  EXPECT_EQ(10U, semaphore.value());
  EXPECT_EQ(1U, read_buffer<std::uint32_t>(buffer)[1023]);
}

TEST_P(QueueConformance, WaitMayComeBeforeItsSignal) {
  const Queue other = Queue::create(device_);
  const Semaphore semaphore = Semaphore::create(device_);
  const Buffer buffer = make_buffer(device_, std::vector<std::uint32_t>(256, 0));
  const Buffer result = make_buffer(device_, std::vector<std::uint32_t>(256, 0));
  queue_.wait(semaphore, 1);
  queue_.copy(buffer, 0, result, 0, 1024);
  queue_.flush();
  other.fill(buffer, 0, 1024, 42);
  other.signal(semaphore, 1);
  other.flush();
  queue_.synchronize(20 * kSecondNs);
  EXPECT_EQ(42U, read_buffer<std::uint32_t>(result)[255]);
}

TEST_P(QueueConformance, HostSignalReleasesAQueue) {
  const Semaphore semaphore = Semaphore::create(device_);
  const Buffer buffer = make_buffer(device_, std::vector<std::uint32_t>(4, 0));
  queue_.wait(semaphore, 5);
  queue_.fill(buffer, 0, 16, 9);
  queue_.flush();
  semaphore.signal(5);
  queue_.synchronize(20 * kSecondNs);
  EXPECT_EQ(9U, read_buffer<std::uint32_t>(buffer)[0]);
}

TEST_P(QueueConformance, WaitsEndAtTheirDeadline) {
  const Semaphore semaphore = Semaphore::create(device_);
  expect_failure(HALYARD_STATUS_DEADLINE_EXCEEDED, "", [&] { semaphore.wait(1, 1'000'000); });
  queue_.wait(semaphore, 1);
  const Buffer buffer = Buffer::create(device_, 16);
  queue_.fill(buffer, 0, 16, 9);
  expect_failure(HALYARD_STATUS_DEADLINE_EXCEEDED, "", [&] { queue_.synchronize(1'000'000); });
  semaphore.signal(1);
  queue_.synchronize(20 * kSecondNs);
}

TEST_P(QueueConformance, SemaphoreValuesOnlyGrow) {
  const Semaphore semaphore = Semaphore::create(device_, 7);
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "7", [&] { semaphore.signal(7); });
}

TEST_P(QueueConformance, TimestampsGrowAndNameTheirClock) {
  const Buffer buffer = Buffer::create(device_, 16 << 20);
  queue_.write_timestamp(0);
  queue_.fill(buffer, 0, 16 << 20, 1);
  queue_.write_timestamp(1);
  queue_.synchronize();
  std::uint32_t clock = 0;
  const std::uint64_t begin = queue_.timestamp_ns(0, &clock);
  EXPECT_TRUE(clock == HALYARD_CLOCK_HOST || clock == HALYARD_CLOCK_DEVICE) << clock;
  EXPECT_GT(queue_.timestamp_ns(1), begin);
}

TEST_P(QueueConformance, TimestampSlotsAreChecked) {
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "256", [&] { queue_.write_timestamp(256); });
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "9", [&] { queue_.timestamp_ns(9); });
}

TEST_P(QueueConformance, WorkKeepsReleasedBuffersAlive) {
  const Buffer result = make_buffer(device_, std::vector<std::uint32_t>(1 << 20, 0));
  for (std::uint32_t i = 1; i <= 8; ++i) {
    const Buffer temporary = Buffer::create(device_, 4 << 20);
    queue_.fill(temporary, 0, 4 << 20, i);
    queue_.copy(temporary, 0, result, 0, 4 << 20);
    queue_.flush();
  }
  queue_.synchronize();
  EXPECT_EQ(8U, read_buffer<std::uint32_t>(result)[12345]);
}

}  // namespace
}  // namespace halyard::conformance
