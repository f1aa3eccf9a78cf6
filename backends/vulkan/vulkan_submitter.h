// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_submission.h"

#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

namespace halyard::vulkan {

// The one VkQueue of a device, shared by all its queues. A submission whose waits nothing yet
// promises to end is held back on the host: on one VkQueue it would block the very submission
// that ends them.
// Threads: any number at once.
class VulkanSubmitter {
 public:
  // `connection` is borrowed and outlives this.
  explicit VulkanSubmitter(VulkanConnection& connection);
  // Waits for all that the driver was given; what is still held back is dropped.
  ~VulkanSubmitter();
  VulkanSubmitter(const VulkanSubmitter&) = delete;
  VulkanSubmitter& operator=(const VulkanSubmitter&) = delete;

  // Hands `submission` to the driver in the order of its queue, now or once its waits are
  // promised. It stays where it is until its `done` is reached. INVALID_ARGUMENT when it would
  // signal a value that is promised already; it then never runs.
  base::Status submit(VulkanSubmission& submission);

  // Raises a timeline from the host, and hands on what waited for it.
  base::Status signal(VulkanTimeline& timeline, std::uint64_t value);

  // Keeps what an ended submission has waited for until a later one has ended, and leaves `waits`
  // empty: a driver's thread may still touch a semaphore right after the wait's submission is done
  // (seen in lavapipe of Mesa 22.3, which then uses freed memory).
  void linger(std::vector<TimelinePoint>& waits);

  // Owns what a queue leaves unfinished when it ends.
  void adopt(SubmissionList submissions);

 private:
  bool is_ready(const VulkanSubmission& submission) const;
  bool holds_of_same_queue(const VulkanSubmission& submission) const;
  void hold(VulkanSubmission& submission);
  base::Status submit_now(VulkanSubmission& submission);
  void release_held();
  void drop_finished();
  void add_lingering(std::vector<TimelinePoint>& waits);

  VulkanConnection& connection_;
  std::mutex mutex_;  // guards the VkQueue, every promise, and all below
  VulkanSubmission* held_front_ = nullptr;
  VulkanSubmission* held_back_ = nullptr;
  std::list<SubmissionList> adopted_;
  std::vector<base::Ref<VulkanTimeline>> lingering_;
  std::vector<VkSemaphore> wait_semaphores_;
  std::vector<std::uint64_t> wait_values_;
  std::vector<VkPipelineStageFlags> wait_stages_;
  std::vector<VkSemaphore> signal_semaphores_;
  std::vector<std::uint64_t> signal_values_;
};

}  // namespace halyard::vulkan
