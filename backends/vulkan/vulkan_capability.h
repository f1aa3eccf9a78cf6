// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_traits.h"
#include "runtime/core/capability.h"
#include "runtime/core/device.h"

namespace halyard::vulkan {

// The device as the runtime lists it, but for its id, which follows from its place in the list.
core::DeviceInfo describe_device(const VulkanTraits& traits);
core::CapabilitySet query_capabilities(const VulkanTraits& traits);

}  // namespace halyard::vulkan
