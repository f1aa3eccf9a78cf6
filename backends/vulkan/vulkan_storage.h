// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_handle.h"
#include "backends/vulkan/vulkan_kept_object.h"
#include "backends/vulkan/vulkan_memory.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>

namespace halyard::vulkan {

// One VkBuffer and the memory behind it. Holds no device, so that work in flight does not keep
// its device alive. Immutable.
class VulkanStorage final : public KeptObject {
 public:
  static base::Result<base::Ref<VulkanStorage>> create(VulkanConnection& connection,
                                                       VulkanMemory& memory,
                                                       std::uint64_t size_bytes,
                                                       std::uint32_t usage);
  // Over memory of the host, which outlives this. UNSUPPORTED where the device cannot, or where
  // address or size do not fit its alignment.
  static base::Result<base::Ref<VulkanStorage>> import_host(VulkanConnection& connection,
                                                            void* data, std::uint64_t size_bytes);

  VkBuffer handle() const { return buffer_.get(); }
  std::uint64_t size_bytes() const { return size_bytes_; }
  // Zero where the device has no addresses.
  VkDeviceAddress device_address() const { return device_address_; }
  // Null where the host cannot see the memory.
  std::byte* host_pointer() const { return host_pointer_; }

 private:
  VulkanStorage() = default;

  void find_address(const VulkanConnection& connection);

  MemoryRange range_;      // of our own memory
  MemoryHandle imported_;  // of the host's
  BufferHandle buffer_;
  std::uint64_t size_bytes_ = 0;
  VkDeviceAddress device_address_ = 0;
  std::byte* host_pointer_ = nullptr;
};

}  // namespace halyard::vulkan
