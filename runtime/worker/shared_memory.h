// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/file_descriptor.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace halyard::worker {

// Anonymous memory that two processes map. Its size is sealed, so neither can take pages away from
// under the other. Pages take memory once they are touched. Move-only.
class SharedMemory {
 public:
  // Zeroed. Errors: OUT_OF_MEMORY; UNSUPPORTED without memfd.
  static base::Result<SharedMemory> create(std::uint64_t size_bytes);
  // A copy of `bytes` that nobody can change any more.
  static base::Result<SharedMemory> create_sealed(std::span<const std::byte> bytes);
  // Maps what another process made; the mapping is writable unless the file is sealed against it.
  // Errors: INVALID_ARGUMENT for a file whose size is not sealed.
  static base::Result<SharedMemory> map(base::FileDescriptor file);

  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  // Not to be written where the memory is sealed.
  std::span<std::byte> bytes() const { return bytes_; }
  int file() const { return file_.get(); }
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  // The first byte of `all` that lies on a page which somebody has touched and which holds nothing
  // of `expected`.
  std::optional<std::uint64_t> first_page_outside(Range all, Range expected) const;
  // Gives whole pages back to the system; they read as zero.
  void discard(std::uint64_t offset_bytes, std::uint64_t length_bytes) const;

 private:
  SharedMemory(base::FileDescriptor file, std::span<std::byte> bytes);

  base::FileDescriptor file_;
  std::span<std::byte> bytes_;
};

}  // namespace halyard::worker
