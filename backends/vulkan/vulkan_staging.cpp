// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_staging.h"

#include "runtime/core/buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace halyard::vulkan {

VulkanStaging::VulkanStaging(const CommandContext& context, VulkanMemory& memory,
                             VulkanSubmitter& submitter)
    : context_(context),
      memory_(memory),
      submitter_(submitter) {}

VulkanStaging::~VulkanStaging() {
  for (Chunk& chunk : chunks_)
    static_cast<void>(wait(chunk).has_value());
}

base::Status VulkanStaging::prepare() {
  if (timeline_) return base::ok();
  for (Chunk& chunk : chunks_) {
    HALYARD_TRY_ASSIGN(chunk.storage,
                       VulkanStorage::create(context_.connection, memory_, kChunkBytes,
                                             core::kBufferUsageHostRead));
    HALYARD_TRY_ASSIGN(VulkanCommandBuffer commands,
                       VulkanCommandBuffer::create(context_, VK_COMMAND_BUFFER_LEVEL_PRIMARY));
    chunk.submission = std::make_unique<VulkanSubmission>(std::move(commands));
  }
  HALYARD_TRY_ASSIGN(timeline_, VulkanTimeline::create(context_.connection, 0));
  return base::ok();
}

base::Status VulkanStaging::wait(Chunk& chunk) {
  if (chunk.pending_value == 0) return base::ok();
  HALYARD_TRY(timeline_->wait(chunk.pending_value, std::nullopt, "A staged copy"));
  chunk.pending_value = 0;
  return chunk.submission->commands.reset();
}

base::Status VulkanStaging::submit(Chunk& chunk,
                                   const std::function<void(VulkanCommandBuffer&)>& encode) {
  VulkanSubmission& submission = *chunk.submission;
  const auto hand_on = [&]() -> base::Status {
    HALYARD_TRY(submission.commands.begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
    encode(submission.commands);
    HALYARD_TRY(submission.commands.end());
    submission.done = {timeline_, last_value_ + 1};
    return submitter_.submit(submission);
  };
  base::Status status = hand_on();
  if (status) {
    chunk.pending_value = ++last_value_;
  } else {
    static_cast<void>(submission.commands.reset().has_value());
  }
  return status;
}

base::Status VulkanStaging::write(VulkanStorage& destination, std::uint64_t offset_bytes,
                                  std::span<const std::byte> source) {
  HALYARD_TRY(context_.connection.alive());
  const std::lock_guard lock(mutex_);
  HALYARD_TRY(prepare());
  std::size_t turn = 0;
  for (std::uint64_t at = 0; at < source.size(); at += kChunkBytes) {
    Chunk& chunk = chunks_[turn++ % chunks_.size()];
    HALYARD_TRY(wait(chunk));
    const auto part = source.subspan(at, std::min(kChunkBytes, source.size() - at));
    std::memcpy(chunk.storage->host_pointer(), part.data(), part.size());
    HALYARD_TRY(submit(chunk, [&](VulkanCommandBuffer& commands) {
      commands.copy(*chunk.storage, 0, destination, offset_bytes + at, part.size());
    }));
  }
  for (Chunk& chunk : chunks_)
    HALYARD_TRY(wait(chunk));
  return base::ok();
}

base::Status VulkanStaging::read(VulkanStorage& source, std::uint64_t offset_bytes,
                                 std::span<std::byte> destination) {
  HALYARD_TRY(context_.connection.alive());
  const std::lock_guard lock(mutex_);
  HALYARD_TRY(prepare());
  const auto part_at = [&](std::uint64_t at) {
    return destination.subspan(at, std::min(kChunkBytes, destination.size() - at));
  };
  const auto request = [&](std::uint64_t at) -> base::Status {
    Chunk& chunk = chunks_[at / kChunkBytes % chunks_.size()];
    HALYARD_TRY(wait(chunk));
    return submit(chunk, [&](VulkanCommandBuffer& commands) {
      commands.copy(source, offset_bytes + at, *chunk.storage, 0, part_at(at).size());
    });
  };
  HALYARD_TRY(request(0));
  for (std::uint64_t at = 0; at < destination.size(); at += kChunkBytes) {
    if (at + kChunkBytes < destination.size()) HALYARD_TRY(request(at + kChunkBytes));
    Chunk& chunk = chunks_[at / kChunkBytes % chunks_.size()];
    HALYARD_TRY(wait(chunk));
    const auto part = part_at(at);
    std::memcpy(part.data(), chunk.storage->host_pointer(), part.size());
  }
  return base::ok();
}

}  // namespace halyard::vulkan
