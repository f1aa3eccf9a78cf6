// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/timing.h"

#include <gtest/gtest.h>

namespace halyard::services {
namespace {

class TimingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    halyard_instance_desc desc = HALYARD_INSTANCE_DESC_INIT;
    desc.store_url = "memory:";
    device_ = Instance::create(&desc).device("cpu:0");
    queue_ = Queue::create(device_);
  }

  Device device_;
  Queue queue_;
};

TEST_F(TimingTest, ShortWorkIsRepeated) {
  const Buffer buffer = Buffer::create(device_, 64);
  TimingLimits limits;
  limits.min_samples = 4;
  const auto timing = time_on_queue(
      queue_.get(),
      [&] { return library_status(halyard_queue_fill(queue_.get(), buffer.get(), 0, 64, 1)); },
      limits);
  ASSERT_TRUE(timing) << timing.error().message();
  EXPECT_GT(timing->repeats, 1U);
  EXPECT_GE(timing->samples_ns.size(), 4U);
}

TEST_F(TimingTest, DeviceThatIsNeverDoneEndsAtTheDeadline) {
  const Semaphore semaphore = Semaphore::create(device_);
  TimingLimits limits;
  limits.deadline = std::chrono::milliseconds(20);
  const auto timing = time_on_queue(
      queue_.get(),
      [&] { return library_status(halyard_queue_wait(queue_.get(), semaphore.get(), 1)); }, limits);
  ASSERT_FALSE(timing);
  EXPECT_EQ(base::ErrorCode::kDeadlineExceeded, timing.error().code());
  EXPECT_EQ("The device is not done after 0.02 s.", timing.error().message());
  semaphore.signal(1);
  queue_.synchronize();
}

}  // namespace
}  // namespace halyard::services
