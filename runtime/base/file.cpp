// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/file.h"

#include "runtime/base/file_descriptor.h"
#include "runtime/base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace halyard::base {
namespace {

template <typename Bytes>
Result<Bytes> read_as(const std::string& path, std::size_t maximum_bytes) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return system_error(errno, "Cannot open", path);
  struct stat facts = {};
  if (::fstat(file.get(), &facts) != 0) return system_error(errno, "Cannot examine", path);
  if (!S_ISREG(facts.st_mode)) {
    return Error(ErrorCode::kIoError, concat("Cannot read ", path, ": it is not a regular file."));
  }
  Bytes bytes;
  std::size_t size = 0;
  // One byte of room past the size tells a file that grew or says no size, as those of /proc.
  bytes.resize(std::min(static_cast<std::size_t>(facts.st_size), maximum_bytes) + 1);
  for (;;) {
    const ssize_t count = ::read(file.get(), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(errno, "Cannot read", path);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
    if (size > maximum_bytes) {
      return Error(ErrorCode::kCorruptData,
                   concat("The file ", path, " has more than ", maximum_bytes, " bytes."));
    }
    if (size == bytes.size()) bytes.resize(std::min(2 * size, maximum_bytes + 1));
  }
  bytes.resize(size);
  return bytes;
}

Status write_all(int file, std::span<const std::byte> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(errno, "Cannot write", path);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return ok();
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Creates a file of a name that nothing has yet, beside `path`.
int create_beside(const std::string& path, std::uint32_t mode, std::string& created_path) {
  constexpr int kTries = 1000;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    created_path = concat(path, ".", ::getpid(), "-", attempt, StagedFile::kSuffix);
    const int file = ::open(created_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                            static_cast<mode_t>(mode));
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

}  // namespace

Error system_error(int code, std::string_view what, const std::string& path) {
  ErrorCode kind = ErrorCode::kIoError;
  if (code == ENOENT || code == ENOTDIR) kind = ErrorCode::kNotFound;
  if (code == EACCES || code == EPERM || code == EROFS) kind = ErrorCode::kPermissionDenied;
  return Error(kind, concat(what, ' ', path, ": ", std::generic_category().message(code), '.'));
}

Result<std::vector<std::byte>> read_file(const std::string& path, std::size_t maximum_bytes) {
  return read_as<std::vector<std::byte>>(path, maximum_bytes);
}

Result<std::string> read_text_file(const std::string& path, std::size_t maximum_bytes) {
  return read_as<std::string>(path, maximum_bytes);
}

StagedFile::StagedFile(std::string path, std::string staged_path)
    : path_(std::move(path)),
      staged_path_(std::move(staged_path)) {}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : path_(std::move(other.path_)),
      staged_path_(std::exchange(other.staged_path_, {})) {}

StagedFile& StagedFile::operator=(StagedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(staged_path_, other.staged_path_);
  return *this;
}

StagedFile::~StagedFile() {
  if (!staged_path_.empty()) ::unlink(staged_path_.c_str());
}

Result<StagedFile> StagedFile::write(std::string path, std::span<const std::byte> bytes,
                                     std::uint32_t mode) {
  struct stat facts = {};
  // A device or a pipe would be gone, and whoever reads it would not get the text.
  if (::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) {
    return Error(ErrorCode::kIoError,
                 concat("Cannot replace ", path, ": it is not a regular file."));
  }
  std::string staged_path;
  const FileDescriptor file(create_beside(path, mode, staged_path));
  if (!file) return system_error(errno, "Cannot create a file beside", path);
  StagedFile staged(std::move(path), std::move(staged_path));
  HALYARD_TRY(write_all(file.get(), bytes, staged.path_));
  if (::fsync(file.get()) != 0) return system_error(errno, "Cannot flush", staged.path_);
  return staged;
}

Status StagedFile::commit() {
  if (::rename(staged_path_.c_str(), path_.c_str()) != 0) {
    return system_error(errno, "Cannot replace", path_);
  }
  staged_path_.clear();
  // The new name lasts a crash once its directory is flushed; file systems that cannot do it differ
  // in what they answer.
  const FileDescriptor directory(
      ::open(parent_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory) ::fsync(directory.get());
  return ok();
}

Status write_file_atomic(const std::string& path, std::span<const std::byte> bytes,
                         std::uint32_t mode) {
  HALYARD_TRY_ASSIGN(StagedFile staged, StagedFile::write(path, bytes, mode));
  return staged.commit();
}

Status write_file_atomic(const std::string& path, std::string_view text, std::uint32_t mode) {
  return write_file_atomic(path, std::as_bytes(std::span<const char>(text.data(), text.size())),
                           mode);
}

Status make_private_directories(const std::string& path) {
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) == 0) {
    if (S_ISDIR(facts.st_mode)) return ok();
    return system_error(ENOTDIR, "Cannot make the directory", path);
  }
  if (errno != ENOENT) return system_error(errno, "Cannot make the directory", path);
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
      // A parent that exists may refuse for other reasons, such as a read-only file system.
      const int code = errno;
      if (::stat(part.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        return system_error(code, "Cannot make the directory", part);
      }
    }
    if (slash == std::string::npos) return ok();
  }
}

}  // namespace halyard::base
