// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/file_descriptor.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace halyard::store {

// A file of an export, by a name without fault.
struct Entry {
  std::string name;
  std::uint64_t size_bytes = 0;
};

// The files of an export, one after another: manifest.json first. One thread at a time.
class EntrySource {
 public:
  using Sink = std::function<base::Status(std::span<const std::byte>)>;

  virtual ~EntrySource() = default;

  // The next file; none at the end. Folders are passed over.
  // Errors: kPermissionDenied naming an entry that is a link, a device or of a name that no export
  // holds; kCorruptData for an archive that does not read.
  virtual base::Result<std::optional<Entry>> next() = 0;
  // Its bytes, which are as many as it says, in pieces.
  // Errors: kCorruptData for more or fewer, and those of the sink.
  virtual base::Status read(const Sink& sink) = 0;
};

// Of a folder or an archive, whichever `path` is; no symbolic link is followed.
base::Result<std::unique_ptr<EntrySource>> open_entries(const std::string& path);
// `file` is a tar archive, plain or compressed with gzip or zstd; `path` is for messages.
base::Result<std::unique_ptr<EntrySource>> open_archive_entries(base::FileDescriptor file,
                                                                const std::string& path);
// `folder` is open as a directory.
base::Result<std::unique_ptr<EntrySource>> open_folder_entries(base::FileDescriptor folder,
                                                               const std::string& path);

// An error about an entry: "Entry "a" of "b.tar" <what>."
base::Error entry_error(base::ErrorCode code, const std::string& path, std::string_view name,
                        std::string_view what);

}  // namespace halyard::store
