// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/package_folder.h"

#include "runtime/base/file.h"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace halyard::fleet {

PackageFolder::PackageFolder(std::string path) : path_(std::move(path)) {}

PackageFolder::PackageFolder(PackageFolder&& other) noexcept
    : path_(std::exchange(other.path_, std::string())) {}

PackageFolder::~PackageFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

// Names are those that a package may have: none leads out of the folder.
base::Result<PackageFolder> PackageFolder::make(const store::KernelPackage& package) {
  std::error_code code;
  std::string pattern = (std::filesystem::temp_directory_path(code) / "halyard-request-XXXXXX");
  if (code || ::mkdtemp(pattern.data()) == nullptr) {
    return base::system_error(code ? code.value() : errno, "Cannot make the folder", pattern);
  }
  PackageFolder folder(std::move(pattern));
  HALYARD_TRY(base::write_file_atomic(folder.path_ + "/kernel.json",
                                      std::string_view(package.record.canonical_json), 0600));
  for (const auto& [name, contents] : package.files) {
    HALYARD_TRY(
        base::write_file_atomic(folder.path_ + "/" + name, std::string_view(contents), 0600));
  }
  return folder;
}

}  // namespace halyard::fleet
