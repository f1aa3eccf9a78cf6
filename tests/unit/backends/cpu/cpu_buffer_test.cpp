// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/cpu/cpu_fixture.h"

#include <gmock/gmock.h>

#include <array>
#include <cstring>

namespace halyard::cpu {
namespace {

class CpuBuffer : public CpuFixture {};

TEST_F(CpuBuffer, AlignmentGrowsWithSize) {
  const std::array<std::pair<std::uint64_t, std::uintptr_t>, 4> expectations = {
      {{1, 64}, {60'000, 64}, {100'000, 4096}, {5'000'000, 2U << 20}}};
  for (const auto& [size_bytes, alignment] : expectations) {
    const auto buffer = make_buffer(size_bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->host_pointer()) % alignment, 0U)
        << size_bytes;
    std::memset(buffer->host_pointer(), 1, size_bytes);
  }
}

TEST_F(CpuBuffer, SizeBeyondMemoryIsNamed) {
  const auto buffer = device_->create_buffer({std::uint64_t{1} << 60, 0});
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().code(), base::ErrorCode::kOutOfMemory);
  EXPECT_THAT(buffer.error().message(),
              testing::StartsWith(
                  "A buffer of 1152921504606846976 bytes cannot be allocated on \"cpu:0\" ("));
}

TEST_F(CpuBuffer, WrapsAnyHostPointer) {
  std::array<std::byte, 17> memory{};
  auto buffer = device_->wrap_host_memory(memory.data() + 1, 16);
  ASSERT_TRUE(buffer);
  EXPECT_EQ((*buffer)->host_pointer(), memory.data() + 1);
  const std::array source = {std::byte{5}};
  ASSERT_TRUE((*buffer)->write(15, source));
  EXPECT_EQ(memory[16], std::byte{5});
}

TEST_F(CpuBuffer, KeepsItsDeviceAlive) {
  const auto buffer = make_buffer(8);
  device_ = {};
  EXPECT_EQ(buffer->device().info().id, "cpu:0");
}

}  // namespace
}  // namespace halyard::cpu
