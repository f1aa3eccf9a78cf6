// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/memory/address_space.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace halyard::emulator {
namespace {

class AddressSpaceTest : public ::testing::Test {
 protected:
  MemoryRegion region(std::string name, std::size_t offset, std::uint64_t size_bytes) {
    MemoryRegion out;
    out.name = std::move(name);
    out.host = bytes_.data() + offset;
    out.size_bytes = size_bytes;
    return out;
  }

  alignas(4096) std::array<std::byte, 8192> bytes_{};
  AddressSpace space_;
};

TEST_F(AddressSpaceTest, AddressIsAlignedAsTheMemoryIs) {
  EXPECT_EQ(space_.add(region("a", 0, 100)) % 4096, 0U);
  EXPECT_EQ(space_.add(region("b", 260, 100)) % 4096, 260U);
}

TEST_F(AddressSpaceTest, FindsWhatLiesWithinARegion) {
  const std::uint64_t address = space_.add(region("a", 0, 100));
  ASSERT_NE(space_.find(address, 100), nullptr);
  EXPECT_EQ(space_.find(address + 96, 4)->name, "a");
  EXPECT_EQ(space_.find(address + 97, 4), nullptr);
  EXPECT_EQ(space_.find(address - 1, 1), nullptr);
  EXPECT_EQ(space_.find(0, 1), nullptr);
  EXPECT_EQ(space_.find(UINT64_MAX, 8), nullptr);
}

TEST_F(AddressSpaceTest, RegionsAreFarFromOneAnother) {
  const std::uint64_t first = space_.add(region("a", 0, 100));
  const std::uint64_t second = space_.add(region("b", 0, 100));
  EXPECT_GT(second - first, std::uint64_t{1} << 23);
}

TEST_F(AddressSpaceTest, RegionAtAnAddressIsThere) {
  MemoryRegion code = region("code", 0, 64);
  code.address = 0x1000;
  space_.add(region("a", 0, 100));
  space_.add_at(code);
  ASSERT_NE(space_.find(0x1004, 4), nullptr);
  EXPECT_EQ(space_.find(0x1004, 4)->name, "code");
}

TEST_F(AddressSpaceTest, NearestRegionIsToldWithItsDistance) {
  const std::uint64_t address = space_.add(region("a", 0, 100));
  space_.add(region("b", 0, 100));
  const auto behind = space_.nearest(address + 98, 4);
  ASSERT_TRUE(behind);
  EXPECT_EQ(behind->region->name, "a");
  EXPECT_EQ(behind->distance_bytes, 2);
  const auto before = space_.nearest(address - 8, 4);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->region->name, "a");
  EXPECT_EQ(before->distance_bytes, -8);
  EXPECT_FALSE(AddressSpace().nearest(0, 4));
}

TEST_F(AddressSpaceTest, DistanceOfAnyAddressIsBehindTheRegion) {
  const std::uint64_t address = space_.add(region("a", 0, 100));
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  for (const std::uint64_t far : {UINT64_MAX, UINT64_MAX - 3, kHalf + address + 100 - 4}) {
    const auto nearest = space_.nearest(far, 4);
    ASSERT_TRUE(nearest);
    EXPECT_GT(nearest->distance_bytes, std::int64_t{1} << 62) << far;
  }
}

}  // namespace
}  // namespace halyard::emulator
