// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/initial_registers.h"

#include "backends/emulator/memory/address_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace halyard::emulator {
namespace {

using ::testing::HasSubstr;

object::AmdgpuTarget target(std::string processor) {
  object::AmdgpuTarget out;
  out.processor = std::move(processor);
  return out;
}

// Bits of a kernel descriptor.
constexpr std::uint16_t kBuffer = 1;
constexpr std::uint16_t kDispatch = 2;
constexpr std::uint16_t kKernarg = 8;
constexpr std::uint16_t kFlatScratch = 32;
constexpr std::uint32_t kIdX = 1U << 7;
constexpr std::uint32_t kIdZ = 1U << 9;

object::KernelDescriptor descriptor(std::uint16_t properties, std::uint32_t user_registers,
                                    std::uint32_t rsrc2) {
  object::KernelDescriptor out;
  out.properties = properties;
  out.rsrc2 = rsrc2 | user_registers << 1;
  return out;
}

TEST(ScalarLayout, WorkgroupIdsFollowTheUserRegisters) {
  const auto layout =
      scalar_layout(descriptor(kDispatch | kKernarg, 15, kIdX | kIdZ), target("gfx1100"));
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->dispatch_pointer, 0U);
  EXPECT_EQ(layout->kernarg_pointer, 2U);
  EXPECT_EQ(layout->workgroup_id[0], 15U);
  EXPECT_FALSE(layout->workgroup_id[1]);
  EXPECT_EQ(layout->workgroup_id[2], 16U);
}

TEST(ScalarLayout, Gfx90aHasRegistersForScratch) {
  const auto layout =
      scalar_layout(descriptor(kBuffer | kKernarg | kFlatScratch, 8, kIdX | 1), target("gfx90a"));
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->private_segment_buffer, 0U);
  EXPECT_EQ(layout->kernarg_pointer, 4U);
  EXPECT_EQ(layout->flat_scratch, 6U);
  EXPECT_EQ(layout->workgroup_id[0], 8U);
  EXPECT_EQ(layout->scratch_offset, 9U);
}

TEST(ScalarLayout, Gfx12HasNoRegistersForWorkgroupIds) {
  const auto layout = scalar_layout(descriptor(kKernarg, 2, kIdX), target("gfx1201"));
  ASSERT_TRUE(layout);
  EXPECT_FALSE(layout->workgroup_id[0]);
}

TEST(ScalarLayout, ArgumentsAreLoadedBeforeTheStart) {
  object::KernelDescriptor from = descriptor(kKernarg, 6, kIdX);
  from.kernarg_preload = 4 | 2 << 7;
  const auto layout = scalar_layout(from, target("gfx942"));
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->preloaded_arguments, 2U);
  EXPECT_EQ(layout->preloaded_count, 4U);
  EXPECT_EQ(layout->preloaded_offset, 2U);
  EXPECT_EQ(layout->workgroup_id[0], 6U);
}

TEST(ScalarLayout, RefusesFewerRegistersThanAreAskedFor) {
  const auto layout = scalar_layout(descriptor(kDispatch | kKernarg, 3, 0), target("gfx1100"));
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_THAT(layout.error().message(), HasSubstr("asks for 4 user registers and counts 3"));
}

TEST(FloatMode, IsReadFromTheDescriptor) {
  object::KernelDescriptor from;
  from.rsrc1 = 1U << 12 | 2U << 14 | 0U << 16 | 3U << 18 | 1U << 21 | 1U << 26;
  const FloatMode mode = float_mode_of(from, target("gfx1100"));
  EXPECT_EQ(mode.round_single, 1);
  EXPECT_EQ(mode.round_other, 2);
  EXPECT_EQ(mode.denormals_single, 0);
  EXPECT_EQ(mode.denormals_other, 3);
  EXPECT_TRUE(mode.dx10_clamp);
  EXPECT_FALSE(mode.ieee);
  EXPECT_TRUE(mode.half_overflow);
  EXPECT_TRUE(float_mode_of(from, target("gfx1201")).ieee);
}

TEST(FloatMode, BitsAreReadBack) {
  for (const std::uint32_t bits : {0U, 0x8003b9U, 0x1f0U, 0x300U, 0x2c6U})
    EXPECT_EQ(FloatMode::of_bits(bits).bits(), bits);
}

class InitialRegistersTest : public ::testing::Test {
 protected:
  InitialRegistersTest() : rows_(std::size_t{kRowCount} * 32, 77) {
    wave_.vector = rows_.data();
    wave_.lanes = 32;
    registers_.block = {10, 7, 1};
    registers_.work_item_dimensions = 2;
  }

  std::vector<std::uint32_t> rows_;
  Wave wave_;
  InitialRegisters registers_;
};

TEST_F(InitialRegistersTest, LastWaveHasTheRestOfTheWorkItems) {
  wave_.number = 2;
  registers_.set(wave_, {0, 0, 0});
  EXPECT_EQ(wave_.initial_exec, 0x3fU);
  EXPECT_EQ(wave_.exec(), 0x3fU);
  EXPECT_EQ(wave_.row(0)[0], 4U | 6U << 10);
  EXPECT_EQ(wave_.row(0)[5], 9U | 6U << 10);
  EXPECT_EQ(wave_.row(0)[6], 77U);
}

TEST_F(InitialRegistersTest, IdsThatAreNotAskedForAreNotThere) {
  registers_.work_item_dimensions = 1;
  registers_.set(wave_, {0, 0, 0});
  EXPECT_EQ(wave_.row(0)[31], 1U);
}

TEST_F(InitialRegistersTest, Gfx12HasWorkgroupIdsInTrapRegisters) {
  registers_.generation = Generation::kGfx12;
  registers_.set(wave_, {70000, 3, 5});
  EXPECT_EQ(wave_.scalar[kTtmpIndex + 9], 70000U);
  EXPECT_EQ(wave_.scalar[kTtmpIndex + 7], 3U | 5U << 16);
  EXPECT_TRUE(registers_.scalars().test(kTtmpIndex + 7));
}

TEST_F(InitialRegistersTest, RegistersHoldWhatTheLayoutSays) {
  registers_.layout.private_segment_buffer = 0;
  registers_.layout.kernarg_pointer = 4;
  registers_.layout.workgroup_id[1] = 9;
  registers_.kernarg_address = 0x123456789abc;
  const std::array<std::byte, 8> kernarg = {std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0},
                                            std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  registers_.kernarg = kernarg;
  registers_.layout.preloaded_arguments = 6;
  registers_.layout.preloaded_count = 2;
  registers_.layout.preloaded_offset = 1;
  registers_.set(wave_, {1, 2, 3});
  EXPECT_EQ(wave_.scalar64(0), kPrivateBufferBase);
  EXPECT_EQ(wave_.scalar64(4), 0x123456789abcU);
  EXPECT_EQ(wave_.scalar[6], 0x04030201U);
  EXPECT_EQ(wave_.scalar[7], 0U);
  EXPECT_EQ(wave_.scalar[9], 2U);
  const auto scalars = registers_.scalars();
  EXPECT_TRUE(scalars.test(7));
  EXPECT_FALSE(scalars.test(8));
  EXPECT_TRUE(scalars.test(9));
}

}  // namespace
}  // namespace halyard::emulator
