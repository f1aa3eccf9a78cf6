// SPDX-License-Identifier: Apache-2.0
#include "backends/host/host_queue.h"

#include "backends/host/host_semaphore.h"
#include "tests/unit/runtime/core/fake_device.h"

#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <stdexcept>

namespace halyard::host {
namespace {

constexpr std::chrono::nanoseconds kForEver{-1};

// Its dispatches throw what the standard library may.
class ThrowingQueue final : public HostQueue {
 public:
  ThrowingQueue(core::Device& device, const base::ForkGuard& fork_guard)
      : HostQueue(device, fork_guard) {}

  base::Status dispatch(const core::Dispatch& dispatch) override {
    const bool is_first_stage = dispatch.stage == 0;
    return run_or_defer([is_first_stage]() -> base::Status {
      if (is_first_stage) throw std::bad_alloc();
      throw std::length_error("too long");
    });
  }
  base::Status replay(core::Recording&) override { return base::ok(); }
};

class HostQueueTest : public testing::Test {
 protected:
  // What synchronize() gives after a deferred dispatch.
  base::Status result_of_stage(std::uint32_t stage) {
    const base::Ref<core::Semaphore> semaphore =
        base::make_ref<HostSemaphore>(*device_, base::make_ref<HostTimeline>(fork_guard_, 0U));
    EXPECT_TRUE(queue_->wait(*semaphore, 1));
    core::Dispatch dispatch;
    dispatch.stage = stage;
    EXPECT_TRUE(queue_->dispatch(dispatch));
    EXPECT_TRUE(semaphore->signal(1));
    return queue_->synchronize(kForEver);
  }

  base::ForkGuard fork_guard_{"The device"};
  base::Ref<core::Device> device_ = core::make_fake_device("fake", 0, core::DeviceKind::kCpu);
  base::Ref<core::Queue> queue_ = base::make_ref<ThrowingQueue>(*device_, fork_guard_);
};

TEST_F(HostQueueTest, DeferredCommandWithoutMemoryIsAFailure) {
  const base::Status status = result_of_stage(0);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kOutOfMemory);
  EXPECT_EQ(status.error().message(), "The host has no memory for a command of the queue.");
}

TEST_F(HostQueueTest, DeferredCommandThatThrowsIsAFailure) {
  const base::Status status = result_of_stage(1);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kInternal);
  EXPECT_EQ(status.error().message(), "A command of the queue has thrown: too long.");
}

}  // namespace
}  // namespace halyard::host
