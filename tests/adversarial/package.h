// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/object.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace halyard::adversarial {

// A kernel package before it is written to a folder.
struct Package {
  boost::json::object record;                // kernel.json
  std::optional<std::string> raw_record;     // kernel.json as it is, instead of `record`
  std::map<std::string, std::string> files;  // by name, relative to the folder
  std::map<std::string, std::string> links;  // symbolic links: name to target
  std::optional<std::string> pipe;           // a named pipe
  std::string fault;                         // an edit that did not fit; such a case is no case
};

// The value of kernel.json at a JSON pointer ("/stages/0/grid") becomes that of `json`. A key that
// its object does not have is added, and "-" appends to an array.
Package with_value(Package package, std::string_view pointer, std::string_view json);
// Without that key.
Package without_value(Package package, std::string_view pointer);

// The source's text as a whole.
Package with_source(Package package, std::string_view text);
// The one place where the source says `from` says `to`.
Package edited(Package package, std::string_view from, std::string_view to);
// `text` stands before the one place where the source says `before`.
Package inserted(Package package, std::string_view before, std::string_view text);
// With another file that kernel.json names.
Package with_file(Package package, std::string_view name, std::string_view text);
// kernel.json as text, with the one place that says `from` saying `to`.
Package with_raw_record(Package package, std::string_view from, std::string_view to);

const std::string& source_of(const Package& package);
std::string name_of(const Package& package);
// "rms_norm", or "" where kernel.json names none.
std::string contract_of(const Package& package);
bool is_vulkan(const Package& package);
// The first processor that the package is for, "gfx1100"; "" for a package of another kind.
std::string amd_processor(const Package& package);

std::string record_text(const Package& package);

// Writes kernel.json, files and links to `folder`, which exists and is empty. False where a name is
// one that no file can have.
bool write_package(const Package& package, const std::filesystem::path& folder);

}  // namespace halyard::adversarial
