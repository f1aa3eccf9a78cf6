// SPDX-License-Identifier: Apache-2.0
#include "tools/kernel_builder/data_directory.h"

#include "runtime/base/file.h"
#include "runtime/base/text.h"

#include <system_error>
#include <vector>

namespace halyard::kernel_builder {
namespace {

namespace fs = std::filesystem;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;

Error file_error(const fs::path& path, const std::error_code& code) {
  return Error(ErrorCode::kIoError, concat("\"", path.string(), "\": ", code.message(), "."));
}

Result<std::vector<fs::directory_entry>> list(const fs::path& folder) {
  std::vector<fs::directory_entry> entries;
  std::error_code code;
  fs::directory_iterator entry(folder, code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
    entries.push_back(*entry);
  }
  if (code) return file_error(folder, code);
  return entries;
}

}  // namespace

Result<bool> write_if_changed(const fs::path& path, std::string_view text) {
  const auto present = base::read_text_file(path.string(), kMaxFileBytes);
  if (present && *present == text) return false;
  HALYARD_TRY(base::write_file_atomic(path.string(), text));
  return true;
}

Status mirror_folder(const fs::path& from, const fs::path& to) {
  std::error_code code;
  if (!fs::is_directory(from, code)) return base::ok();
  fs::create_directories(to, code);
  if (code) return file_error(to, code);
  HALYARD_TRY_ASSIGN(const std::vector<fs::directory_entry> entries, list(from));
  std::set<std::string> keep;
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name[0] == '.') continue;
    keep.insert(name);
    if (entry.is_directory(code)) {
      HALYARD_TRY(mirror_folder(entry.path(), to / name));
    } else {
      HALYARD_TRY_ASSIGN(const std::string text,
                         base::read_text_file(entry.path().string(), kMaxFileBytes));
      HALYARD_TRY(write_if_changed(to / name, text));
    }
  }
  return remove_others(to, keep);
}

Status remove_others(const fs::path& folder, const std::set<std::string>& keep) {
  HALYARD_TRY_ASSIGN(const std::vector<fs::directory_entry> entries, list(folder));
  for (const fs::directory_entry& entry : entries) {
    if (keep.count(entry.path().filename().string()) != 0) continue;
    std::error_code code;
    fs::remove_all(entry.path(), code);
    if (code) return file_error(entry.path(), code);
  }
  return base::ok();
}

}  // namespace halyard::kernel_builder
