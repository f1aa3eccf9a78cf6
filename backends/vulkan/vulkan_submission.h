// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_command_buffer.h"
#include "backends/vulkan/vulkan_timeline.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace halyard::vulkan {

// Commands of one queue that begin and end together: what they wait for, and what they signal.
struct VulkanSubmission {
  explicit VulkanSubmission(VulkanCommandBuffer buffer) : commands(std::move(buffer)) {}

  VulkanCommandBuffer commands;
  std::vector<TimelinePoint> waits;
  std::vector<TimelinePoint> signals;
  TimelinePoint done;                      // of the queue's own timeline
  std::vector<std::uint32_t> host_stamps;  // timestamp slots noted by the host at the end
  std::unique_ptr<VulkanSubmission> next;  // in the list that owns both
  VulkanSubmission* next_held = nullptr;   // in the submitter's list
};

// Owned submissions, first in, first out. Adding one allocates nothing.
class SubmissionList {
 public:
  SubmissionList() = default;
  SubmissionList(SubmissionList&&) = default;
  SubmissionList& operator=(SubmissionList&&) = default;
  ~SubmissionList() { clear(); }

  bool is_empty() const { return front_ == nullptr; }
  VulkanSubmission* front() const { return front_.get(); }
  void push_back(std::unique_ptr<VulkanSubmission> submission) {
    VulkanSubmission* const added = submission.get();
    (front_ == nullptr ? front_ : back_->next) = std::move(submission);
    back_ = added;
  }
  std::unique_ptr<VulkanSubmission> pop_front() {
    std::unique_ptr<VulkanSubmission> popped = std::move(front_);
    front_ = std::move(popped->next);
    return popped;
  }
  void clear() {
    while (!is_empty())
      pop_front();
  }

 private:
  std::unique_ptr<VulkanSubmission> front_;
  VulkanSubmission* back_ = nullptr;  // valid while there is a front
};

}  // namespace halyard::vulkan
