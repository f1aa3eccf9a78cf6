// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/constant.h"

#include "tests/unit/runtime/dispatch/recording_device.h"

#include <gtest/gtest.h>

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

TEST_F(ConstantTest, FailedPackingIsTriedAgain) {
  const auto fail = []() -> base::Result<base::Ref<core::Buffer>> {
    return base::Error(base::ErrorCode::kOutOfMemory, "full");
  };
  EXPECT_FALSE(constant_->packed("a", fail));
  EXPECT_TRUE(constant_->packed("a", [&] { return device_->create_buffer({8, 0}); }));
}

}  // namespace
}  // namespace halyard::dispatch
