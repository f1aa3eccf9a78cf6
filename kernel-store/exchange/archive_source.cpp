// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/entry_name.h"
#include "kernel-store/exchange/entry_source.h"
#include "kernel-store/exchange/import.h"
#include "runtime/base/text.h"

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <string_view>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::FileDescriptor;
using base::Result;
using base::Status;

constexpr std::size_t kBlockBytes = 65536;

struct ReadEnd {
  void operator()(archive* reader) const { archive_read_free(reader); }
};
using Reader = std::unique_ptr<archive, ReadEnd>;

std::string reason_of(archive* reader) {
  const char* const text = archive_error_string(reader);
  std::string reason = shown_name(text == nullptr ? "it gives no reason" : text);
  while (reason.ends_with('.'))
    reason.pop_back();
  return reason;
}

// Why an entry is no plain file or folder; empty when it is one.
std::string_view kind_fault(archive_entry* header) {
  if (archive_entry_hardlink_utf8(header) != nullptr || archive_entry_hardlink(header) != nullptr) {
    return "is a hard link";
  }
  switch (archive_entry_filetype(header)) {
    case AE_IFREG:
    case AE_IFDIR:
      break;
    case AE_IFLNK:
      return "is a symbolic link";
    case AE_IFCHR:
    case AE_IFBLK:
      return "is a device";
    case AE_IFIFO:
      return "is a pipe";
    default:
      return "is neither a file nor a folder";
  }
  if (archive_entry_symlink_utf8(header) != nullptr || archive_entry_symlink(header) != nullptr) {
    return "is a symbolic link";
  }
  if (archive_entry_sparse_count(header) > 0) return "is a sparse file";
  return {};
}

class ArchiveSource final : public EntrySource {
 public:
  ArchiveSource(FileDescriptor file, Reader reader, std::string path)
      : file_(std::move(file)),
        reader_(std::move(reader)),
        path_(std::move(path)) {}

  Result<std::optional<Entry>> next() override {
    for (;;) {
      archive_entry* header = nullptr;
      const int code = archive_read_next_header(reader_.get(), &header);
      if (code == ARCHIVE_EOF) return std::optional<Entry>();
      if (code != ARCHIVE_OK) return unreadable(concat("after entry \"", entry_.name, '"'));
      // Manifest, signature, folder and objects.
      if (++count_ > kMaxObjects + 3) {
        return Error(ErrorCode::kCorruptData,
                     concat("\"", path_, "\" holds more than ", kMaxObjects + 3, " entries."));
      }
      HALYARD_TRY_ASSIGN(const bool is_file, take(header));
      if (is_file) return std::optional<Entry>(entry_);
    }
  }

  Status read(const Sink& sink) override {
    std::array<std::byte, kBlockBytes> piece;
    std::uint64_t done = 0;
    for (;;) {
      const la_ssize_t count = archive_read_data(reader_.get(), piece.data(), piece.size());
      if (count < 0) return unreadable(concat("in entry \"", entry_.name, '"'));
      done += static_cast<std::uint64_t>(count);
      if (done > entry_.size_bytes || (count == 0 && done < entry_.size_bytes)) {
        return entry_error(ErrorCode::kCorruptData, path_, entry_.name,
                           concat("says ", entry_.size_bytes, " bytes and holds ", done));
      }
      if (count == 0) return base::ok();
      HALYARD_TRY(sink(std::span(piece).first(static_cast<std::size_t>(count))));
    }
  }

 private:
  Error unreadable(std::string_view where) const {
    return Error(ErrorCode::kCorruptData, concat("The archive \"", path_, "\" does not read ",
                                                 where, ": ", reason_of(reader_.get()), '.'));
  }

  // Whether it is a file, which becomes `entry_`.
  Result<bool> take(archive_entry* header) {
    const char* name = archive_entry_pathname_utf8(header);
    if (name == nullptr) name = archive_entry_pathname(header);
    if (name == nullptr) return unreadable("an entry whose name has no spelling");
    std::string entry = name;
    if (const std::string_view fault = kind_fault(header); !fault.empty()) {
      return entry_error(ErrorCode::kPermissionDenied, path_, entry, fault);
    }
    const bool is_folder = archive_entry_filetype(header) == AE_IFDIR;
    if (is_folder && !entry.ends_with('/')) entry += '/';
    std::string fault = entry_name_fault(entry);
    if (fault.empty() && is_folder != entry.ends_with('/')) fault = "is of another kind";
    if (!fault.empty()) {
      return entry_error(ErrorCode::kPermissionDenied, path_, entry,
                         concat("is refused: its name ", fault));
    }
    const la_int64_t size = archive_entry_size_is_set(header) != 0 ? archive_entry_size(header) : 0;
    if (size < 0 || (is_folder && size != 0)) {
      return entry_error(ErrorCode::kCorruptData, path_, entry,
                         concat("says ", size, " bytes, which it cannot have"));
    }
    if (is_folder) return false;
    entry_ = {std::move(entry), static_cast<std::uint64_t>(size)};
    return true;
  }

  FileDescriptor file_;  // Outlives the reader.
  Reader reader_;
  std::string path_;
  std::uint64_t count_ = 0;
  Entry entry_;
};

}  // namespace

Result<std::unique_ptr<EntrySource>> open_archive_entries(FileDescriptor file,
                                                          const std::string& path) {
  Reader reader(archive_read_new());
  if (reader == nullptr) {
    return Error(ErrorCode::kOutOfMemory, concat("No memory to read the archive \"", path, "\"."));
  }
  archive* const handle = reader.get();
  // What export_store() writes, and nothing else that the library knows.
  if (archive_read_support_format_tar(handle) != ARCHIVE_OK ||
      archive_read_support_filter_gzip(handle) != ARCHIVE_OK ||
      archive_read_support_filter_zstd(handle) != ARCHIVE_OK ||
      archive_read_open_fd(handle, file.get(), kBlockBytes) != ARCHIVE_OK) {
    return Error(ErrorCode::kCorruptData,
                 concat("\"", path, "\" is no archive: ", reason_of(handle), '.'));
  }
  return std::unique_ptr<EntrySource>(
      std::make_unique<ArchiveSource>(std::move(file), std::move(reader), path));
}

}  // namespace halyard::store
