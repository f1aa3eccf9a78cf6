// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_storage.h"
#include "backends/vulkan/vulkan_submission.h"
#include "backends/vulkan/vulkan_submitter.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

namespace halyard::vulkan {

// Copies between the host and memory that only the device sees, through a ring of two chunks that
// both see: while the device copies one, the host copies the other.
// Threads: any number at once; they take turns.
class VulkanStaging {
 public:
  static constexpr std::uint64_t kChunkBytes = std::uint64_t{4} << 20;

  // What `context` refers to, `memory` and `submitter` are borrowed and outlive this.
  VulkanStaging(const CommandContext& context, VulkanMemory& memory, VulkanSubmitter& submitter);
  // Waits for its own copies, which end at once.
  ~VulkanStaging();
  VulkanStaging(const VulkanStaging&) = delete;
  VulkanStaging& operator=(const VulkanStaging&) = delete;

  // Return once the bytes have arrived.
  base::Status write(VulkanStorage& destination, std::uint64_t offset_bytes,
                     std::span<const std::byte> source);
  base::Status read(VulkanStorage& source, std::uint64_t offset_bytes,
                    std::span<std::byte> destination);

 private:
  struct Chunk {
    base::Ref<VulkanStorage> storage;
    std::unique_ptr<VulkanSubmission> submission;
    std::uint64_t pending_value = 0;  // of timeline_; 0 when the chunk is free
  };

  base::Status prepare();
  base::Status wait(Chunk& chunk);
  // Submits what `encode` adds to the chunk's commands, once they are free.
  base::Status submit(Chunk& chunk, const std::function<void(VulkanCommandBuffer&)>& encode);

  CommandContext context_;
  VulkanMemory& memory_;
  VulkanSubmitter& submitter_;
  std::mutex mutex_;  // guards all below
  base::Ref<VulkanTimeline> timeline_;
  std::uint64_t last_value_ = 0;
  std::array<Chunk, 2> chunks_;
};

}  // namespace halyard::vulkan
