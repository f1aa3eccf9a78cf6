// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_device.h"
#include "backends/vulkan/vulkan_timeline.h"
#include "runtime/core/semaphore.h"

namespace halyard::vulkan {

class VulkanSemaphore final : public core::Semaphore {
 public:
  VulkanSemaphore(VulkanDevice& device, VulkanOpenDevice& open, base::Ref<VulkanTimeline> timeline);

  base::Result<std::uint64_t> value() override;
  base::Status signal(std::uint64_t value) override;
  base::Status wait(std::uint64_t value, std::chrono::nanoseconds timeout) override;

  const base::Ref<VulkanTimeline>& timeline() const { return timeline_; }

 private:
  VulkanOpenDevice& open_;
  base::Ref<VulkanTimeline> timeline_;
};

}  // namespace halyard::vulkan
