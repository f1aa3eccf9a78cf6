// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/data_directory.h"

#include "runtime/base/dynamic_library.h"
#include "runtime/base/text.h"

#include <filesystem>
#include <system_error>

namespace halyard::base {
namespace {

bool is_data_directory(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_directory(path / "contracts", error);
}

}  // namespace

Result<std::string> find_data_directory(const Configuration& configuration) {
  const auto& setting = configuration.data_directory;
  if (setting.value) {
    if (is_data_directory(*setting.value)) return *setting.value;
    return Error(ErrorCode::kNotFound,
                 concat("Data directory \"", *setting.value, "\" (from ",
                        setting_origin_name(setting.origin), ") has no folder \"contracts\"."));
  }
  const std::string own = path_of_address(reinterpret_cast<const void*>(&find_data_directory));
  if (own.empty()) {
    return Error(ErrorCode::kNotFound,
                 "The library's own path is unknown; HALYARD_DATA_DIR names the data "
                 "directory.");
  }
  std::error_code error;
  const auto library = std::filesystem::canonical(own, error);
  const auto beside = library.parent_path() / "halyard";
  if (!error && is_data_directory(beside)) return beside.string();
  return Error(ErrorCode::kNotFound, concat("There are no bundled contracts in \"", beside.string(),
                                            "\"; HALYARD_DATA_DIR names another data directory."));
}

}  // namespace halyard::base
