// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/guarded_file.h"

#include "runtime/base/file.h"
#include "runtime/base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::FileDescriptor;
using base::Result;
using base::Status;

Error refused(const std::string& path, std::string_view why) {
  return Error(ErrorCode::kPermissionDenied, concat("\"", path, "\" is not used: ", why, '.'));
}

std::string mode_text(mode_t mode) {
  std::string digits = "0000";
  for (std::size_t i = 0; i < digits.size(); ++i)
    digits[3 - i] = static_cast<char>('0' + ((mode >> (3 * i)) & 7U));
  return digits;
}

bool is_trusted_owner(uid_t owner) {
  return owner == ::geteuid() || owner == 0;
}

Status check_file(int file, const std::string& path, FilePrivacy privacy) {
  struct stat facts = {};
  if (::fstat(file, &facts) != 0) return base::system_error(errno, "Cannot examine", path);
  if (!S_ISREG(facts.st_mode)) return refused(path, "it is no regular file");
  if (!is_trusted_owner(facts.st_uid)) {
    return refused(path, concat("it belongs to user ", facts.st_uid, ", not to user ", ::geteuid(),
                                " or root"));
  }
  if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return refused(path,
                   concat("its mode ", mode_text(facts.st_mode), " lets group or others write it"));
  }
  if (privacy == FilePrivacy::kOwnerOnly && (facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return refused(path,
                   concat("its mode ", mode_text(facts.st_mode), " lets group or others read it"));
  }
  return base::ok();
}

// Whoever can write the folder can put another file in place, unless the folder is sticky.
Status check_folder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "."
                             : slash == 0               ? "/"
                                                        : path.substr(0, slash);
  struct stat facts = {};
  if (::stat(folder.c_str(), &facts) != 0) {
    return base::system_error(errno, "Cannot examine", folder);
  }
  if (!is_trusted_owner(facts.st_uid)) {
    return refused(path, concat("its folder belongs to user ", facts.st_uid, ", not to user ",
                                ::geteuid(), " or root"));
  }
  if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (facts.st_mode & S_ISVTX) == 0) {
    return refused(path, concat("the mode ", mode_text(facts.st_mode),
                                " of its folder lets group or others replace it"));
  }
  return base::ok();
}

}  // namespace

Result<std::optional<FileDescriptor>> open_guarded_file(const std::string& path,
                                                        FilePrivacy privacy) {
  // Not blocking, so that a pipe under the name is refused rather than waited for.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    if (errno == ENOENT) return std::optional<FileDescriptor>();
    if (errno == ELOOP) return refused(path, "it is a symbolic link");
    return base::system_error(errno, "Cannot open", path);
  }
  HALYARD_TRY(check_file(file.get(), path, privacy));
  HALYARD_TRY(check_folder(path));
  return std::optional<FileDescriptor>(std::move(file));
}

Result<std::optional<std::string>> read_guarded_file(const std::string& path,
                                                     std::size_t maximum_bytes) {
  HALYARD_TRY_ASSIGN(const std::optional<FileDescriptor> file,
                     open_guarded_file(path, FilePrivacy::kOthersMayRead));
  if (!file) return std::optional<std::string>();
  std::string text;
  for (;;) {
    const std::size_t size = text.size();
    if (size > maximum_bytes) {
      return Error(ErrorCode::kCorruptData,
                   concat("\"", path, "\" has more than ", maximum_bytes, " bytes."));
    }
    text.resize(std::min(maximum_bytes + 1, size + 65536));
    const ssize_t count = ::read(file->get(), text.data() + size, text.size() - size);
    text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0 && errno != EINTR) return base::system_error(errno, "Cannot read", path);
    if (count == 0) return std::optional<std::string>(std::move(text));
  }
}

}  // namespace halyard::store
