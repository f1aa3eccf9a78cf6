// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_queue.h"

#include "backends/vulkan/vulkan_buffer.h"
#include "backends/vulkan/vulkan_recording.h"
#include "backends/vulkan/vulkan_semaphore.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::vulkan {
namespace {

constexpr std::uint32_t kLongSubmission = 1024;

}  // namespace

VulkanQueue::VulkanQueue(VulkanDevice& device, VulkanOpenDevice& open,
                         base::Ref<VulkanTimeline> timeline, VulkanTimestamps timestamps)
    : core::Queue(device),
      open_(open),
      timeline_(std::move(timeline)),
      timestamps_(std::move(timestamps)) {}

base::Result<base::Ref<VulkanQueue>> VulkanQueue::create(VulkanDevice& device,
                                                         VulkanOpenDevice& open) {
  HALYARD_TRY_ASSIGN(base::Ref<VulkanTimeline> timeline,
                     VulkanTimeline::create(open.connection(), 0));
  HALYARD_TRY_ASSIGN(VulkanTimestamps timestamps, VulkanTimestamps::create(open.connection()));
  return base::Ref<VulkanQueue>::adopt(
      new VulkanQueue(device, open, std::move(timeline), std::move(timestamps)));
}

VulkanQueue::~VulkanQueue() {
  if (open_.connection().in_child()) return;
  // Nobody is left to be told of a failure.
  static_cast<void>(submit_current().has_value());
  if (retire() && in_flight_.is_empty()) return;
  open_.submitter().adopt(std::move(in_flight_));
}

base::Status VulkanQueue::dispatch(const core::Dispatch& dispatch) {
  const bool is_open = current_ != nullptr && current_->commands.is_open();
  if (!is_open || !open_.connection().is_usable()) {
    const auto buffer = commands();
    if (!buffer) return buffer.error();
  }
  base::Status status = current_->commands.dispatch(device(), dispatch);
  if (current_->commands.command_count() < kLongSubmission || !status) return status;
  return submit_current();
}

base::Status VulkanQueue::copy(core::Buffer& source, std::uint64_t source_offset,
                               core::Buffer& destination, std::uint64_t destination_offset,
                               std::uint64_t length_bytes) {
  HALYARD_TRY(check_owner(device(), source.device(), "The source of the copy"));
  HALYARD_TRY(check_owner(device(), destination.device(), "The destination of the copy"));
  if (length_bytes == 0) return open_.connection().alive();
  HALYARD_TRY_ASSIGN(VulkanCommandBuffer * buffer, commands());
  buffer->copy(static_cast<VulkanBuffer&>(source).storage(), source_offset,
               static_cast<VulkanBuffer&>(destination).storage(), destination_offset, length_bytes);
  return finish_command();
}

base::Status VulkanQueue::fill(core::Buffer& target, std::uint64_t offset_bytes,
                               std::uint64_t length_bytes, std::uint32_t pattern) {
  HALYARD_TRY(check_owner(device(), target.device(), "The buffer to fill"));
  if (length_bytes == 0) return open_.connection().alive();
  HALYARD_TRY_ASSIGN(VulkanCommandBuffer * buffer, commands());
  buffer->fill(static_cast<VulkanBuffer&>(target).storage(), offset_bytes, length_bytes, pattern);
  return finish_command();
}

base::Status VulkanQueue::replay(core::Recording& recording) {
  HALYARD_TRY(check_owner(device(), recording.device(), "The recording"));
  HALYARD_TRY_ASSIGN(VulkanCommandBuffer * buffer, commands());
  buffer->execute(static_cast<VulkanRecording&>(recording).commands());
  return finish_command();
}

base::Status VulkanQueue::wait(core::Semaphore& semaphore, std::uint64_t value) {
  HALYARD_TRY(check_owner(device(), semaphore.device(), "The semaphore"));
  HALYARD_TRY(open_.connection().alive());
  if (current_ != nullptr && current_->commands.command_count() != 0) {
    HALYARD_TRY(submit_current());
  }
  HALYARD_TRY_ASSIGN(VulkanSubmission * submission, current());
  submission->waits.push_back({static_cast<VulkanSemaphore&>(semaphore).timeline(), value});
  return base::ok();
}

base::Status VulkanQueue::signal(core::Semaphore& semaphore, std::uint64_t value) {
  HALYARD_TRY(check_owner(device(), semaphore.device(), "The semaphore"));
  HALYARD_TRY(open_.connection().alive());
  const base::Ref<VulkanTimeline>& timeline = static_cast<VulkanSemaphore&>(semaphore).timeline();
  if (value <= timeline->promised()) {
    return base::Error(
        base::ErrorCode::kInvalidArgument,
        base::concat("The value ", value, " of a signal is not above ", timeline->promised(),
                     ", which the semaphore has or is about to take."));
  }
  HALYARD_TRY_ASSIGN(VulkanSubmission * submission, current());
  submission->signals.push_back({timeline, value});
  return submit_current();
}

