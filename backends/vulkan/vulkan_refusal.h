// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_connection.h"
#include "runtime/base/error.h"
#include "runtime/core/device.h"
#include "runtime/core/queue.h"

namespace halyard::vulkan {

// Why `dispatch` cannot run on `device`, for one that VulkanCommandBuffer::dispatch has refused:
// INVALID_ARGUMENT for a foreign object or a wrong stage or count, UNSUPPORTED with the numbers for
// what is past a limit of the device.
base::Error explain_refusal(const core::Device& device, const VulkanConnection& connection,
                            const core::Dispatch& dispatch);

}  // namespace halyard::vulkan
