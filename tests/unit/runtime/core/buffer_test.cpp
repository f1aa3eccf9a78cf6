// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/buffer.h"

#include "tests/unit/runtime/core/fake_device.h"

#include <gtest/gtest.h>

#include <array>

namespace halyard::core {
namespace {

class BufferRange : public testing::Test {
 protected:
  base::Ref<Device> device_ = make_fake_device("fake", 0, DeviceKind::kDiscreteGpu);
  base::Ref<Buffer> buffer_ = *device_->create_buffer({144, 0});
  std::array<std::byte, 16> bytes_{};
};

TEST_F(BufferRange, WrittenBytesAreRead) {
  bytes_.fill(std::byte{9});
  ASSERT_TRUE(buffer_->write(128, bytes_));
  std::array<std::byte, 2> read{};
  ASSERT_TRUE(buffer_->read(127, read));
  EXPECT_EQ(read, (std::array{std::byte{0}, std::byte{9}}));
}

TEST_F(BufferRange, OffsetPastTheEndIsRefused) {
  const auto status = buffer_->read(256, bytes_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(status.error().message(), "Offset (256) is past the end of the buffer (144 bytes).");
}

TEST_F(BufferRange, LengthPastTheEndIsRefused) {
  const auto status = buffer_->write(129, bytes_);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "Range (offset 129, length 16) reaches past the end of the buffer (144 bytes).");
}

TEST_F(BufferRange, LargestOffsetDoesNotWrapAround) {
  EXPECT_FALSE(buffer_->read(UINT64_MAX, bytes_));
}

TEST_F(BufferRange, EmptyRangeAtTheEndIsFine) {
  EXPECT_TRUE(buffer_->read(144, {}));
  EXPECT_TRUE(buffer_->write(144, {}));
  EXPECT_FALSE(buffer_->write(145, {}));
}

}  // namespace
}  // namespace halyard::core