base::Status VulkanQueue::flush() {
  HALYARD_TRY(open_.connection().alive());
  return submit_current();
}

base::Status VulkanQueue::synchronize(std::chrono::nanoseconds timeout) {
  const auto deadline = deadline_after(timeout);
  HALYARD_TRY(flush());
  for (VulkanSubmission* submission = in_flight_.front(); submission != nullptr;
       submission = submission->next.get()) {
    if (submission->host_stamps.empty()) continue;
    HALYARD_TRY(timeline_->wait(submission->done.value, deadline, "The work of a queue"));
    note_stamps(*submission);
  }
  HALYARD_TRY(timeline_->wait(submitted_value_, deadline, "The work of a queue"));
  return retire();
}

base::Status VulkanQueue::write_timestamp(std::uint32_t slot) {
  if (slot >= core::kTimestampSlots) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("Timestamp slot ", slot, " is past the last (",
                                    core::kTimestampSlots - 1, ")."));
  }
  HALYARD_TRY(open_.connection().alive());
  if (timestamps_.clock() == core::Clock::kHost) {
    HALYARD_TRY_ASSIGN(VulkanSubmission * submission, current());
    submission->host_stamps.push_back(slot);
    timestamps_.expect(slot);
    return submit_current();
  }
  HALYARD_TRY_ASSIGN(VulkanCommandBuffer * buffer, commands());
  buffer->write_timestamp(timestamps_.pool(), slot);
  timestamps_.expect(slot);
  return finish_command();
}

base::Result<std::uint64_t> VulkanQueue::read_timestamp(std::uint32_t slot) {
  HALYARD_TRY(open_.connection().alive());
  return timestamps_.read(slot);
}

base::Result<VulkanSubmission*> VulkanQueue::current() {
  if (current_ != nullptr) return current_.get();
  if (!spare_.is_empty()) {
    current_ = spare_.pop_front();
  } else {
    HALYARD_TRY_ASSIGN(
        VulkanCommandBuffer buffer,
        VulkanCommandBuffer::create(open_.command_context(), VK_COMMAND_BUFFER_LEVEL_PRIMARY));
    current_ = std::make_unique<VulkanSubmission>(std::move(buffer));
  }
  return current_.get();
}

base::Result<VulkanCommandBuffer*> VulkanQueue::commands() {
  HALYARD_TRY(open_.connection().alive());
  HALYARD_TRY_ASSIGN(VulkanSubmission * submission, current());
  VulkanCommandBuffer& buffer = submission->commands;
  if (!buffer.is_open()) HALYARD_TRY(buffer.begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
  return &buffer;
}

base::Status VulkanQueue::finish_command() {
  if (current_->commands.command_count() < kLongSubmission) return base::ok();
  return submit_current();
}

base::Status VulkanQueue::submit_current() {
  if (current_ == nullptr) return base::ok();
  std::unique_ptr<VulkanSubmission> submission = std::move(current_);
  if (submission->commands.is_open()) HALYARD_TRY(submission->commands.end());
  submission->done = {timeline_, ++last_value_};
  base::Status status = open_.submitter().submit(*submission);
  if (!status) {
    recycle(std::move(submission));
    return status;
  }
  submitted_value_ = last_value_;
  in_flight_.push_back(std::move(submission));
  return retire();
}

base::Status VulkanQueue::retire() {
  if (in_flight_.is_empty()) return base::ok();
  HALYARD_TRY_ASSIGN(const std::uint64_t reached, timeline_->value());
  while (!in_flight_.is_empty() && in_flight_.front()->done.value <= reached) {
    std::unique_ptr<VulkanSubmission> finished = in_flight_.pop_front();
    note_stamps(*finished);
    open_.submitter().linger(finished->waits);
    recycle(std::move(finished));
  }
  return base::ok();
}

void VulkanQueue::recycle(std::unique_ptr<VulkanSubmission> submission) {
  submission->waits.clear();
  submission->signals.clear();
  submission->host_stamps.clear();
  submission->done = {};
  if (submission->commands.reset()) spare_.push_back(std::move(submission));
}

void VulkanQueue::note_stamps(VulkanSubmission& submission) {
  for (const std::uint32_t slot : submission.host_stamps)
    timestamps_.note_now(slot);
  submission.host_stamps.clear();
}

}  // namespace halyard::vulkan
