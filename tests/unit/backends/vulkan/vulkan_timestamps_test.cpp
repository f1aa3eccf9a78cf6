// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_timestamps.h"

#include "tests/unit/backends/vulkan/vulkan_fixture.h"
#include "tests/unit/backends/vulkan/vulkan_interposer.h"

#include <cstring>

namespace halyard::vulkan {
namespace {

TEST(ExtendTicks, AllBitsValidStaysAsItIs) {
  EXPECT_EQ(extend_ticks(5, 100, 64), 5U);
}

TEST(ExtendTicks, CounterThatTurnedOverGoesOn) {
  EXPECT_EQ(extend_ticks(3, 250, 8), 259U);
  EXPECT_EQ(extend_ticks(0xff03, 0x1fa, 8), 0x203U);
}

TEST(ExtendTicks, EarlierSlotMayBeReadLater) {
  EXPECT_EQ(extend_ticks(250, 259, 8), 250U);
  EXPECT_EQ(extend_ticks(200, 3, 8), 200U);
}

VKAPI_ATTR void VKAPI_CALL families_without_clock(VkPhysicalDevice device, std::uint32_t* count,
                                                  VkQueueFamilyProperties* families) {
  VulkanInterposer::original<PFN_vkGetPhysicalDeviceQueueFamilyProperties>(
      "vkGetPhysicalDeviceQueueFamilyProperties")(device, count, families);
  for (std::uint32_t i = 0; families != nullptr && i < *count; ++i)
    families[i].timestampValidBits = 0;
}

class VulkanWithoutClock : public VulkanFixture {
 protected:
  VulkanWithoutClock() : VulkanFixture(&VulkanInterposer::load) {
    interposer_.replace("vkGetPhysicalDeviceQueueFamilyProperties", &families_without_clock);
  }
  ~VulkanWithoutClock() override { device_ = {}; }

  VulkanInterposer interposer_;
};

TEST_F(VulkanWithoutClock, HostNotesTheTime) {
  const auto queue = make_queue();
  EXPECT_EQ(queue->timestamp_clock(), core::Clock::kHost);
  const auto buffer = make_buffer(1 << 22);
  ASSERT_TRUE(queue->write_timestamp(1));
  ASSERT_TRUE(queue->fill(*buffer, 0, 1 << 22, 1));
  ASSERT_TRUE(queue->write_timestamp(2));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_LT(unwrap(queue->read_timestamp(1)), unwrap(queue->read_timestamp(2)));
}

TEST_F(VulkanWithoutClock, TimeOfUnfinishedWorkIsUnavailable) {
  const auto queue = make_queue();
  const auto gate = make_semaphore();
  ASSERT_TRUE(queue->wait(*gate, 1));
  ASSERT_TRUE(queue->write_timestamp(3));
  const auto early = queue->read_timestamp(3);
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_EQ(early.error().message(), "The work before timestamp slot 3 is not known to be done.");
  ASSERT_TRUE(gate->signal(1));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_GT(unwrap(queue->read_timestamp(3)), 0U);
}

}  // namespace
}  // namespace halyard::vulkan
