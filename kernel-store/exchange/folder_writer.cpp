// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/entry_name.h"
#include "kernel-store/exchange/export_writer.h"
#include "runtime/base/file.h"
#include "runtime/base/file_descriptor.h"
#include "runtime/base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::FileDescriptor;
using base::Result;
using base::Status;

// A folder beside the final one, whose name it gets at the end.
class FolderWriter final : public ExportWriter {
 public:
  FolderWriter(std::string path, std::string staged)
      : path_(std::move(path)),
        staged_(std::move(staged)) {}
  FolderWriter(const FolderWriter&) = delete;
  FolderWriter& operator=(const FolderWriter&) = delete;
  ~FolderWriter() override {
    std::error_code ignored;
    if (!staged_.empty()) std::filesystem::remove_all(staged_, ignored);
  }

  Status add(const std::string& name, std::string_view bytes) override {
    const std::string path = concat(staged_, '/', name);
    const FileDescriptor file(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (!file) return base::system_error(errno, "Cannot create", path);
    while (!bytes.empty()) {
      const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return base::system_error(errno, "Cannot write", path);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    if (::fsync(file.get()) != 0) return base::system_error(errno, "Cannot flush", path);
    return base::ok();
  }

  Status finish() override {
    if (::renameat2(AT_FDCWD, staged_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0 &&
        // Not every file system knows the flag; a folder replaces only an empty one.
        (errno != EINVAL || ::rename(staged_.c_str(), path_.c_str()) != 0)) {
      return base::system_error(errno, "Cannot put in place", path_);
    }
    staged_.clear();
    return base::ok();
  }

 private:
  std::string path_;
  std::string staged_;  // Empty once it is in place.
};

}  // namespace

Result<std::unique_ptr<ExportWriter>> create_folder(const std::string& path) {
  std::string staged = path;
  while (staged.size() > 1 && staged.ends_with('/'))
    staged.pop_back();
  const std::string final_path = staged;
  staged += concat('.', ::getpid(), base::StagedFile::kSuffix);
  if (::mkdir(staged.c_str(), 0755) != 0) {
    return base::system_error(errno, "Cannot make the folder", staged);
  }
  auto writer = std::make_unique<FolderWriter>(final_path, staged);
  const std::string objects = concat(staged, '/', kObjectsName);
  if (::mkdir(objects.c_str(), 0755) != 0) {
    return base::system_error(errno, "Cannot make the folder", objects);
  }
  return std::unique_ptr<ExportWriter>(std::move(writer));
}

}  // namespace halyard::store
