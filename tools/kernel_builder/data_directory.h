// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace halyard::kernel_builder {

// Writes `text` where the file does not hold it already; true when it was written.
base::Result<bool> write_if_changed(const std::filesystem::path& path, std::string_view text);

// Makes `to` a copy of the folder `from`, without touching files that are the same; nothing where
// `from` is not there.
base::Status mirror_folder(const std::filesystem::path& from, const std::filesystem::path& to);

// Removes what lies directly in `folder` and is not named in `keep`.
base::Status remove_others(const std::filesystem::path& folder, const std::set<std::string>& keep);

}  // namespace halyard::kernel_builder
