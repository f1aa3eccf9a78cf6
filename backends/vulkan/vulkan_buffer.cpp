// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_buffer.h"

#include <utility>

namespace halyard::vulkan {

VulkanBuffer::VulkanBuffer(VulkanDevice& device, VulkanOpenDevice& open,
                           base::Ref<VulkanStorage> storage)
    : core::Buffer(device, storage->size_bytes()),
      open_(open),
      storage_(std::move(storage)) {}

std::byte* VulkanBuffer::host_pointer() const {
  return open_.connection().in_child() ? nullptr : storage_->host_pointer();
}

base::Status VulkanBuffer::read_device(std::uint64_t offset_bytes,
                                       std::span<std::byte> destination) {
  return open_.staging().read(*storage_, offset_bytes, destination);
}

base::Status VulkanBuffer::write_device(std::uint64_t offset_bytes,
                                        std::span<const std::byte> source) {
  return open_.staging().write(*storage_, offset_bytes, source);
}

}  // namespace halyard::vulkan
