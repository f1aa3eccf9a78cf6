// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/vulkan/vulkan_fixture.h"

#include <array>
#include <thread>
#include <vector>

namespace halyard::vulkan {
namespace {

using namespace std::chrono_literals;

class VulkanQueueTest : public VulkanFixture {};

TEST_F(VulkanQueueTest, DispatchWritesItsResult) {
  const auto executable = load("scale", scale_stage());
  const auto x = make_buffer(std::vector<float>(1000, 3.0F));
  const auto y = make_buffer(4000);
  const auto queue = make_queue();
  ASSERT_TRUE(scale(*queue, *executable, *x, *y, 2.0F));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(contents<float>(*y), std::vector<float>(1000, 6.0F));
}

TEST_F(VulkanQueueTest, EachCommandSeesTheResultsOfThoseBefore) {
  const auto executable = load("scale", scale_stage());
  const auto x = make_buffer(std::vector<float>(256, 1.0F));
  const auto y = make_buffer(1024);
  const auto queue = make_queue();
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(scale(*queue, *executable, *x, *y, 2.0F));
    ASSERT_TRUE(queue->copy(*y, 0, *x, 0, 1024));
  }
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(contents<float>(*x), std::vector<float>(256, 1024.0F));
}

TEST_F(VulkanQueueTest, FillRepeatsThePatternInItsRange) {
  const auto buffer = make_buffer(std::vector<std::uint32_t>(4, 7));
  const auto queue = make_queue();
  ASSERT_TRUE(queue->fill(*buffer, 4, 8, 0xabcd1234));
  ASSERT_TRUE(queue->fill(*buffer, 0, 0, 1));
  ASSERT_TRUE(queue->copy(*buffer, 0, *buffer, 0, 0));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(contents<std::uint32_t>(*buffer),
            (std::vector<std::uint32_t>{7, 0xabcd1234, 0xabcd1234, 7}));
}

TEST_F(VulkanQueueTest, DeviceAddressesReachTheShader) {
  if (!device().capabilities().has(core::CapabilityKey::kVulkanBufferDeviceAddress)) {
    GTEST_SKIP() << "The device has no addresses.";
  }
  const auto executable = load("increment", increment_stage());
  const auto buffer = make_buffer(std::vector<std::uint32_t>(100, 5));
  const auto queue = make_queue();
  const std::array<core::ArgumentValue, 3> arguments = {
      {{buffer.get(), 40, 200, 0}, bits(3), bits(50)}};
  ASSERT_TRUE(queue->dispatch({executable.get(), 0, {1, 1, 1}, arguments}));
  ASSERT_TRUE(queue->synchronize(kForEver));
  const auto values = contents<std::uint32_t>(*buffer);
  EXPECT_EQ(values[9], 5U);
  EXPECT_EQ(values[10], 8U);
  EXPECT_EQ(values[59], 8U);
  EXPECT_EQ(values[60], 5U);
}

TEST_F(VulkanQueueTest, EmptyRangeBindsSomething) {
  const auto executable = load("scale", scale_stage());
  const auto queue = make_queue();
  const auto buffer = make_buffer(16);
  const std::array<core::ArgumentValue, 4> arguments = {
      {{buffer.get(), 16, 0, 0}, {nullptr, 0, 0, 0}, bits(0), bits(0)}};
  ASSERT_TRUE(queue->dispatch({executable.get(), 0, {1, 1, 1}, arguments}));
  EXPECT_TRUE(queue->synchronize(kForEver));
}

TEST_F(VulkanQueueTest, GridPastTheLimitIsUnsupported) {
  const auto executable = load("scale", scale_stage());
  const auto queue = make_queue();
  const auto limit = static_cast<std::uint64_t>(
      device().capabilities().number(core::CapabilityKey::kLimitGridY).value_or(0));
  if (limit >= UINT32_MAX) GTEST_SKIP() << "The device takes every grid.";
  const std::array<core::ArgumentValue, 4> arguments = {{{}, {}, bits(0), bits(0)}};
  const auto status = queue->dispatch(
      {executable.get(), 0, {1, static_cast<std::uint32_t>(limit + 1), 1}, arguments});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_EQ(status.error().message(), "A grid of " + std::to_string(limit + 1) +
                                          " workgroups in dimension 1 is larger than the " +
                                          std::to_string(limit) + " of vulkan:0.");
}

TEST_F(VulkanQueueTest, OffsetOffTheAlignmentIsUnsupported) {
  const auto executable = load("scale", scale_stage());
  const auto queue = make_queue();
  const auto alignment =
      device().capabilities().number(core::CapabilityKey::kLimitBufferOffsetAlignmentBytes);
  if (alignment.value_or(0) < 2) GTEST_SKIP() << "The device takes every offset.";
  const auto buffer = make_buffer(4096);
  const std::array<core::ArgumentValue, 4> arguments = {
      {{buffer.get(), 1, 4, 0}, whole(*buffer), bits(0), bits(0)}};
  const auto status = queue->dispatch({executable.get(), 0, {1, 1, 1}, arguments});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_NE(status.error().message().find("Argument 0 begins at offset 1, which is not a multiple"),
            std::string::npos);
}

TEST_F(VulkanQueueTest, RangePastTheBindingLimitIsUnsupported) {
  const auto limit =
      static_cast<std::uint64_t>(device()
                                     .capabilities()
                                     .number(core::CapabilityKey::kLimitStorageBufferRangeBytes)
                                     .value_or(0));
  if (limit > (1U << 28)) GTEST_SKIP() << "The limit is " << limit << " bytes.";
  const auto executable = load("scale", scale_stage());
  const auto queue = make_queue();
  const auto buffer = make_buffer(limit + 256);
  const std::array<core::ArgumentValue, 4> arguments = {
      {{buffer.get(), 0, limit + 1, 0}, whole(*buffer), bits(0), bits(0)}};
  const auto status = queue->dispatch({executable.get(), 0, {1, 1, 1}, arguments});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_EQ(status.error().message(), "Argument 0 binds " + std::to_string(limit + 1) +
                                          " bytes, more than the " + std::to_string(limit) +
                                          " of vulkan:0.");
}

TEST_F(VulkanQueueTest, WaitBeforeSignalOnOneThreadCompletes) {
  const auto first = make_queue();
  const auto second = make_queue();
  const auto ready = make_semaphore();
  const auto done = make_semaphore();
  const auto buffer = make_buffer(std::vector<std::uint32_t>(16, 0));
  const auto copy = make_buffer(64);
  ASSERT_TRUE(first->wait(*ready, 1));
  ASSERT_TRUE(first->copy(*buffer, 0, *copy, 0, 64));
  ASSERT_TRUE(first->signal(*done, 1));
  ASSERT_TRUE(first->flush());
  ASSERT_TRUE(second->fill(*buffer, 0, 64, 9));
  ASSERT_TRUE(second->signal(*ready, 1));
  ASSERT_TRUE(done->wait(1, kForEver));
  EXPECT_EQ(contents<std::uint32_t>(*copy), std::vector<std::uint32_t>(16, 9));
}

TEST_F(VulkanQueueTest, HeldWorkOfAQueueKeepsItsOrder) {
  const auto queue = make_queue();
  const auto gate = make_semaphore();
  const auto order = make_semaphore();
  ASSERT_TRUE(queue->wait(*gate, 1));
  ASSERT_TRUE(queue->signal(*order, 1));
  ASSERT_TRUE(queue->signal(*order, 2));
  const auto late = queue->synchronize(20ms);
  ASSERT_FALSE(late);
  EXPECT_EQ(unwrap(order->value()), 0U);
  ASSERT_TRUE(gate->signal(1));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(unwrap(order->value()), 2U);
}

TEST_F(VulkanQueueTest, QueuesPingPong) {
  const auto ping = make_queue();
  const auto pong = make_queue();
  const auto semaphore = make_semaphore();
  for (std::uint64_t round = 0; round < 20; ++round) {
    ASSERT_TRUE(pong->wait(*semaphore, 2 * round + 1));
    ASSERT_TRUE(pong->signal(*semaphore, 2 * round + 2));
    ASSERT_TRUE(ping->wait(*semaphore, 2 * round));
    ASSERT_TRUE(ping->signal(*semaphore, 2 * round + 1));
  }
  ASSERT_TRUE(pong->synchronize(kForEver));
  EXPECT_EQ(unwrap(semaphore->value()), 40U);
}

TEST_F(VulkanQueueTest, DeadlineNamesTheTimeline) {
  const auto queue = make_queue();
  const auto gate = make_semaphore();
  ASSERT_TRUE(queue->wait(*gate, 1));
  const auto status = queue->synchronize(10ms);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(status.error().message(),
            "The work of a queue on vulkan:0 is not done by the deadline: the timeline is at 0 of "
            "1.");
  ASSERT_TRUE(gate->signal(1));
  EXPECT_TRUE(queue->synchronize(kForEver));
}

TEST_F(VulkanQueueTest, ReleasedQueueStillDoesItsWork) {
  auto queue = make_queue();
  const auto gate = make_semaphore();
  const auto done = make_semaphore();
  auto buffer = make_buffer(std::vector<std::uint32_t>(16, 0));
  const auto result = make_buffer(64);
  ASSERT_TRUE(queue->wait(*gate, 1));
  ASSERT_TRUE(queue->fill(*buffer, 0, 64, 3));
  ASSERT_TRUE(queue->copy(*buffer, 0, *result, 0, 64));
  ASSERT_TRUE(queue->signal(*done, 1));
  queue = {};
  buffer = {};
  ASSERT_TRUE(gate->signal(1));
  ASSERT_TRUE(done->wait(1, kForEver));
  EXPECT_EQ(contents<std::uint32_t>(*result), std::vector<std::uint32_t>(16, 3));
}

TEST_F(VulkanQueueTest, ReleasedQueueStillDoesWhatWasNotFlushed) {
  const auto buffer = make_buffer(std::vector<std::uint32_t>(16, 0));
  auto queue = make_queue();
  ASSERT_TRUE(queue->fill(*buffer, 0, 64, 3));
  queue = {};
  // What is submitted later to the same VkQueue signals its end after all that came before.
  const auto later = make_queue();
  ASSERT_TRUE(later->fill(*make_buffer(64), 0, 64, 0));
  ASSERT_TRUE(later->synchronize(kForEver));
  EXPECT_EQ(contents<std::uint32_t>(*buffer), std::vector<std::uint32_t>(16, 3));
}

TEST_F(VulkanQueueTest, WorkHeldForEverDoesNotKeepTheDeviceAlive) {
  const auto queue = make_queue();
  const auto gate = make_semaphore();
  ASSERT_TRUE(queue->wait(*gate, 1));
  ASSERT_TRUE(queue->fill(*make_buffer(64), 0, 64, 3));
  EXPECT_TRUE(queue->flush());
}

TEST_F(VulkanQueueTest, ManyShortSubmissionsReuseWhatTheyHave) {
  const auto executable = load("scale", scale_stage());
  const auto x = make_buffer(std::vector<float>(64, 1.0F));
  const auto y = make_buffer(256);
  const auto queue = make_queue();
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(scale(*queue, *executable, *x, *y, static_cast<float>(i)));
    ASSERT_TRUE(queue->flush());
  }
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(contents<float>(*y), std::vector<float>(64, 499.0F));
}

