// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_device.h"
#include "backends/vulkan/vulkan_storage.h"
#include "runtime/core/buffer.h"

namespace halyard::vulkan {

class VulkanBuffer final : public core::Buffer {
 public:
  VulkanBuffer(VulkanDevice& device, VulkanOpenDevice& open, base::Ref<VulkanStorage> storage);

  // Null in a forked child too, to which a driver may not have given its mapping.
  std::byte* host_pointer() const override;
  VulkanStorage& storage() const { return *storage_; }

 private:
  base::Status read_device(std::uint64_t offset_bytes, std::span<std::byte> destination) override;
  base::Status write_device(std::uint64_t offset_bytes, std::span<const std::byte> source) override;

  VulkanOpenDevice& open_;
  base::Ref<VulkanStorage> storage_;
};

}  // namespace halyard::vulkan
