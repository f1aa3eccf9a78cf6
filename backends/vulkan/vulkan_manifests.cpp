// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_manifests.h"

#include "runtime/base/file.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

namespace halyard::vulkan {
namespace {

constexpr std::size_t kLargestManifestBytes = std::size_t{1} << 20;

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end != 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

// The manifests of a folder in the order of their names; none where there is no such folder.
void add_folder(const std::string& folder, std::vector<std::string>& paths) {
  std::error_code ignored;
  std::vector<std::string> found;
  for (std::filesystem::directory_iterator at(folder, ignored), end; at != end;
       at.increment(ignored)) {
    if (at->path().extension() == ".json") found.push_back(at->path().string());
  }
  std::sort(found.begin(), found.end());
  paths.insert(paths.end(), found.begin(), found.end());
}

std::vector<std::string> listed(const std::string& list) {
  std::vector<std::string> paths;
  for (const std::string& part : split(list)) {
    std::error_code ignored;
    if (std::filesystem::is_directory(part, ignored)) {
      add_folder(part, paths);
    } else {
      paths.push_back(part);
    }
  }
  return paths;
}

std::vector<std::string> search_folders(const base::EnvironmentLookup& lookup) {
  const std::optional<std::string> home = lookup("HOME");
  std::vector<std::string> roots;
  const auto add = [&](const char* variable, const std::optional<std::string>& otherwise) {
    const std::optional<std::string> value = lookup(variable);
    const std::optional<std::string>& list = value && !value->empty() ? value : otherwise;
    if (!list) return;
    for (std::string& root : split(*list))
      roots.push_back(std::move(root));
  };
  const auto below_home = [&](std::string_view folder) -> std::optional<std::string> {
    if (!home) return std::nullopt;
    return base::concat(*home, folder);
  };
  add("XDG_CONFIG_HOME", below_home("/.config"));
  add("XDG_CONFIG_DIRS", "/etc/xdg");
  roots.emplace_back("/etc");
  add("XDG_DATA_HOME", below_home("/.local/share"));
  add("XDG_DATA_DIRS", "/usr/local/share:/usr/share");
  return roots;
}

std::vector<std::string> manifest_paths(const base::EnvironmentLookup& lookup) {
  for (const char* variable : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) {
    if (const auto list = lookup(variable)) return listed(*list);
  }
  std::vector<std::string> paths;
  if (const auto list = lookup("VK_ADD_DRIVER_FILES")) paths = listed(*list);
  for (const std::string& root : search_folders(lookup))
    add_folder(root + "/vulkan/icd.d", paths);
  return paths;
}

}  // namespace

DriverManifests find_driver_manifests(const base::EnvironmentLookup& lookup) {
  DriverManifests manifests;
  for (const std::string& path : manifest_paths(lookup)) {
    const auto text = base::read_text_file(path, kLargestManifestBytes);
    if (!text) {
      manifests.broken.push_back({path, text.error().message()});
      continue;
    }
    const auto value = base::parse_json(*text, path);
    if (value) {
      manifests.usable.push_back(path);
    } else {
      manifests.broken.push_back({path, value.error().message()});
    }
  }
  return manifests;
}

ScopedEnvironmentVariable::ScopedEnvironmentVariable(std::string name, const std::string& value)
    : name_(std::move(name)),
      before_(base::process_environment(name_.c_str())) {
  setenv(name_.c_str(), value.c_str(), 1);
}

ScopedEnvironmentVariable::~ScopedEnvironmentVariable() {
  if (before_) {
    setenv(name_.c_str(), before_->c_str(), 1);
  } else {
    unsetenv(name_.c_str());
  }
}

}  // namespace halyard::vulkan
