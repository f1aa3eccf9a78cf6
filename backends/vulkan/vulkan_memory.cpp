// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_memory.h"

#include "backends/vulkan/vulkan_error.h"
#include "runtime/base/text.h"
#include "runtime/core/buffer.h"

#include <algorithm>
#include <utility>

namespace halyard::vulkan {
namespace {

constexpr std::uint64_t kBlockBytes = std::uint64_t{64} << 20;

constexpr VkMemoryPropertyFlags kHostBits =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
// Not for us: memory that needs other rules than plain buffers.
constexpr VkMemoryPropertyFlags kRefusedBits =
    VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |
    VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD;

// How well memory with `flags` suits `usage`; below zero where it does not serve.
int rate(VkMemoryPropertyFlags flags, std::uint32_t usage, bool is_unified) {
  const bool is_local = (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
  const bool is_visible = (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
  const bool is_coherent = (flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
  const bool is_cached = (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0;
  if ((flags & kRefusedBits) != 0 || (is_visible && !is_coherent)) return -1;
  const bool wants_read = (usage & core::kBufferUsageHostRead) != 0;
  const bool wants_write = (usage & core::kBufferUsageHostWrite) != 0;
  if (is_unified) return 8 * is_visible + 4 * is_local + 2 * is_cached;
  // A discrete device reads memory of the host over its bus, and the host reads memory of the
  // device uncached: each usage has its own best.
  if (wants_read) return 8 * (is_visible && is_cached) + 4 * is_local;
  if (wants_write) return 8 * is_local + 4 * is_visible;
  return 8 * is_local + 4 * !is_visible;
}

}  // namespace

MemoryBlock::MemoryBlock(MemoryHandle memory, std::uint32_t memory_type, std::uint64_t size)
    : handle(std::move(memory)),
      type(memory_type),
      size_bytes(size),
      free_list(size) {}

MemoryRange::MemoryRange(VulkanMemory& owner, MemoryBlock& block, std::uint64_t offset_bytes,
                         std::uint64_t size_bytes)
    : owner_(&owner),
      block_(&block),
      offset_bytes_(offset_bytes),
      size_bytes_(size_bytes) {}

MemoryRange::MemoryRange(MemoryRange&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)),
      block_(other.block_),
      offset_bytes_(other.offset_bytes_),
      size_bytes_(other.size_bytes_) {}

MemoryRange& MemoryRange::operator=(MemoryRange&& other) noexcept {
  std::swap(owner_, other.owner_);
  std::swap(block_, other.block_);
  std::swap(offset_bytes_, other.offset_bytes_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

MemoryRange::~MemoryRange() {
  if (owner_ != nullptr) owner_->give_back(*block_, offset_bytes_, size_bytes_);
}

std::byte* MemoryRange::host_pointer() const {
  return block_->host_pointer == nullptr ? nullptr : block_->host_pointer + offset_bytes_;
}

std::vector<std::uint32_t> preferred_memory_types(const VulkanTraits& traits,
                                                  std::uint32_t type_bits, std::uint32_t usage) {
  std::vector<std::pair<int, std::uint32_t>> rated;
  for (std::uint32_t i = 0; i < traits.memory.memoryTypeCount; ++i) {
    if ((type_bits >> i & 1U) == 0) continue;
    const int rating = rate(traits.memory.memoryTypes[i].propertyFlags, usage, traits.is_unified());
    if (rating >= 0) rated.emplace_back(-rating, i);
  }
  std::stable_sort(rated.begin(), rated.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::uint32_t> types;
  types.reserve(rated.size());
  for (const auto& [rating, type] : rated)
    types.push_back(type);
  return types;
}

VulkanMemory::VulkanMemory(VulkanConnection& connection) : connection_(connection) {}

VulkanMemory::~VulkanMemory() = default;

base::Result<MemoryRange> VulkanMemory::allocate(const VkMemoryRequirements& requirements,
                                                 std::span<const std::uint32_t> types) {
  base::Error error(
      base::ErrorCode::kOutOfMemory,
      base::concat("The device ", connection_.name(), " has no memory type for a buffer of ",
                   requirements.size, " bytes."));
  const std::lock_guard lock(mutex_);
  bool is_first = true;
  for (const std::uint32_t type : types) {
    auto range = allocate_in(requirements, type);
    if (range || range.error().code() != base::ErrorCode::kOutOfMemory) return range;
    if (std::exchange(is_first, false)) error = std::move(range.error());
  }
  return error;
}

base::Result<MemoryRange> VulkanMemory::allocate_in(const VkMemoryRequirements& requirements,
                                                    std::uint32_t type) {
  const std::uint64_t limit = connection_.traits().largest_allocation_bytes();
  if (requirements.size > limit) {
    return out_of_memory(requirements.size, type,
                         base::concat("one allocation holds ", limit, " bytes at most"));
  }
  const std::uint64_t block_bytes = block_size_bytes(type);
  const bool is_dedicated = requirements.size > block_bytes / 2;
  if (!is_dedicated) {
    for (const auto& block : blocks_) {
      if (block->type != type || block->size_bytes != block_bytes) continue;
      const auto offset = block->free_list.take(requirements.size, requirements.alignment);
      if (offset) return MemoryRange(*this, *block, *offset, requirements.size);
    }
  }
  auto added = add_block(type, is_dedicated ? requirements.size : block_bytes);
  if (!added && !is_dedicated) added = add_block(type, requirements.size);
  HALYARD_TRY_ASSIGN(MemoryBlock * block, std::move(added));
  const std::uint64_t offset =
      block->free_list.take(requirements.size, requirements.alignment).value_or(0);
  return MemoryRange(*this, *block, offset, requirements.size);
}

base::Result<MemoryBlock*> VulkanMemory::add_block(std::uint32_t type, std::uint64_t size_bytes) {
  const VulkanTraits& traits = connection_.traits();
  const std::uint32_t count_limit = traits.properties.limits.maxMemoryAllocationCount;
  if (blocks_.size() >= count_limit) {
    return out_of_memory(size_bytes, type,
                         base::concat("the driver allows ", count_limit, " allocations"));
  }
  std::uint64_t& used = heap_used_bytes_[heap_of(type)];
  const std::uint64_t heap_bytes = traits.memory.memoryHeaps[heap_of(type)].size;
  if (size_bytes > heap_bytes || used > heap_bytes - size_bytes) {
    return out_of_memory(size_bytes, type, "the heap is too small");
  }
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  if (connection_.has_device_addresses()) info.pNext = &flags;
  info.allocationSize = size_bytes;
  info.memoryTypeIndex = type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  const DeviceApi& api = connection_.api();
  VkResult result = api.vkAllocateMemory(connection_.device(), &info, nullptr, &memory);
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
    return out_of_memory(size_bytes, type,
                         base::concat("vkAllocateMemory answers ", result_name(result)));
  }
  HALYARD_TRY(connection_.check(result, "vkAllocateMemory"));
  auto block = std::make_unique<MemoryBlock>(MemoryHandle(connection_, memory), type, size_bytes);
  if ((traits.memory.memoryTypes[type].propertyFlags & kHostBits) == kHostBits) {
    void* host = nullptr;
    result = api.vkMapMemory(connection_.device(), memory, 0, VK_WHOLE_SIZE, 0, &host);
    HALYARD_TRY(connection_.check(result, "vkMapMemory"));
    block->host_pointer = static_cast<std::byte*>(host);
  }
  used += size_bytes;
  blocks_.push_back(std::move(block));
  return blocks_.back().get();
}

base::Error VulkanMemory::out_of_memory(std::uint64_t size_bytes, std::uint32_t type,
                                        std::string_view why) const {
  const std::uint32_t heap = heap_of(type);
  return base::Error(
      base::ErrorCode::kOutOfMemory,
      base::concat("The device ", connection_.name(), " has no room for ", size_bytes,
                   " bytes: ", why, " (heap ", heap, ": ", heap_used_bytes_[heap], " of ",
                   connection_.traits().memory.memoryHeaps[heap].size, " bytes in use in ",
                   blocks_.size(), " allocations)."));
}

std::uint64_t VulkanMemory::block_size_bytes(std::uint32_t type) const {
  const VulkanTraits& traits = connection_.traits();
  const std::uint64_t heap_bytes = traits.memory.memoryHeaps[heap_of(type)].size;
  return std::min({kBlockBytes, heap_bytes / 8, traits.largest_allocation_bytes()});
}

std::uint32_t VulkanMemory::heap_of(std::uint32_t type) const {
  return connection_.traits().memory.memoryTypes[type].heapIndex;
}

void VulkanMemory::give_back(MemoryBlock& block, std::uint64_t offset_bytes,
                             std::uint64_t size_bytes) {
  if (connection_.in_child()) return;
  const std::lock_guard lock(mutex_);
  block.free_list.give_back(offset_bytes, size_bytes);
  if (!block.free_list.is_all_free()) return;
  // One free block of each type stays, so that a buffer made again and again costs no driver call.
  const bool is_shared = block.size_bytes == block_size_bytes(block.type);
  const bool has_other = std::any_of(blocks_.begin(), blocks_.end(), [&](const auto& other) {
    return other.get() != &block && other->type == block.type &&
           other->size_bytes == block.size_bytes && other->free_list.is_all_free();
  });
  if (is_shared && !has_other) return;
  heap_used_bytes_[heap_of(block.type)] -= block.size_bytes;
  std::erase_if(blocks_, [&](const auto& other) { return other.get() == &block; });
}

std::size_t VulkanMemory::block_count() const {
  const std::lock_guard lock(mutex_);
  return blocks_.size();
}

}  // namespace halyard::vulkan
