// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/entry_name.h"
#include "kernel-store/exchange/entry_source.h"
#include "kernel-store/exchange/import.h"
#include "runtime/base/file.h"
#include "runtime/base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::FileDescriptor;
using base::Result;
using base::Status;

// Opens `name` in `folder`; no symbolic link is followed, and names have no slash.
Result<FileDescriptor> open_beneath(int folder, const std::string& name, int flags,
                                    const std::string& path, const std::string& entry) {
  FileDescriptor file(
      ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags));
  if (file) return file;
  if (errno == ELOOP || errno == ENOTDIR) {
    return entry_error(ErrorCode::kPermissionDenied, path, entry,
                       "is a symbolic link or of another kind than its name says");
  }
  return base::system_error(errno, "Cannot open", concat(path, '/', shown_name(entry)));
}

// The names in `folder`, sorted. Takes the descriptor.
Result<std::vector<std::string>> names_in(FileDescriptor folder, const std::string& path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(folder.get()), &::closedir);
  if (stream == nullptr) return base::system_error(errno, "Cannot list", path);
  static_cast<void>(folder.release());
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* const entry = ::readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    if (names.size() > kMaxObjects) {
      return Error(ErrorCode::kCorruptData,
                   concat("\"", path, "\" holds more than ", kMaxObjects, " entries."));
    }
    errno = 0;
  }
  if (errno != 0) return base::system_error(errno, "Cannot list", path);
  std::sort(names.begin(), names.end());
  return names;
}

class FolderSource final : public EntrySource {
 public:
  FolderSource(FileDescriptor root, FileDescriptor objects, std::vector<std::string> names,
               std::string path)
      : root_(std::move(root)),
        objects_(std::move(objects)),
        names_(std::move(names)),
        path_(std::move(path)) {}

  Result<std::optional<Entry>> next() override {
    if (place_ == names_.size()) return std::optional<Entry>();
    entry_ = {names_[place_++], 0};
    const bool is_object = object_of(entry_.name).has_value();
    const std::string name = is_object ? entry_.name.substr(kObjectsName.size() + 1) : entry_.name;
    HALYARD_TRY_ASSIGN(
        file_, open_beneath(is_object ? objects_.get() : root_.get(), name, 0, path_, entry_.name));
    struct stat facts = {};
    if (::fstat(file_.get(), &facts) != 0) {
      return base::system_error(errno, "Cannot examine", concat(path_, '/', entry_.name));
    }
    if (!S_ISREG(facts.st_mode)) {
      return entry_error(ErrorCode::kPermissionDenied, path_, entry_.name, "is no regular file");
    }
    entry_.size_bytes = static_cast<std::uint64_t>(facts.st_size);
    return std::optional<Entry>(entry_);
  }

  Status read(const Sink& sink) override {
    std::array<std::byte, 65536> piece;
    std::uint64_t done = 0;
    for (;;) {
      const ssize_t count = ::read(file_.get(), piece.data(), piece.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0)
        return base::system_error(errno, "Cannot read", concat(path_, '/', entry_.name));
      done += static_cast<std::uint64_t>(count);
      if (done > entry_.size_bytes || (count == 0 && done < entry_.size_bytes)) {
        return entry_error(ErrorCode::kCorruptData, path_, entry_.name, "changes while it is read");
      }
      if (count == 0) return base::ok();
      HALYARD_TRY(sink(std::span(piece).first(static_cast<std::size_t>(count))));
    }
  }

 private:
  FileDescriptor root_;
  FileDescriptor objects_;
  std::vector<std::string> names_;
  std::string path_;
  std::size_t place_ = 0;
  Entry entry_;
  FileDescriptor file_;
};

}  // namespace

Result<std::unique_ptr<EntrySource>> open_folder_entries(FileDescriptor folder,
                                                         const std::string& path) {
  // A descriptor of its own, since listing moves the place in the folder.
  HALYARD_TRY_ASSIGN(FileDescriptor listed,
                     open_beneath(folder.get(), ".", O_DIRECTORY, path, "."));
  HALYARD_TRY_ASSIGN(const std::vector<std::string> names, names_in(std::move(listed), path));
  std::vector<std::string> entries;
  FileDescriptor objects;
  for (const std::string& name : names) {
    if (name != kObjectsName) {
      if (const std::string fault = entry_name_fault(name); !fault.empty()) {
        return entry_error(ErrorCode::kPermissionDenied, path, name,
                           concat("is refused: its name ", fault));
      }
      entries.push_back(name);
      continue;
    }
    HALYARD_TRY_ASSIGN(objects, open_beneath(folder.get(), name, O_DIRECTORY, path, name));
  }
  std::sort(entries.begin(), entries.end());  // manifest.json comes before manifest.signature.
  if (objects) {
    HALYARD_TRY_ASSIGN(FileDescriptor inner,
                       open_beneath(objects.get(), ".", O_DIRECTORY, path, "objects/."));
    HALYARD_TRY_ASSIGN(const std::vector<std::string> digests,
                       names_in(std::move(inner), concat(path, '/', kObjectsName)));
    for (const std::string& digest : digests) {
      std::string entry = concat(kObjectsName, '/', digest);
      if (const std::string fault = entry_name_fault(entry); !fault.empty()) {
        return entry_error(ErrorCode::kPermissionDenied, path, entry,
                           concat("is refused: its name ", fault));
      }
      entries.push_back(std::move(entry));
    }
  }
  return std::unique_ptr<EntrySource>(std::make_unique<FolderSource>(
      std::move(folder), std::move(objects), std::move(entries), path));
}

}  // namespace halyard::store
