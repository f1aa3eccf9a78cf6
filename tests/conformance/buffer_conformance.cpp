// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/device_test.h"

#include <cstdlib>
#include <limits>
#include <numeric>

namespace halyard::conformance {
namespace {

class BufferConformance : public DeviceTest {};
HALYARD_ON_EACH_DEVICE(BufferConformance);

TEST_P(BufferConformance, BytesWrittenAreRead) {
  std::vector<std::uint32_t> values(1 << 20);
  std::iota(values.begin(), values.end(), 7U);
  const Buffer buffer = make_buffer(device_, values);
  EXPECT_EQ(values, read_buffer<std::uint32_t>(buffer));
}

TEST_P(BufferConformance, PartsAreWrittenAndReadAtOffsets) {
  const Buffer buffer = make_buffer(device_, std::vector<std::uint8_t>(64, 0));
  const std::uint8_t part[3] = {1, 2, 3};
  buffer.write(61, part, 3);
  std::uint8_t back[4] = {9, 9, 9, 9};
  buffer.read(60, back, 4);
  EXPECT_EQ(0, back[0]);
  EXPECT_EQ(3, back[3]);
}

TEST_P(BufferConformance, HostPointerShowsTheSameBytes) {
  const Buffer buffer = make_buffer(device_, std::vector<std::uint32_t>{1, 2, 3, 4});
  if (buffer.host_pointer() == nullptr) return;  // The device keeps its memory apart.
  EXPECT_EQ(3U, static_cast<const std::uint32_t*>(buffer.host_pointer())[2]);
}

TEST_P(BufferConformance, EmptyBufferIsRefused) {
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "(0 bytes)", [&] { Buffer::create(device_, 0); });
}

TEST_P(BufferConformance, UnknownUsageIsRefused) {
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "Usage (64)",
                 [&] { Buffer::create(device_, 16, 64); });
}

TEST_P(BufferConformance, ImpossibleSizeIsOutOfMemory) {
  expect_failure(HALYARD_STATUS_OUT_OF_MEMORY, "1152921504606846976",
                 [&] { Buffer::create(device_, std::uint64_t{1} << 60); });
}

TEST_P(BufferConformance, RangePastTheEndNamesItsNumbers) {
  const Buffer buffer = Buffer::create(device_, 144);
  std::uint8_t bytes[16] = {};
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT,
                 "Offset (256) is past the end of the buffer (144 bytes).",
                 [&] { buffer.write(256, bytes, 1); });
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "offset 140, length 16",
                 [&] { buffer.read(140, bytes, 16); });
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "past the end",
                 [&] { buffer.read(8, bytes, std::numeric_limits<std::uint64_t>::max()); });
}

TEST_P(BufferConformance, WrappedHostMemoryIsUsedInPlaceOrRefusedWithTheReason) {
  constexpr std::size_t kSize = 1 << 16;
  void* memory = std::aligned_alloc(kSize, kSize);
  ASSERT_NE(nullptr, memory);
  static_cast<std::uint32_t*>(memory)[5] = 55;
  try {
    const Buffer buffer = Buffer::wrap(device_, memory, kSize);
    std::uint32_t value = 0;
    buffer.read(20, &value, 4);
    EXPECT_EQ(55U, value);
    value = 66;
    buffer.write(20, &value, 4);
    EXPECT_EQ(66U, static_cast<std::uint32_t*>(memory)[5]);
  } catch (const Error& error) {
    EXPECT_EQ(HALYARD_STATUS_UNSUPPORTED, error.status()) << error.what();
    EXPECT_NE(std::string(error.what()), "");
  }
  std::free(memory);
}

TEST_P(BufferConformance, WrappedRangeMustEndInTheAddressSpace) {
  int value = 0;
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "past the end of the address space",
                 [&] { Buffer::wrap(device_, &value, std::numeric_limits<std::uint64_t>::max()); });
}

TEST_P(BufferConformance, WrappingNothingIsRefused) {
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, "data is NULL",
                 [&] { Buffer::wrap(device_, nullptr, 16); });
}

TEST_P(BufferConformance, BufferOutlivesDeviceAndInstance) {
  const Buffer buffer = make_buffer(device_, std::vector<std::uint32_t>{1, 2, 3});
  queue_ = Queue();
  device_ = Device();
  instance_ = Instance();
  EXPECT_EQ((std::vector<std::uint32_t>{1, 2, 3}), read_buffer<std::uint32_t>(buffer));
}

}  // namespace
}  // namespace halyard::conformance
