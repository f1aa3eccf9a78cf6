// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/export_writer.h"
#include "runtime/base/file.h"
#include "runtime/base/file_descriptor.h"
#include "runtime/base/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::FileDescriptor;
using base::Result;
using base::Status;

struct WriteEnd {
  void operator()(archive* writer) const { archive_write_free(writer); }
};
struct EntryEnd {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};
using Writer = std::unique_ptr<archive, WriteEnd>;

// A file beside the final one, whose name it gets at the end.
class ArchiveWriter final : public ExportWriter {
 public:
  ArchiveWriter(std::string path, std::string staged, FileDescriptor file, Writer writer)
      : path_(std::move(path)),
        staged_(std::move(staged)),
        file_(std::move(file)),
        writer_(std::move(writer)) {}
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;
  ~ArchiveWriter() override {
    writer_.reset();
    if (!staged_.empty()) ::unlink(staged_.c_str());
  }

  Status add(const std::string& name, std::string_view bytes) override {
    const std::unique_ptr<archive_entry, EntryEnd> entry(archive_entry_new());
    if (entry == nullptr) return Error(ErrorCode::kOutOfMemory, "No memory for an archive entry.");
    // Neither owner nor time: the same records give the same bytes.
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_mtime(entry.get(), 0, 0);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
    if (archive_write_header(writer_.get(), entry.get()) != ARCHIVE_OK) return unwritable();
    while (!bytes.empty()) {
      const la_ssize_t count = archive_write_data(writer_.get(), bytes.data(), bytes.size());
      if (count <= 0) return unwritable();
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return base::ok();
  }

  Status finish() override {
    if (archive_write_close(writer_.get()) != ARCHIVE_OK) return unwritable();
    if (::fsync(file_.get()) != 0) return base::system_error(errno, "Cannot flush", path_);
    // A link, since a rename would replace what has come to be there.
    if (::link(staged_.c_str(), path_.c_str()) != 0) {
      return base::system_error(errno, "Cannot put in place", path_);
    }
    ::unlink(std::exchange(staged_, {}).c_str());
    return base::ok();
  }

 private:
  Error unwritable() const {
    const char* const text = archive_error_string(writer_.get());
    return Error(ErrorCode::kIoError,
                 concat("Cannot write ", path_, ": ", text == nullptr ? "no reason" : text, '.'));
  }

  std::string path_;
  std::string staged_;  // Empty once it is in place.
  FileDescriptor file_;
  Writer writer_;
};

Writer make_writer(const std::string& path, int file) {
  Writer writer(archive_write_new());
  if (writer == nullptr) return nullptr;
  int code = archive_write_set_format_ustar(writer.get());
  if (path.ends_with(".tar.zst")) {
    code |= archive_write_add_filter_zstd(writer.get());
  } else if (!path.ends_with(".tar")) {
    code |= archive_write_add_filter_gzip(writer.get());
    // Without the time in its heading.
    code |= archive_write_set_filter_option(writer.get(), "gzip", "timestamp", nullptr);
  }
  code |= archive_write_open_fd(writer.get(), file);
  return code == ARCHIVE_OK ? std::move(writer) : nullptr;
}

}  // namespace

Result<std::unique_ptr<ExportWriter>> create_archive(const std::string& path) {
  const std::string staged = concat(path, '.', ::getpid(), base::StagedFile::kSuffix);
  FileDescriptor file(
      ::open(staged.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file) return base::system_error(errno, "Cannot create", staged);
  Writer writer = make_writer(path, file.get());
  if (writer == nullptr) {
    ::unlink(staged.c_str());
    return Error(ErrorCode::kUnsupported,
                 concat("The archive library does not write \"", path, "\"."));
  }
  return std::unique_ptr<ExportWriter>(
      std::make_unique<ArchiveWriter>(path, staged, std::move(file), std::move(writer)));
}

}  // namespace halyard::store
