// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_handle.h"
#include "backends/vulkan/vulkan_kept_object.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace halyard::vulkan {

// One timeline VkSemaphore, and the highest value that something already handed to the driver
// will give it. Holds no device, so that work in flight does not keep its device alive.
// Threads: any number at once.
class VulkanTimeline final : public KeptObject {
 public:
  // `connection` is borrowed and outlives the timeline.
  static base::Result<base::Ref<VulkanTimeline>> create(VulkanConnection& connection,
                                                        std::uint64_t initial_value);

  VkSemaphore handle() const { return handle_.get(); }

  // A wait for a value up to this ends without any further call of ours.
  std::uint64_t promised() const { return promised_.load(std::memory_order_acquire); }
  // Changed only by VulkanSubmitter, under its lock.
  void promise(std::uint64_t value) { promised_.store(value, std::memory_order_release); }

  base::Result<std::uint64_t> value();
  base::Status signal(std::uint64_t value);
  // DEADLINE_EXCEEDED names `what`. No deadline waits for ever, or until the device is lost.
  base::Status wait(std::uint64_t value,
                    std::optional<std::chrono::steady_clock::time_point> deadline,
                    std::string_view what);

 private:
  VulkanTimeline(VulkanConnection& connection, SemaphoreHandle handle, std::uint64_t value);

  VulkanConnection& connection_;
  SemaphoreHandle handle_;
  std::atomic<std::uint64_t> promised_;
};

struct TimelinePoint {
  base::Ref<VulkanTimeline> timeline;
  std::uint64_t value = 0;
};

// The moment `timeout` from now; none for a negative one, or one past the end of the clock.
std::optional<std::chrono::steady_clock::time_point> deadline_after(
    std::chrono::nanoseconds timeout);

}  // namespace halyard::vulkan
