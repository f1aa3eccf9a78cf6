// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/shared_memory.h"

#include "runtime/base/text.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace halyard::worker {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;

constexpr int kSizeSeals = F_SEAL_SHRINK | F_SEAL_GROW;

std::string system_text() {
  return std::generic_category().message(errno);
}

base::Result<base::FileDescriptor> make_file(std::uint64_t size_bytes) {
  base::FileDescriptor file(::memfd_create("halyard", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) {
    return Error(ErrorCode::kUnsupported,
                 concat("The system gives no anonymous memory: ", system_text(), "."));
  }
  if (::ftruncate(file.get(), static_cast<off_t>(size_bytes)) != 0) {
    return Error(ErrorCode::kOutOfMemory, concat("Shared memory (", size_bytes,
                                                 " bytes) is not to be had: ", system_text(), "."));
  }
  return file;
}

base::Status seal(int file, int seals) {
  if (::fcntl(file, F_ADD_SEALS, seals) == 0) return base::ok();
  return Error(ErrorCode::kUnsupported,
               concat("Shared memory cannot be sealed: ", system_text(), "."));
}

base::Result<std::span<std::byte>> map_file(int file, std::uint64_t size_bytes, bool is_writable) {
  const int protection = is_writable ? PROT_READ | PROT_WRITE : PROT_READ;
  const int sharing = MAP_SHARED | MAP_NORESERVE;
  void* const data = ::mmap(nullptr, size_bytes, protection, sharing, file, 0);
  if (data == MAP_FAILED) {
    return Error(ErrorCode::kOutOfMemory, concat("Shared memory (", size_bytes,
                                                 " bytes) cannot be mapped: ", system_text(), "."));
  }
  return std::span(static_cast<std::byte*>(data), static_cast<std::size_t>(size_bytes));
}

}  // namespace

SharedMemory::SharedMemory(base::FileDescriptor file, std::span<std::byte> bytes)
    : file_(std::move(file)),
      bytes_(bytes) {}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : file_(std::move(other.file_)),
      bytes_(std::exchange(other.bytes_, {})) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
}

base::Result<SharedMemory> SharedMemory::create(std::uint64_t size_bytes) {
  HALYARD_TRY_ASSIGN(base::FileDescriptor file, make_file(size_bytes));
  HALYARD_TRY(seal(file.get(), kSizeSeals | F_SEAL_SEAL));
  HALYARD_TRY_ASSIGN(const std::span<std::byte> bytes, map_file(file.get(), size_bytes, true));
  return SharedMemory(std::move(file), bytes);
}

base::Result<SharedMemory> SharedMemory::create_sealed(std::span<const std::byte> bytes) {
  const std::uint64_t size_bytes = std::max<std::uint64_t>(bytes.size(), 1);
  HALYARD_TRY_ASSIGN(base::FileDescriptor file, make_file(size_bytes));
  {
    HALYARD_TRY_ASSIGN(const std::span<std::byte> target, map_file(file.get(), size_bytes, true));
    std::copy(bytes.begin(), bytes.end(), target.begin());
    ::munmap(target.data(), target.size());
  }
  HALYARD_TRY(seal(file.get(), kSizeSeals | F_SEAL_WRITE | F_SEAL_SEAL));
  HALYARD_TRY_ASSIGN(const std::span<std::byte> mapped, map_file(file.get(), size_bytes, false));
  return SharedMemory(std::move(file), mapped);
}

base::Result<SharedMemory> SharedMemory::map(base::FileDescriptor file) {
  const int seals = ::fcntl(file.get(), F_GET_SEALS);
  struct stat status {};
  if (seals < 0 || (seals & kSizeSeals) != kSizeSeals || ::fstat(file.get(), &status) != 0 ||
      status.st_size <= 0) {
    return Error(ErrorCode::kInvalidArgument, "The file is no shared memory of a sealed size.");
  }
  const bool is_writable = (seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)) == 0;
  HALYARD_TRY_ASSIGN(const std::span<std::byte> bytes,
                     map_file(file.get(), static_cast<std::uint64_t>(status.st_size), is_writable));
  return SharedMemory(std::move(file), bytes);
}

std::optional<std::uint64_t> SharedMemory::first_page_outside(Range all, Range expected) const {
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t allowed_begin = expected.begin / kPage * kPage;
  const std::uint64_t allowed_end = (expected.end + kPage - 1) / kPage * kPage;
  std::uint64_t at = all.begin;
  while (at < all.end) {
    const off_t data = ::lseek(file_.get(), static_cast<off_t>(at), SEEK_DATA);
    if (data < 0 || static_cast<std::uint64_t>(data) >= all.end) return std::nullopt;
    const off_t hole = ::lseek(file_.get(), data, SEEK_HOLE);
    const auto begin = static_cast<std::uint64_t>(data);
    const std::uint64_t end = hole < 0 ? all.end : static_cast<std::uint64_t>(hole);
    if (begin < allowed_begin || begin >= allowed_end) return begin;
    if (end > allowed_end && allowed_end < all.end) return allowed_end;
    at = end;
  }
  return std::nullopt;
}

void SharedMemory::discard(std::uint64_t offset_bytes, std::uint64_t length_bytes) const {
  ::fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(offset_bytes), static_cast<off_t>(length_bytes));
}

}  // namespace halyard::worker
