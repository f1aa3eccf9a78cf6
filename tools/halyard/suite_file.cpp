// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/suite_file.h"

#include "tools/halyard/command.h"
#include "tools/halyard/document.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <filesystem>
#include <vector>

namespace halyard::command_line {
namespace {

std::string suite_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "there is none" : "there are " + text;
}

}  // namespace

std::string find_suite(const Instance& instance, const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".json")) return name;
  const auto report = parse_document(instance.report(), "The library's report");
  const auto folder = std::filesystem::path(text_of(report, "data_directory")) / "suites";
  const auto path = folder / (name + ".json");
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) return path.string();
  throw UsageError("There is no suite \"" + name + "\" in \"" + folder.string() + "\"; " +
                   suite_names(folder) + ".");
}

}  // namespace halyard::command_line
