// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_error.h"

#include <gtest/gtest.h>

namespace halyard::vulkan {
namespace {

TEST(VulkanError, MessageHasCallNameNumberAndText) {
  const base::Error error = vulkan_error(VK_ERROR_DEVICE_LOST, "vkQueueSubmit");
  EXPECT_EQ(error.code(), base::ErrorCode::kDeviceLost);
  EXPECT_EQ(error.message(),
            "vkQueueSubmit answers VK_ERROR_DEVICE_LOST (-4): the device stopped answering.");
}

TEST(VulkanError, CodesAreMapped) {
  EXPECT_EQ(error_code(VK_ERROR_OUT_OF_DEVICE_MEMORY), base::ErrorCode::kOutOfMemory);
  EXPECT_EQ(error_code(VK_TIMEOUT), base::ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(error_code(VK_ERROR_FEATURE_NOT_PRESENT), base::ErrorCode::kUnsupported);
}

TEST(VulkanError, UnknownCodeKeepsItsNumber) {
  const base::Error error = vulkan_error(static_cast<VkResult>(-1234567), "vkQueueSubmit");
  EXPECT_EQ(error.code(), base::ErrorCode::kInternal);
  EXPECT_EQ(error.message(),
            "vkQueueSubmit answers an unknown VkResult (-1234567): the driver gives no reason.");
}

}  // namespace
}  // namespace halyard::vulkan
