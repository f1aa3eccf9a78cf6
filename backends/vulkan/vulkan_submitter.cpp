// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_submitter.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::vulkan {
namespace {

base::Error not_above(std::uint64_t value, std::uint64_t promised) {
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("The value ", value, " of a signal is not above ", promised,
                                  ", which the semaphore has or is about to take."));
}

}  // namespace

VulkanSubmitter::VulkanSubmitter(VulkanConnection& connection) : connection_(connection) {}

VulkanSubmitter::~VulkanSubmitter() {
  if (!connection_.in_child()) connection_.api().vkDeviceWaitIdle(connection_.device());
}

base::Status VulkanSubmitter::submit(VulkanSubmission& submission) {
  HALYARD_TRY(connection_.alive());
  const std::lock_guard lock(mutex_);
  HALYARD_TRY(connection_.alive());
  for (const TimelinePoint& point : submission.signals) {
    if (point.value <= point.timeline->promised()) {
      return not_above(point.value, point.timeline->promised());
    }
  }
  drop_finished();
  for (const base::Ref<VulkanTimeline>& timeline : lingering_)
    submission.commands.keep(*timeline);
  lingering_.clear();
  if (!is_ready(submission) || holds_of_same_queue(submission)) {
    hold(submission);
    return base::ok();
  }
  HALYARD_TRY(submit_now(submission));
  release_held();
  return base::ok();
}

base::Status VulkanSubmitter::signal(VulkanTimeline& timeline, std::uint64_t value) {
  HALYARD_TRY(connection_.alive());
  const std::lock_guard lock(mutex_);
  HALYARD_TRY(connection_.alive());
  if (value <= timeline.promised()) return not_above(value, timeline.promised());
  HALYARD_TRY_ASSIGN(const std::uint64_t reached, timeline.value());
  if (reached < timeline.promised()) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("The value ", value,
                                    " cannot be signalled by the host while the device has yet to "
                                    "signal ",
                                    timeline.promised(), "."));
  }
  HALYARD_TRY(timeline.signal(value));
  timeline.promise(value);
  release_held();
  return base::ok();
}

void VulkanSubmitter::linger(std::vector<TimelinePoint>& waits) {
  if (waits.empty()) return;
  const std::lock_guard lock(mutex_);
  add_lingering(waits);
}

void VulkanSubmitter::add_lingering(std::vector<TimelinePoint>& waits) {
  for (TimelinePoint& point : waits)
    lingering_.push_back(std::move(point.timeline));
  waits.clear();
}

void VulkanSubmitter::adopt(SubmissionList submissions) {
  const std::lock_guard lock(mutex_);
  adopted_.push_back(std::move(submissions));
}

bool VulkanSubmitter::is_ready(const VulkanSubmission& submission) const {
  return std::all_of(
      submission.waits.begin(), submission.waits.end(),
      [](const TimelinePoint& point) { return point.value <= point.timeline->promised(); });
}

bool VulkanSubmitter::holds_of_same_queue(const VulkanSubmission& submission) const {
  for (const VulkanSubmission* held = held_front_; held != nullptr; held = held->next_held) {
    if (held->done.timeline.get() == submission.done.timeline.get()) return true;
  }
  return false;
}

void VulkanSubmitter::hold(VulkanSubmission& submission) {
  submission.next_held = nullptr;
  (held_front_ == nullptr ? held_front_ : held_back_->next_held) = &submission;
  held_back_ = &submission;
}

base::Status VulkanSubmitter::submit_now(VulkanSubmission& submission) {
  wait_semaphores_.clear();
  wait_values_.clear();
  signal_semaphores_.clear();
  signal_values_.clear();
  for (const TimelinePoint& point : submission.waits) {
    wait_semaphores_.push_back(point.timeline->handle());
    wait_values_.push_back(point.value);
  }
  wait_stages_.assign(wait_values_.size(), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  for (const TimelinePoint& point : submission.signals) {
    signal_semaphores_.push_back(point.timeline->handle());
    signal_values_.push_back(point.value);
  }
  signal_semaphores_.push_back(submission.done.timeline->handle());
  signal_values_.push_back(submission.done.value);

  VkTimelineSemaphoreSubmitInfo values{};
  values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  values.waitSemaphoreValueCount = static_cast<std::uint32_t>(wait_values_.size());
  values.pWaitSemaphoreValues = wait_values_.data();
  values.signalSemaphoreValueCount = static_cast<std::uint32_t>(signal_values_.size());
  values.pSignalSemaphoreValues = signal_values_.data();
  const VkCommandBuffer commands = submission.commands.handle();
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.pNext = &values;
  info.waitSemaphoreCount = values.waitSemaphoreValueCount;
  info.pWaitSemaphores = wait_semaphores_.data();
  info.pWaitDstStageMask = wait_stages_.data();
  info.commandBufferCount = submission.commands.command_count() == 0 ? 0 : 1;
  info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = values.signalSemaphoreValueCount;
  info.pSignalSemaphores = signal_semaphores_.data();
  HALYARD_TRY(connection_.check(
      connection_.api().vkQueueSubmit(connection_.queue(), 1, &info, VK_NULL_HANDLE),
      "vkQueueSubmit"));
  for (const TimelinePoint& point : submission.signals)
    point.timeline->promise(point.value);
  submission.done.timeline->promise(submission.done.value);
  return base::ok();
}

// Makes every submission that became ready, each queue's in order, until none is left. Its caller
// is not the one that asked for it, so a failure here can only be told by giving up the device.
void VulkanSubmitter::release_held() {
  bool has_progressed = true;
  while (std::exchange(has_progressed, false)) {
    VulkanSubmission* pending = std::exchange(held_front_, nullptr);
    held_back_ = nullptr;
    while (pending != nullptr) {
      VulkanSubmission& submission = *pending;
      pending = submission.next_held;
      if (!is_ready(submission) || holds_of_same_queue(submission)) {
        hold(submission);
        continue;
      }
      std::erase_if(submission.signals, [](const TimelinePoint& point) {
        return point.value <= point.timeline->promised();
      });
      const base::Status status = submit_now(submission);
      if (!status) connection_.lose(status.error().message());
      has_progressed = true;
    }
  }
}

void VulkanSubmitter::drop_finished() {
  for (auto it = adopted_.begin(); it != adopted_.end();) {
    while (!it->is_empty()) {
      const TimelinePoint& done = it->front()->done;
      const auto value = done.timeline->value();
      if (!value || *value < done.value) break;
      add_lingering(it->front()->waits);
      it->pop_front();
    }
    it = it->is_empty() ? adopted_.erase(it) : std::next(it);
  }
}

}  // namespace halyard::vulkan
