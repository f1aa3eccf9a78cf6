// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_semaphore.h"

#include <utility>

namespace halyard::vulkan {

VulkanSemaphore::VulkanSemaphore(VulkanDevice& device, VulkanOpenDevice& open,
                                 base::Ref<VulkanTimeline> timeline)
    : core::Semaphore(device),
      open_(open),
      timeline_(std::move(timeline)) {}

base::Result<std::uint64_t> VulkanSemaphore::value() {
  HALYARD_TRY(open_.connection().alive());
  return timeline_->value();
}

base::Status VulkanSemaphore::signal(std::uint64_t value) {
  return open_.submitter().signal(*timeline_, value);
}

base::Status VulkanSemaphore::wait(std::uint64_t value, std::chrono::nanoseconds timeout) {
  return timeline_->wait(value, deadline_after(timeout), "A semaphore");
}

}  // namespace halyard::vulkan
