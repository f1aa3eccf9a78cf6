// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_device.h"
#include "backends/vulkan/vulkan_submission.h"
#include "backends/vulkan/vulkan_timestamps.h"
#include "runtime/core/queue.h"

#include <cstdint>
#include <memory>

namespace halyard::vulkan {

// A stream of submissions to the device's one VkQueue, each of which ends by raising the queue's
// own timeline by one.
class VulkanQueue final : public core::Queue {
 public:
  static base::Result<base::Ref<VulkanQueue>> create(VulkanDevice& device, VulkanOpenDevice& open);
  // Flushes, and leaves unfinished work to the device.
  ~VulkanQueue() override;

  base::Status dispatch(const core::Dispatch& dispatch) override;
  base::Status copy(core::Buffer& source, std::uint64_t source_offset, core::Buffer& destination,
                    std::uint64_t destination_offset, std::uint64_t length_bytes) override;
  base::Status fill(core::Buffer& buffer, std::uint64_t offset_bytes, std::uint64_t length_bytes,
                    std::uint32_t pattern) override;
  base::Status replay(core::Recording& recording) override;

  base::Status wait(core::Semaphore& semaphore, std::uint64_t value) override;
  base::Status signal(core::Semaphore& semaphore, std::uint64_t value) override;
  base::Status flush() override;
  base::Status synchronize(std::chrono::nanoseconds timeout) override;

  base::Status write_timestamp(std::uint32_t slot) override;
  base::Result<std::uint64_t> read_timestamp(std::uint32_t slot) override;
  core::Clock timestamp_clock() const override { return timestamps_.clock(); }

 private:
  VulkanQueue(VulkanDevice& device, VulkanOpenDevice& open, base::Ref<VulkanTimeline> timeline,
              VulkanTimestamps timestamps);

  // The submission that collects commands, made if there is none.
  base::Result<VulkanSubmission*> current();
  // Its commands, ready to take one more.
  base::Result<VulkanCommandBuffer*> commands();
  // After a command: a long submission is handed on, so that the device starts early.
  base::Status finish_command();
  base::Status submit_current();
  base::Status retire();
  void recycle(std::unique_ptr<VulkanSubmission> submission);
  void note_stamps(VulkanSubmission& submission);

  VulkanOpenDevice& open_;
  base::Ref<VulkanTimeline> timeline_;
  VulkanTimestamps timestamps_;
  std::unique_ptr<VulkanSubmission> current_;
  SubmissionList in_flight_;
  SubmissionList spare_;
  std::uint64_t last_value_ = 0;       // of the last submission tried
  std::uint64_t submitted_value_ = 0;  // of the last one that was accepted
};

}  // namespace halyard::vulkan
