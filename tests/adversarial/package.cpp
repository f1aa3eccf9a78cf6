// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/package.h"

#include "runtime/base/text.h"

#include <sys/stat.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fstream>
#include <system_error>
#include <utility>

namespace halyard::adversarial {
namespace {

using base::concat;

constexpr std::string_view kSourceKey = "source";

void note(Package& package, std::string text) {
  if (package.fault.empty()) package.fault = std::move(text);
}

// Replaces the one occurrence of `from` in `text`.
void replace_one(Package& package, std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) {
    return note(package, concat("The edit of \"", from, "\" fits nowhere."));
  }
  if (text.find(from, at + 1) != std::string::npos) {
    return note(package, concat("The edit of \"", from, "\" fits in more than one place."));
  }
  text.replace(at, from.size(), to);
}

std::string* find_source(Package& package) {
  const auto found = package.files.find(name_of(package));
  if (found != package.files.end()) return &found->second;
  note(package, "The package has no source.");
  return nullptr;
}

// The parent of what the pointer names, and the last token.
boost::json::value* parent_of(Package& package, std::string_view pointer, std::string& last,
                              boost::json::value& root) {
  root = package.record;
  const std::size_t slash = pointer.rfind('/');
  last = std::string(pointer.substr(slash + 1));
  boost::system::error_code code;
  boost::json::value* const parent =
      root.find_pointer(boost::json::string_view(pointer.data(), slash), code);
  if (parent == nullptr) note(package, concat("kernel.json has nothing above ", pointer, '.'));
  return parent;
}

}  // namespace

Package with_value(Package package, std::string_view pointer, std::string_view json) {
  boost::json::value root;
  std::string last;
  boost::json::value* const parent = parent_of(package, pointer, last, root);
  boost::system::error_code code;
  const boost::json::value value =
      boost::json::parse(boost::json::string_view(json.data(), json.size()), code);
  if (code) note(package, concat("\"", json, "\" is no JSON."));
  if (parent == nullptr || code) return package;
  if (parent->is_object()) {
    parent->get_object()[last] = value;
  } else if (parent->is_array() && last == "-") {
    parent->get_array().push_back(value);
  } else if (parent->is_array() && std::stoul(last) < parent->get_array().size()) {
    parent->get_array()[std::stoul(last)] = value;
  } else {
    note(package, concat("kernel.json has no place for ", pointer, '.'));
  }
  package.record = root.get_object();
  return package;
}

Package without_value(Package package, std::string_view pointer) {
  boost::json::value root;
  std::string last;
  boost::json::value* const parent = parent_of(package, pointer, last, root);
  if (parent == nullptr) return package;
  if (parent->is_object() && parent->get_object().erase(last) == 1) {
    package.record = root.get_object();
  } else if (parent->is_array() && std::stoul(last) < parent->get_array().size()) {
    auto& array = parent->get_array();
    array.erase(array.begin() + static_cast<std::ptrdiff_t>(std::stoul(last)));
    package.record = root.get_object();
  } else {
    note(package, concat("kernel.json has no ", pointer, '.'));
  }
  return package;
}

Package with_source(Package package, std::string_view text) {
  package.files[name_of(package)] = std::string(text);
  return package;
}

Package edited(Package package, std::string_view from, std::string_view to) {
  if (std::string* const source = find_source(package)) replace_one(package, *source, from, to);
  return package;
}

Package inserted(Package package, std::string_view before, std::string_view text) {
  const std::string both = concat(text, before);
  return edited(std::move(package), before, both);
}

Package with_file(Package package, std::string_view name, std::string_view text) {
  package.files[std::string(name)] = std::string(text);
  boost::json::value& names = package.record["files"];
  if (!names.is_array()) names.emplace_array();
  names.get_array().emplace_back(boost::json::string_view(name.data(), name.size()));
  return package;
}

Package with_raw_record(Package package, std::string_view from, std::string_view to) {
  std::string text = record_text(package);
  replace_one(package, text, from, to);
  package.raw_record = std::move(text);
  return package;
}

const std::string& source_of(const Package& package) {
  static const std::string kNone;
  const auto found = package.files.find(name_of(package));
  return found == package.files.end() ? kNone : found->second;
}

std::string name_of(const Package& package) {
  const boost::json::value* const name =
      package.record.if_contains(boost::json::string_view(kSourceKey.data(), kSourceKey.size()));
  return name != nullptr && name->is_string() ? std::string(name->get_string().c_str()) : "";
}

std::string contract_of(const Package& package) {
  const boost::json::value* const contract = package.record.if_contains("contract");
  if (contract == nullptr || !contract->is_string()) return "";
  const std::string text(contract->get_string().c_str());
  return text.substr(0, text.find('@'));
}

bool is_vulkan(const Package& package) {
  const boost::json::value* const language = package.record.if_contains("language");
  if (language == nullptr || !language->is_string()) return false;
  const std::string text(language->get_string().c_str());
  return text == "glsl" || text.starts_with("spirv");
}

std::string amd_processor(const Package& package) {
  constexpr std::string_view kStart = "amdgcn-";
  const boost::json::value* const targets = package.record.if_contains("targets");
  if (targets == nullptr || !targets->is_array() || targets->get_array().empty()) return "";
  const boost::json::value& first = targets->get_array().front();
  if (!first.is_string()) return "";
  const std::string text(first.get_string().c_str());
  return text.starts_with(kStart) ? text.substr(kStart.size()) : "";
}

std::string record_text(const Package& package) {
  return package.raw_record ? *package.raw_record : boost::json::serialize(package.record);
}

bool write_package(const Package& package, const std::filesystem::path& folder) {
  const auto write = [&folder](const std::string& name, const std::string& text) {
    std::ofstream out(folder / name, std::ios::binary);
    out << text;
    return static_cast<bool>(out);
  };
  const bool has_own_record =
      package.files.count("kernel.json") != 0 || package.links.count("kernel.json") != 0;
  if (!has_own_record && !write("kernel.json", record_text(package))) return false;
  for (const auto& [name, text] : package.files) {
    // A name that leads out of the folder has no file: what it names is not ours to write.
    if (name.find('/') != std::string::npos || name.find('\0') != std::string::npos) continue;
    if (!write(name, text)) return false;
  }
  for (const auto& [name, target] : package.links) {
    std::error_code code;
    std::filesystem::create_symlink(target, folder / name, code);
    if (code) return false;
  }
  return !package.pipe || ::mkfifo((folder / *package.pipe).c_str(), 0600) == 0;
}

}  // namespace halyard::adversarial
