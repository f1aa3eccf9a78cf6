// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_connection.h"
#include "backends/vulkan/vulkan_free_list.h"
#include "backends/vulkan/vulkan_handle.h"
#include "runtime/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace halyard::vulkan {

class VulkanMemory;

// One VkDeviceMemory, mapped for its life where the host can see it.
struct MemoryBlock {
  MemoryBlock(MemoryHandle memory, std::uint32_t memory_type, std::uint64_t size);

  MemoryHandle handle;
  std::uint32_t type;
  std::uint64_t size_bytes;
  std::byte* host_pointer = nullptr;
  FreeList free_list;
};

// A range of device memory, given back when this ends.
class MemoryRange {
 public:
  MemoryRange() = default;
  MemoryRange(VulkanMemory& owner, MemoryBlock& block, std::uint64_t offset_bytes,
              std::uint64_t size_bytes);
  MemoryRange(MemoryRange&& other) noexcept;
  MemoryRange& operator=(MemoryRange&& other) noexcept;
  ~MemoryRange();

  VkDeviceMemory memory() const { return block_->handle.get(); }
  std::uint64_t offset_bytes() const { return offset_bytes_; }
  // Null where the host cannot see the memory.
  std::byte* host_pointer() const;

 private:
  VulkanMemory* owner_ = nullptr;
  MemoryBlock* block_ = nullptr;
  std::uint64_t offset_bytes_ = 0;
  std::uint64_t size_bytes_ = 0;
};

// The memory types among `type_bits` that buffers of `usage` (core::BufferUsage bits) may lie in,
// best first. Those the host sees are coherent.
std::vector<std::uint32_t> preferred_memory_types(const VulkanTraits& traits,
                                                  std::uint32_t type_bits, std::uint32_t usage);

// The device memory of one device: small ranges share blocks, large ones have their own.
// Threads: any number at once.
class VulkanMemory {
 public:
  // `connection` is borrowed and outlives this.
  explicit VulkanMemory(VulkanConnection& connection);
  ~VulkanMemory();
  VulkanMemory(const VulkanMemory&) = delete;
  VulkanMemory& operator=(const VulkanMemory&) = delete;

  // Takes from the first of `types` with room. OUT_OF_MEMORY says what is in use.
  base::Result<MemoryRange> allocate(const VkMemoryRequirements& requirements,
                                     std::span<const std::uint32_t> types);

  std::size_t block_count() const;

 private:
  friend class MemoryRange;

  base::Result<MemoryRange> allocate_in(const VkMemoryRequirements& requirements,
                                        std::uint32_t type);
  base::Result<MemoryBlock*> add_block(std::uint32_t type, std::uint64_t size_bytes);
  base::Error out_of_memory(std::uint64_t size_bytes, std::uint32_t type,
                            std::string_view why) const;
  std::uint64_t block_size_bytes(std::uint32_t type) const;
  std::uint32_t heap_of(std::uint32_t type) const;
  void give_back(MemoryBlock& block, std::uint64_t offset_bytes, std::uint64_t size_bytes);

  VulkanConnection& connection_;
  mutable std::mutex mutex_;  // guards all below
  std::vector<std::unique_ptr<MemoryBlock>> blocks_;
  std::array<std::uint64_t, VK_MAX_MEMORY_HEAPS> heap_used_bytes_{};
};

}  // namespace halyard::vulkan
