// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/spool.h"

#include "runtime/base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace halyard::store {
namespace {

using base::FileDescriptor;
using base::Result;
using base::Status;

const std::string& place() {
  static const std::string text = "a temporary file";
  return text;
}

}  // namespace

Result<Spool> Spool::create() {
  std::error_code code;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(code);
  if (!code) {
    FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600));
    if (file) return Spool(std::move(file));
  }
  // Not every file system has files without a name; memory has.
  FileDescriptor file(::memfd_create("halyard-import", MFD_CLOEXEC));
  if (!file) return base::system_error(errno, "Cannot create", place());
  return Spool(std::move(file));
}

Status Spool::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(size_bytes_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::system_error(errno, "Cannot write", place());
    size_bytes_ += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return base::ok();
}

Result<std::string> Spool::read(std::uint64_t offset, std::uint64_t size_bytes) const {
  std::string bytes(static_cast<std::size_t>(size_bytes), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::pread(file_.get(), bytes.data() + done, bytes.size() - done,
                                  static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return base::system_error(count < 0 ? errno : EIO, "Cannot read", place());
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

}  // namespace halyard::store
