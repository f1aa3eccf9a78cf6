// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_api.h"
#include "runtime/base/error.h"

#include <string_view>

namespace halyard::vulkan {

// "VK_ERROR_DEVICE_LOST", …; "an unknown VkResult" for a code newer than this list.
std::string_view result_name(VkResult result);
base::ErrorCode error_code(VkResult result);

// The failure of a driver call: "vkQueueSubmit answers VK_ERROR_DEVICE_LOST (-4): …".
base::Error vulkan_error(VkResult result, std::string_view call);

}  // namespace halyard::vulkan
