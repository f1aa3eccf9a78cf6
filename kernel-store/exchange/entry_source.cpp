// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/entry_source.h"

#include "kernel-store/exchange/entry_name.h"
#include "runtime/base/file.h"
#include "runtime/base/text.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

namespace halyard::store {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::FileDescriptor;
using base::Result;

Error entry_error(ErrorCode code, const std::string& path, std::string_view name,
                  std::string_view what) {
  return Error(code, concat("Entry \"", shown_name(name), "\" of \"", path, "\" ", what, '.'));
}

Result<std::unique_ptr<EntrySource>> open_entries(const std::string& path) {
  // Not blocking, so that a pipe under the name is refused rather than waited for.
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) {
    if (errno == ELOOP) {
      return Error(ErrorCode::kPermissionDenied,
                   concat("\"", path, "\" is a symbolic link, which is not followed."));
    }
    return base::system_error(errno, "Cannot open", path);
  }
  struct stat facts = {};
  if (::fstat(file.get(), &facts) != 0) return base::system_error(errno, "Cannot examine", path);
  if (S_ISDIR(facts.st_mode)) return open_folder_entries(std::move(file), path);
  if (S_ISREG(facts.st_mode)) return open_archive_entries(std::move(file), path);
  return Error(ErrorCode::kPermissionDenied,
               concat("\"", path, "\" is neither a folder nor a regular file."));
}

}  // namespace halyard::store
