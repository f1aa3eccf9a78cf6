// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/vulkan/vulkan_fixture.h"
#include "tests/unit/backends/vulkan/vulkan_interposer.h"

#include <thread>

namespace halyard::vulkan {
namespace {

VKAPI_ATTR VkResult VKAPI_CALL lose_device(VkQueue, std::uint32_t, const VkSubmitInfo*, VkFence) {
  return VK_ERROR_DEVICE_LOST;
}

class VulkanLostDevice : public VulkanFixture {
 protected:
  VulkanLostDevice() : VulkanFixture(&VulkanInterposer::load) {
    interposer_.replace("vkQueueSubmit", &lose_device);
  }
  ~VulkanLostDevice() override { device_ = {}; }

  static void expect_lost(const base::Status& status) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code(), base::ErrorCode::kDeviceLost);
    EXPECT_EQ(status.error().message(),
              "The device vulkan:0 is lost: vkQueueSubmit answers VK_ERROR_DEVICE_LOST (-4): the "
              "device stopped answering.");
  }
  template <typename T>
  static base::Status status_of(const base::Result<T>& result) {
    if (result) return base::ok();
    return result.error();
  }

  VulkanInterposer interposer_;
};

TEST_F(VulkanLostDevice, EveryLaterCallNamesTheFirst) {
  const auto executable = load("scale", scale_stage());
  const auto buffer = make_buffer(64);
  const auto queue = make_queue();
  const auto other = make_queue();
  const auto semaphore = make_semaphore();
  ASSERT_TRUE(queue->fill(*buffer, 0, 64, 1));
  const auto first = queue->flush();
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().message(),
            "vkQueueSubmit answers VK_ERROR_DEVICE_LOST (-4): the device stopped answering.");
  expect_lost(queue->flush());
  expect_lost(other->fill(*buffer, 0, 64, 1));
  expect_lost(other->fill(*buffer, 0, 0, 1));
  expect_lost(scale(*other, *executable, *buffer, *buffer, 1.0F));
  expect_lost(other->synchronize(kForEver));
  expect_lost(other->wait(*semaphore, 1));
  expect_lost(other->signal(*semaphore, 1));
  expect_lost(other->write_timestamp(0));
  expect_lost(semaphore->signal(1));
  expect_lost(semaphore->wait(1, kForEver));
  expect_lost(status_of(semaphore->value()));
  expect_lost(status_of(device().create_buffer({64, 0})));
  expect_lost(status_of(device().create_queue()));
  expect_lost(status_of(device().record({})));
  expect_lost(status_of(try_load("scale", scale_stage())));
}

TEST_F(VulkanLostDevice, WaitThatBeganBeforeEnds) {
  const auto queue = make_queue();
  const auto other = make_queue();
  const auto gate = make_semaphore();
  ASSERT_TRUE(queue->wait(*gate, 1));
  std::thread waiter([&] { expect_lost(queue->synchronize(kForEver)); });
  ASSERT_FALSE(other->signal(*gate, 1));
  waiter.join();
}

VKAPI_ATTR VkResult VKAPI_CALL refuse_device(VkPhysicalDevice, const VkDeviceCreateInfo*,
                                             const VkAllocationCallbacks*, VkDevice*) {
  return VK_ERROR_INITIALIZATION_FAILED;
}

class VulkanRefusedDevice : public VulkanFixture {
 protected:
  VulkanRefusedDevice() : VulkanFixture(&VulkanInterposer::load) {
    interposer_.replace("vkCreateDevice", &refuse_device);
  }
  ~VulkanRefusedDevice() override { device_ = {}; }

  VulkanInterposer interposer_;
};

TEST_F(VulkanRefusedDevice, FirstUseSaysWhy) {
  const auto queue = device().create_queue();
  ASSERT_FALSE(queue);
  EXPECT_EQ(queue.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_EQ(queue.error().message(),
            "While opening vulkan:0: vkCreateDevice answers VK_ERROR_INITIALIZATION_FAILED (-3): "
            "the driver could not start.");
}

}  // namespace
}  // namespace halyard::vulkan
