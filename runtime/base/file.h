// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/error.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::base {

// Each error names the path and the system's reason: kNotFound, kPermissionDenied or kIoError.

// Reads a whole regular file. A file of more than `maximum_bytes` is kCorruptData.
Result<std::vector<std::byte>> read_file(const std::string& path, std::size_t maximum_bytes);
Result<std::string> read_text_file(const std::string& path, std::size_t maximum_bytes);

// Replaces the file at `path`: a reader sees the old bytes or all of the new ones, also after a
// crash. The new file has `mode`, less the umask. Nothing is left behind on failure.
Status write_file_atomic(const std::string& path, std::span<const std::byte> bytes,
                         std::uint32_t mode = 0644);
Status write_file_atomic(const std::string& path, std::string_view text, std::uint32_t mode = 0644);

// A new file for `path`, written and flushed beside it, that takes its place when it is committed
// and is removed when it is not. Several of them are prepared before the first is committed where a
// full disk must leave all of the old ones.
class StagedFile {
 public:
  static Result<StagedFile> write(std::string path, std::span<const std::byte> bytes,
                                  std::uint32_t mode = 0644);

  StagedFile(StagedFile&& other) noexcept;
  StagedFile& operator=(StagedFile&& other) noexcept;
  ~StagedFile();

  Status commit();

  // What the names of files that are not committed end with.
  static constexpr std::string_view kSuffix = ".new";

 private:
  StagedFile(std::string path, std::string staged_path);

  std::string path_;
  std::string staged_path_;  // empty once committed
};

// Makes a directory and its missing parents, each with mode 0700; those that exist are left as they
// are.
Status make_private_directories(const std::string& path);

// An error from errno: "<what> <path>: <reason of the system>."
Error system_error(int code, std::string_view what, const std::string& path);

}  // namespace halyard::base
