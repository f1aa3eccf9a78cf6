// SPDX-License-Identifier: Apache-2.0
#include "backends/host/host_buffer.h"

#include "runtime/base/text.h"
#include "runtime/core/device.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace halyard::host {
namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::uint64_t kMappingBytes = std::uint64_t{64} << 10;
constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kHugePageBytes = std::uint64_t{2} << 20;

// Anonymous memory; from two huge pages on, aligned to one.
std::byte* map_memory(std::uint64_t size_bytes) {
  const std::uint64_t slack = size_bytes >= 2 * kHugePageBytes ? kHugePageBytes : 0;
  if (size_bytes > UINT64_MAX - slack) return nullptr;
  void* mapping = ::mmap(nullptr, size_bytes + slack, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  auto* bytes = static_cast<std::byte*>(mapping);
  if (slack == 0) return bytes;

  const std::uint64_t past = reinterpret_cast<std::uintptr_t>(bytes) % kHugePageBytes;
  const std::uint64_t before = past == 0 ? 0 : kHugePageBytes - past;
  if (before != 0) ::munmap(bytes, before);
  bytes += before;
  const std::uint64_t kept = (size_bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  if (before + kept < size_bytes + slack) {
    ::munmap(bytes + kept, size_bytes + slack - before - kept);
  }
  ::madvise(bytes, size_bytes, MADV_HUGEPAGE);
  return bytes;
}

// The kernel promises more memory than there is, and kills whoever touches it.
bool exceeds_memory(const core::Device& device, std::uint64_t size_bytes) {
  const auto total = device.capabilities().number(core::CapabilityKey::kMemoryTotalBytes);
  return total && static_cast<double>(size_bytes) > *total;
}

base::Error out_of_memory(const core::Device& device, std::uint64_t size_bytes) {
  const auto total = device.capabilities().number(core::CapabilityKey::kMemoryTotalBytes);
  return base::Error(
      base::ErrorCode::kOutOfMemory,
      base::concat("A buffer of ", size_bytes, " bytes cannot be allocated on \"", device.info().id,
                   "\" (",
                   total ? base::concat(static_cast<std::uint64_t>(*total), " bytes of memory")
                         : std::string("memory of unknown size"),
                   ")."));
}

}  // namespace

base::Result<base::Ref<core::Buffer>> HostBuffer::create(core::Device& device,
                                                         std::uint64_t size_bytes) {
  if (exceeds_memory(device, size_bytes)) return out_of_memory(device, size_bytes);
  const Origin origin = size_bytes < kMappingBytes ? Origin::kHeap : Origin::kMapping;
  auto* data = origin == Origin::kHeap
                   ? static_cast<std::byte*>(::operator new(size_bytes, kAlignment, std::nothrow))
                   : map_memory(size_bytes);
  if (data == nullptr) return out_of_memory(device, size_bytes);
  return base::Ref<core::Buffer>(
      base::make_ref<HostBuffer>(device, std::span(data, size_bytes), origin));
}

base::Ref<core::Buffer> HostBuffer::wrap(core::Device& device, void* data,
                                         std::uint64_t size_bytes) {
  const std::span bytes(static_cast<std::byte*>(data), size_bytes);
  return base::make_ref<HostBuffer>(device, bytes, Origin::kCaller);
}

HostBuffer::HostBuffer(core::Device& device, std::span<std::byte> bytes, Origin origin)
    : core::Buffer(device, bytes.size()),
      data_(bytes.data()),
      origin_(origin) {}

HostBuffer::~HostBuffer() {
  if (origin_ == Origin::kHeap) ::operator delete(data_, kAlignment);
  if (origin_ == Origin::kMapping) ::munmap(data_, size_bytes());
}

base::Status HostBuffer::read_device(std::uint64_t offset_bytes, std::span<std::byte> destination) {
  std::memcpy(destination.data(), data_ + offset_bytes, destination.size());
  return base::ok();
}

base::Status HostBuffer::write_device(std::uint64_t offset_bytes,
                                      std::span<const std::byte> source) {
  std::memcpy(data_ + offset_bytes, source.data(), source.size());
  return base::ok();
}

}  // namespace halyard::host
