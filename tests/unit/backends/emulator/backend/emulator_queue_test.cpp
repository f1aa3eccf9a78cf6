// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_queue.h"

#include "tests/unit/backends/emulator/backend/emulator_fixture.h"

#include <gmock/gmock.h>

#include <array>
#include <chrono>

namespace halyard::emulator {
namespace {

constexpr std::chrono::nanoseconds kForEver{-1};

class EmulatorQueueTest : public EmulatorFixture {
 protected:
  base::Ref<core::Semaphore> make_semaphore() {
    auto semaphore = device_->create_semaphore(0);
    EXPECT_TRUE(semaphore);
    return std::move(*semaphore);
  }

  base::Ref<core::Queue> queue_ = make_queue();
  base::Ref<core::Executable> increment_ = load("increment");
  base::Ref<core::Buffer> words_ = make_buffer(100, 5);
};

TEST_F(EmulatorQueueTest, DispatchReachesItsLanes) {
  const auto status = run(*queue_, *increment_, *words_, 99);
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(word(*words_, 0), 6U);
  EXPECT_EQ(word(*words_, 98), 6U);
  EXPECT_EQ(word(*words_, 99), 5U);
}

TEST_F(EmulatorQueueTest, WrongStageOrArgumentCountIsNamed) {
  const auto stage = queue_->dispatch({increment_.get(), 1, {1, 1, 1}, {}});
  ASSERT_FALSE(stage);
  EXPECT_EQ(stage.error().message(), "Stage 1 is not one of the 1 stages of kernel \"probe\".");
  const auto few = queue_->dispatch({increment_.get(), 0, {1, 1, 1}, {}});
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().message(),
            "Entry \"increment\" of kernel \"probe\" takes 2 arguments and is given 0.");
}

TEST_F(EmulatorQueueTest, RecordingKeepsWhatItUsesAndReplays) {
  std::array<core::ArgumentValue, 2> arguments;
  arguments[0].buffer = words_.get();
  arguments[0].length_bytes = words_->size_bytes();
  arguments[1].bits = 100;
  const std::array dispatches = {core::Dispatch{increment_.get(), 0, {4, 1, 1}, arguments},
                                 core::Dispatch{increment_.get(), 0, {1, 1, 1}, arguments}};
  auto recording = device_->record(dispatches);
  ASSERT_TRUE(recording);
  increment_ = {};
  ASSERT_TRUE(queue_->replay(**recording));
  ASSERT_TRUE(queue_->replay(**recording));
  EXPECT_EQ(word(*words_, 0), 9U);
  EXPECT_EQ(word(*words_, 99), 7U);
}

TEST_F(EmulatorQueueTest, DispatchBehindAWaitIsDeferred) {
  const auto semaphore = make_semaphore();
  ASSERT_TRUE(queue_->wait(*semaphore, 1));
  ASSERT_TRUE(run(*queue_, *increment_, *words_, 100));
  EXPECT_EQ(word(*words_, 0), 5U);
  ASSERT_TRUE(semaphore->signal(1));
  ASSERT_TRUE(queue_->synchronize(kForEver));
  EXPECT_EQ(word(*words_, 0), 6U);
}

TEST_F(EmulatorQueueTest, FaultOfADeferredDispatchComesWithSynchronize) {
  const auto semaphore = make_semaphore();
  ASSERT_TRUE(queue_->wait(*semaphore, 1));
  ASSERT_TRUE(run(*queue_, *increment_, *words_, 101));
  ASSERT_TRUE(semaphore->signal(1));
  const auto status = queue_->synchronize(kForEver);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kKernelFault);
  EXPECT_TRUE(queue_->synchronize(kForEver));
}

TEST_F(EmulatorQueueTest, ViewOfAPartBoundsTheKernelToIt) {
  std::array<core::ArgumentValue, 2> arguments;
  arguments[0].buffer = words_.get();
  arguments[0].offset_bytes = 40;
  arguments[0].length_bytes = 40;
  arguments[1].bits = 10;
  ASSERT_TRUE(queue_->dispatch({increment_.get(), 0, {1, 1, 1}, arguments}));
  EXPECT_EQ(word(*words_, 9), 5U);
  EXPECT_EQ(word(*words_, 10), 6U);
  EXPECT_EQ(word(*words_, 19), 6U);
  arguments[1].bits = 11;
  EXPECT_FALSE(queue_->dispatch({increment_.get(), 0, {1, 1, 1}, arguments}));
  EXPECT_EQ(word(*words_, 20), 5U);
}

}  // namespace
}  // namespace halyard::emulator
