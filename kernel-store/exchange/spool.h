// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/file_descriptor.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace halyard::store {

// Bytes that wait outside memory until all of them are checked: a file without a name, which is
// gone with the process.
class Spool {
 public:
  // Errors: kIoError.
  static base::Result<Spool> create();

  // Errors: kIoError, such as a full disk.
  base::Status append(std::span<const std::byte> bytes);
  std::uint64_t size_bytes() const { return size_bytes_; }
  // Bytes that were appended.
  base::Result<std::string> read(std::uint64_t offset, std::uint64_t size_bytes) const;

 private:
  explicit Spool(base::FileDescriptor file) : file_(std::move(file)) {}

  base::FileDescriptor file_;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace halyard::store