TEST_F(VulkanQueueTest, LongSubmissionIsHandedOnBeforeTheFlush) {
  const auto buffer = make_buffer(64);
  const auto queue = make_queue();
  for (std::uint32_t i = 0; i < 3000; ++i)
    ASSERT_TRUE(queue->fill(*buffer, 0, 64, i));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(contents<std::uint32_t>(*buffer)[3], 2999U);
}

TEST_F(VulkanQueueTest, QueuesOfSeveralThreadsShareTheDevice) {
  const auto executable = load("scale", scale_stage());
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const auto x = make_buffer(std::vector<float>(64, 1.0F));
      const auto y = make_buffer(256);
      const auto queue = make_queue();
      for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(scale(*queue, *executable, *x, *y, static_cast<float>(t)));
        ASSERT_TRUE(queue->flush());
      }
      ASSERT_TRUE(queue->synchronize(kForEver));
      EXPECT_EQ(contents<float>(*y), std::vector<float>(64, static_cast<float>(t)));
    });
  }
  for (std::thread& thread : threads)
    thread.join();
}

TEST_F(VulkanQueueTest, TimestampsGrow) {
  const auto queue = make_queue();
  const auto buffer = make_buffer(1 << 20);
  ASSERT_TRUE(queue->write_timestamp(0));
  ASSERT_TRUE(queue->fill(*buffer, 0, 1 << 20, 1));
  ASSERT_TRUE(queue->write_timestamp(255));
  ASSERT_TRUE(queue->synchronize(kForEver));
  const std::uint64_t begin = unwrap(queue->read_timestamp(0));
  const std::uint64_t end = unwrap(queue->read_timestamp(255));
  EXPECT_LT(begin, end);
  EXPECT_LT(end - begin, 10'000'000'000U);
}

TEST_F(VulkanQueueTest, UnwrittenTimestampIsNamed) {
  const auto queue = make_queue();
  const auto time = queue->read_timestamp(7);
  ASSERT_FALSE(time);
  EXPECT_EQ(time.error().message(), "Timestamp slot 7 has not been written (there are 256).");
  EXPECT_EQ(queue->write_timestamp(256).error().message(),
            "Timestamp slot 256 is past the last (255).");
}

TEST_F(VulkanQueueTest, SignalOfAReachedValueIsInvalid) {
  const auto queue = make_queue();
  const auto semaphore = make_semaphore();
  ASSERT_TRUE(queue->signal(*semaphore, 5));
  const auto status = queue->signal(*semaphore, 5);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(status.error().message(),
            "The value 5 of a signal is not above 5, which the semaphore has or is about to take.");
}

TEST_F(VulkanQueueTest, SemaphoreOfAnotherDeviceIsInvalid) {
  const auto semaphore = make_semaphore();
  const auto first = device_;
  reopen();
  const auto status = make_queue()->wait(*semaphore, 1);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kInvalidArgument);
}

TEST_F(VulkanQueueTest, RecordingReplays) {
  const auto executable = load("scale", scale_stage());
  auto x = make_buffer(std::vector<float>(64, 1.0F));
  auto y = make_buffer(256);
  const std::array forward = {whole(*x), whole(*y), bits(0x40000000), bits(64)};
  const std::array backward = {whole(*y), whole(*x), bits(0x3f800000), bits(64)};
  const std::array<core::Dispatch, 2> dispatches = {
      {{executable.get(), 0, {1, 1, 1}, forward}, {executable.get(), 0, {1, 1, 1}, backward}}};
  auto recording = unwrap(device().record(dispatches));
  const auto queue = make_queue();
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(queue->replay(*recording));
  ASSERT_TRUE(scale(*queue, *executable, *x, *y, 1.0F));
  ASSERT_TRUE(queue->flush());
  ASSERT_TRUE(queue->replay(*recording));
  recording = {};
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(contents<float>(*x), std::vector<float>(64, 32.0F));
}

}  // namespace
}  // namespace halyard::vulkan
