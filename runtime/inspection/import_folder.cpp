// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/import_folder.h"

#include "capability-descriptors/descriptor_json.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "runtime/base/file.h"
#include "runtime/base/text.h"
#include "runtime/inspection/document_json.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

namespace halyard::services {
namespace {

namespace fs = std::filesystem;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

// The right to change a folder, held by one process at a time. The system takes it back from a
// process that ends.
class FolderLock {
 public:
  static Result<FolderLock> take(const std::string& folder, std::chrono::milliseconds patience) {
    constexpr auto kPause = std::chrono::milliseconds(20);
    const std::string path = folder + "/.lock";
    FolderLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock.file_ < 0) return base::system_error(errno, "Cannot open", path);
    const auto end = std::chrono::steady_clock::now() + patience;
    while (::flock(lock.file_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno != EWOULDBLOCK) return base::system_error(errno, "Cannot lock", path);
      if (std::chrono::steady_clock::now() >= end) {
        return Error(ErrorCode::kUnavailable,
                     concat("Another process has imported into \"", folder, "\" for more than ",
                            patience.count(), " ms."));
      }
      std::this_thread::sleep_for(kPause);
    }
    return lock;
  }

  FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock() {
    if (file_ >= 0) ::close(file_);
  }

 private:
  explicit FolderLock(int file) : file_(file) {}

  int file_;
};

bool is_name(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !text.empty() && text.size() <= 64 && text.front() != '.' &&
         std::all_of(text.begin(), text.end(), allowed);
}

// "<vendor>/<name>" with the end of its kind.
Result<std::string> file_name_of(const Subject& subject) {
  const std::string& id = subject_id(subject);
  const std::size_t slash = std::min(id.find('/'), id.size());
  if (slash == id.size() || !is_name(id.substr(0, slash)) || !is_name(id.substr(slash + 1))) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("The id \"", id,
                        "\" is not \"<vendor>/<name>\" of lower case, digits, "
                        "hyphens and dots."));
  }
  const bool is_set = std::holds_alternative<isa::InstructionSet>(subject);
  return concat(id, is_set ? ".instruction_set.json" : ".descriptor.json");
}

// The content of a file that the catalog will read, which is tried here: one that it refuses would
// stand over a shipped one.
Result<std::string> text_of(const Subject& subject, const std::string& path) {
  constexpr std::size_t kMost = descriptors::DescriptorCatalog::kLargestFileBytes;
  const auto* const set = std::get_if<isa::InstructionSet>(&subject);
  std::string text =
      set != nullptr ? isa::write_instruction_set(*set)
                     : descriptors::write_descriptor(std::get<descriptors::Descriptor>(subject));
  if (text.size() > kMost) {
    return Error(ErrorCode::kCorruptData, concat("The document of ", subject_id(subject), " has ",
                                                 text.size(), " bytes; the most is ", kMost, "."));
  }
  if (set != nullptr) {
    HALYARD_TRY(isa::parse_instruction_set(text, path));
  } else {
    HALYARD_TRY(descriptors::parse_descriptor(text, path));
  }
  return text;
}

// Removes what a process left that was ended before its files took their places. The lock is held,
// so nobody is writing them.
void remove_left_files(const std::string& folder) {
  std::error_code ignored;
  std::vector<fs::path> left;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(base::StagedFile::kSuffix) && entry.is_regular_file(ignored)) {
      left.push_back(entry.path());
    }
  }
  for (const fs::path& path : left)
    fs::remove(path, ignored);
}

}  // namespace

Result<std::vector<StoredDocument>> store_documents(const std::string& folder,
                                                    const std::vector<const Subject*>& documents,
                                                    std::chrono::milliseconds patience) {
  std::vector<StoredDocument> stored;
  for (const Subject* const subject : documents) {
    HALYARD_TRY_ASSIGN(const std::string name, file_name_of(*subject));
    stored.push_back({subject_id(*subject), concat(folder, '/', name), false});
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    HALYARD_TRY_ASSIGN(std::string text, text_of(*documents[i], stored[i].path));
    texts.push_back(std::move(text));
  }
  HALYARD_TRY(base::make_private_directories(folder));
  HALYARD_TRY_ASSIGN(const FolderLock lock, FolderLock::take(folder, patience));
  for (StoredDocument& document : stored) {
    const std::string vendor_folder = document.path.substr(0, document.path.rfind('/'));
    HALYARD_TRY(base::make_private_directories(vendor_folder));
    remove_left_files(vendor_folder);
    std::error_code ignored;
    document.replaced = fs::exists(document.path, ignored);
  }
  std::vector<base::StagedFile> staged;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::span<const char> bytes(texts[i].data(), texts[i].size());
    HALYARD_TRY_ASSIGN(base::StagedFile file,
                       base::StagedFile::write(stored[i].path, std::as_bytes(bytes)));
    staged.push_back(std::move(file));
  }
  for (base::StagedFile& file : staged)
    HALYARD_TRY(file.commit());
  return stored;
}

}  // namespace halyard::services
