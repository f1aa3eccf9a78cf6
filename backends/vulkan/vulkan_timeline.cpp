// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_timeline.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::vulkan {
namespace {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

// A wait looks for the loss of the device this often: a submission that is held back on the host
// is then never made, and no driver would end the wait.
constexpr nanoseconds kLossCheckPeriod = std::chrono::milliseconds(100);

}  // namespace

VulkanTimeline::VulkanTimeline(VulkanConnection& connection, SemaphoreHandle handle,
                               std::uint64_t value)
    : connection_(connection),
      handle_(std::move(handle)),
      promised_(value) {}

base::Result<base::Ref<VulkanTimeline>> VulkanTimeline::create(VulkanConnection& connection,
                                                               std::uint64_t initial_value) {
  VkSemaphoreTypeCreateInfo type{};
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  type.initialValue = initial_value;
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  info.pNext = &type;
  VkSemaphore semaphore = VK_NULL_HANDLE;
  HALYARD_TRY(connection.check(
      connection.api().vkCreateSemaphore(connection.device(), &info, nullptr, &semaphore),
      "vkCreateSemaphore"));
  return base::Ref<VulkanTimeline>::adopt(
      new VulkanTimeline(connection, SemaphoreHandle(connection, semaphore), initial_value));
}

base::Result<std::uint64_t> VulkanTimeline::value() {
  std::uint64_t value = 0;
  HALYARD_TRY(connection_.check(
      connection_.api().vkGetSemaphoreCounterValue(connection_.device(), handle_.get(), &value),
      "vkGetSemaphoreCounterValue"));
  return value;
}

base::Status VulkanTimeline::signal(std::uint64_t value) {
  VkSemaphoreSignalInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
  info.semaphore = handle_.get();
  info.value = value;
  return connection_.check(connection_.api().vkSignalSemaphore(connection_.device(), &info),
                           "vkSignalSemaphore");
}

base::Status VulkanTimeline::wait(std::uint64_t value,
                                  std::optional<steady_clock::time_point> deadline,
                                  std::string_view what) {
  const VkSemaphore semaphore = handle_.get();
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &semaphore;
  info.pValues = &value;
  while (true) {
    HALYARD_TRY(connection_.alive());
    nanoseconds slice = kLossCheckPeriod;
    if (deadline) {
      const nanoseconds left = *deadline - steady_clock::now();
      slice = std::clamp(left, nanoseconds::zero(), slice);
    }
    const VkResult result = connection_.api().vkWaitSemaphores(
        connection_.device(), &info, static_cast<std::uint64_t>(slice.count()));
    if (result == VK_SUCCESS) return base::ok();
    if (result != VK_TIMEOUT) return connection_.failure(result, "vkWaitSemaphores");
    if (deadline && steady_clock::now() >= *deadline) break;
  }
  const auto reached = this->value();
  return base::Error(base::ErrorCode::kDeadlineExceeded,
                     base::concat(what, " on ", connection_.name(),
                                  " is not done by the deadline: the timeline is at ",
                                  reached ? *reached : 0, " of ", value, "."));
}

std::optional<steady_clock::time_point> deadline_after(nanoseconds timeout) {
  if (timeout < nanoseconds::zero()) return std::nullopt;
  const steady_clock::time_point now = steady_clock::now();
  if (timeout > steady_clock::time_point::max() - now) return std::nullopt;
  return now + timeout;
}

}  // namespace halyard::vulkan
