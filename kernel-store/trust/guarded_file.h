// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/file_descriptor.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace halyard::store {

enum class FilePrivacy : std::uint8_t {
  kOthersMayRead,
  kOwnerOnly,
};

// Opens for reading a regular file that only its owner can change. No value when it is absent.
// Errors: kPermissionDenied with the reason for a symbolic link, a file that group or others can
// write (or read, with kOwnerOnly), one of another user than this one and root, and a folder in
// which others can replace it.
base::Result<std::optional<base::FileDescriptor>> open_guarded_file(const std::string& path,
                                                                    FilePrivacy privacy);

// As open_guarded_file. More than `maximum_bytes` is kCorruptData.
base::Result<std::optional<std::string>> read_guarded_file(const std::string& path,
                                                           std::size_t maximum_bytes);

}  // namespace halyard::store
