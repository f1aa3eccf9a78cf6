// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_storage.h"

#include "runtime/base/text.h"

#include <unistd.h>

#include <utility>

namespace halyard::vulkan {
namespace {

constexpr auto kImportedHostMemory = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

base::Result<BufferHandle> create_buffer(VulkanConnection& connection, std::uint64_t size_bytes,
                                         const void* chain) {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.pNext = chain;
  info.size = size_bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (connection.has_device_addresses()) {
    info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  }
  VkBuffer buffer = VK_NULL_HANDLE;
  HALYARD_TRY(connection.check(
      connection.api().vkCreateBuffer(connection.device(), &info, nullptr, &buffer),
      "vkCreateBuffer"));
  return BufferHandle(connection, buffer);
}

VkMemoryRequirements requirements_of(const VulkanConnection& connection,
                                     const BufferHandle& buffer) {
  VkMemoryRequirements requirements{};
  connection.api().vkGetBufferMemoryRequirements(connection.device(), buffer.get(), &requirements);
  return requirements;
}

base::Error unsupported(std::string message) {
  return base::Error(base::ErrorCode::kUnsupported, std::move(message));
}

// The bytes to import for `size_bytes` at `data`: whole units of the driver's alignment. The last
// unit may reach past the caller's bytes only within one page, which is then present.
base::Result<std::uint64_t> imported_size(const VulkanConnection& connection, const void* data,
                                          std::uint64_t size_bytes) {
  if (connection.api().vkGetMemoryHostPointerPropertiesEXT == nullptr) {
    return unsupported(base::concat("The driver of ", connection.name(), " has no ",
                                    VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME,
                                    " and cannot use host memory in place."));
  }
  const std::uint64_t alignment = connection.traits().external_host.minImportedHostPointerAlignment;
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  if (address % alignment != 0) {
    return unsupported(base::concat("The address ", address,
                                    " of host memory is not a multiple of ", alignment, ", which ",
                                    connection.name(), " needs."));
  }
  const std::uint64_t excess = size_bytes % alignment;
  if (excess == 0) return size_bytes;
  if (alignment > static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))) {
    return unsupported(base::concat("The size of host memory (", size_bytes,
                                    " bytes) is not a multiple of ", alignment, ", which ",
                                    connection.name(), " needs."));
  }
  return size_bytes - excess + alignment;
}

}  // namespace

base::Result<base::Ref<VulkanStorage>> VulkanStorage::create(VulkanConnection& connection,
                                                             VulkanMemory& memory,
                                                             std::uint64_t size_bytes,
                                                             std::uint32_t usage) {
  const std::uint64_t limit = connection.traits().largest_allocation_bytes();
  if (size_bytes > limit) {
    return base::Error(base::ErrorCode::kOutOfMemory,
                       base::concat("A buffer of ", size_bytes, " bytes is larger than ",
                                    connection.name(), " allocates at once (", limit, " bytes)."));
  }
  auto storage = base::Ref<VulkanStorage>::adopt(new VulkanStorage());
  storage->size_bytes_ = size_bytes;
  HALYARD_TRY_ASSIGN(storage->buffer_, create_buffer(connection, size_bytes, nullptr));
  const VkMemoryRequirements requirements = requirements_of(connection, storage->buffer_);
  HALYARD_TRY_ASSIGN(
      storage->range_,
      memory.allocate(requirements, preferred_memory_types(connection.traits(),
                                                           requirements.memoryTypeBits, usage)));
  HALYARD_TRY(connection.check(
      connection.api().vkBindBufferMemory(connection.device(), storage->buffer_.get(),
                                          storage->range_.memory(), storage->range_.offset_bytes()),
      "vkBindBufferMemory"));
  storage->host_pointer_ = storage->range_.host_pointer();
  storage->find_address(connection);
  return storage;
}

base::Result<base::Ref<VulkanStorage>> VulkanStorage::import_host(VulkanConnection& connection,
                                                                  void* data,
                                                                  std::uint64_t size_bytes) {
  HALYARD_TRY_ASSIGN(const std::uint64_t imported_bytes,
                     imported_size(connection, data, size_bytes));
  VkMemoryHostPointerPropertiesEXT pointer{};
  pointer.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT;
  HALYARD_TRY(connection.check(connection.api().vkGetMemoryHostPointerPropertiesEXT(
                                   connection.device(), kImportedHostMemory, data, &pointer),
                               "vkGetMemoryHostPointerPropertiesEXT"));
  auto storage = base::Ref<VulkanStorage>::adopt(new VulkanStorage());
  storage->size_bytes_ = size_bytes;
  VkExternalMemoryBufferCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  external.handleTypes = kImportedHostMemory;
  HALYARD_TRY_ASSIGN(storage->buffer_, create_buffer(connection, size_bytes, &external));
  const std::uint32_t type_bits =
      requirements_of(connection, storage->buffer_).memoryTypeBits & pointer.memoryTypeBits;
  std::optional<std::uint32_t> type;
  for (const std::uint32_t candidate : preferred_memory_types(connection.traits(), type_bits, 0)) {
    const auto flags = connection.traits().memory.memoryTypes[candidate].propertyFlags;
    if (!type && (flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0) type = candidate;
  }
  if (!type) {
    return unsupported(base::concat("The device ", connection.name(),
                                    " has no coherent memory type for this host memory."));
  }
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkImportMemoryHostPointerInfoEXT import{};
  import.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT;
  if (connection.has_device_addresses()) import.pNext = &flags;
  import.handleType = kImportedHostMemory;
  import.pHostPointer = data;
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.pNext = &import;
  info.allocationSize = imported_bytes;
  info.memoryTypeIndex = *type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  HALYARD_TRY(connection.check(
      connection.api().vkAllocateMemory(connection.device(), &info, nullptr, &memory),
      "vkAllocateMemory"));
  storage->imported_ = MemoryHandle(connection, memory);
  HALYARD_TRY(connection.check(
      connection.api().vkBindBufferMemory(connection.device(), storage->buffer_.get(), memory, 0),
      "vkBindBufferMemory"));
  storage->host_pointer_ = static_cast<std::byte*>(data);
  storage->find_address(connection);
  return storage;
}

void VulkanStorage::find_address(const VulkanConnection& connection) {
  if (!connection.has_device_addresses()) return;
  VkBufferDeviceAddressInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  info.buffer = buffer_.get();
  device_address_ = connection.api().vkGetBufferDeviceAddress(connection.device(), &info);
}

}  // namespace halyard::vulkan
