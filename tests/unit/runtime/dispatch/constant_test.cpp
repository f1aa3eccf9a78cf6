// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/constant.h"

#include "tests/unit/runtime/dispatch/recording_device.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>

namespace halyard::dispatch {
namespace {

class ConstantTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::byte> bytes(24);
    const std::int64_t shape[2] = {2, 3};
    auto constant = Constant::create(*device_, base::DataType::kF32, shape, bytes);
    ASSERT_TRUE(constant) << constant.error().message();
    constant_ = *constant;
  }

  base::Ref<RecordingDevice> device_ = base::make_ref<RecordingDevice>();
  base::Ref<Constant> constant_;
};

TEST_F(ConstantTest, EachLayoutIsPackedOnce) {
  int packs = 0;
  const auto pack = [&] {
    ++packs;
    return device_->create_buffer({100, 0});
  };
  const auto first = constant_->packed("a", pack);
  const auto again = constant_->packed("a", pack);
  const auto other = constant_->packed("b", pack);
  EXPECT_EQ(2, packs);
  EXPECT_EQ(first->get(), again->get());
  EXPECT_NE(first->get(), other->get());
  EXPECT_EQ(224U, constant_->size_bytes());
}

TEST_F(ConstantTest, DroppedLayoutStaysWithItsUsers) {
  const auto held = constant_->packed("a", [&] { return device_->create_buffer({100, 0}); });
  constant_->drop_packed("a");
  EXPECT_FALSE(constant_->has_packed("a"));
  EXPECT_EQ(24U, constant_->size_bytes());
  EXPECT_EQ(100U, (*held)->size_bytes());
}

TEST_F(ConstantTest, AnotherLayoutDoesNotWaitForOneThatIsPacked) {
  std::promise<void> begun;
  std::promise<void> other_is_packed;
  auto first = std::async(std::launch::async, [&] {
    return constant_->packed("a", [&]() -> base::Result<base::Ref<core::Buffer>> {
      begun.set_value();
      const auto waited = other_is_packed.get_future().wait_for(std::chrono::seconds(60));
      EXPECT_EQ(std::future_status::ready, waited);
      return device_->create_buffer({100, 0});
    });
  });
  begun.get_future().wait();
  EXPECT_FALSE(constant_->has_packed("a"));
  EXPECT_EQ(24U, constant_->size_bytes());
  EXPECT_TRUE(constant_->packed("b", [&] { return device_->create_buffer({10, 0}); }));
  other_is_packed.set_value();
  EXPECT_TRUE(first.get());
  EXPECT_EQ(134U, constant_->size_bytes());
}

TEST_F(ConstantTest, OneLayoutIsPackedOnceForAllWhoAskAtOnce) {
  std::atomic<int> packs = 0;
  std::vector<std::future<core::Buffer*>> askers;
  for (int i = 0; i < 8; ++i) {
    askers.push_back(std::async(std::launch::async, [&] {
      const auto buffer = constant_->packed("a", [&] {
        ++packs;
        return device_->create_buffer({100, 0});
      });
      return buffer->get();
    }));
  }
  core::Buffer* const first = askers[0].get();
  for (std::size_t i = 1; i < askers.size(); ++i)
    EXPECT_EQ(first, askers[i].get());
  EXPECT_EQ(1, packs);
}

TEST_F(ConstantTest, FailedPackingIsTriedAgain) {
  const auto fail = []() -> base::Result<base::Ref<core::Buffer>> {
    return base::Error(base::ErrorCode::kOutOfMemory, "full");
  };
  EXPECT_FALSE(constant_->packed("a", fail));
  EXPECT_TRUE(constant_->packed("a", [&] { return device_->create_buffer({8, 0}); }));
}

}  // namespace
}  // namespace halyard::dispatch
