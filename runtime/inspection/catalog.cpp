// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/catalog.h"

#include "runtime/base/data_directory.h"
#include "runtime/base/environment.h"
#include "runtime/base/nearest_name.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace halyard::services {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using descriptors::Descriptor;
using descriptors::DescriptorCatalog;

// "RDNA 3.5" is meant by "amd/rdna3_5": letters and digits, in lower case.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') letters.push_back(static_cast<char>(c - 'A' + 'a'));
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) letters.push_back(c);
  }
  return letters;
}

std::string_view without_vendor(std::string_view id) {
  return id.substr(id.find('/') + 1);
}

bool is_missing(const Error& error) {
  return error.code() == ErrorCode::kNotFound;
}

Result<std::optional<Descriptor>> find_by_number(const DescriptorCatalog& catalog,
                                                 std::string_view name) {
  HALYARD_TRY_ASSIGN(std::optional<Descriptor> found, catalog.find_by_target(name));
  if (found) return found;
  return catalog.find_by_pci_id(name);
}

// The sentence of `missing`, unless an instruction set has a name that is near.
Error nearest_of_both(const DescriptorCatalog& catalog, std::string_view name, Error missing) {
  const std::vector<std::string> ids = catalog.instruction_set_ids();
  std::vector<std::string_view> known;
  for (const std::string& id : ids) {
    known.push_back(id);
    known.push_back(without_vendor(id));
  }
  const std::string clause = base::nearest_name_clause(name, known);
  if (clause.empty() || missing.message().find("nearest") != std::string::npos) return missing;
  return Error(ErrorCode::kNotFound,
               concat("There is no descriptor or instruction set \"", name, "\"", clause, "."));
}

}  // namespace

const char* subject_origin_name(SubjectOrigin origin) {
  return origin == SubjectOrigin::kShipped ? "shipped" : "imported";
}

std::optional<std::string> instruction_set_id(const DescriptorCatalog& catalog,
                                              std::string_view name) {
  const std::string letters = letters_of(name);
  std::optional<std::string> meant;
  for (const std::string& id : catalog.instruction_set_ids()) {
    if (id == name) return id;
    if (letters_of(id) != letters && letters_of(without_vendor(id)) != letters) continue;
    if (meant) return std::nullopt;
    meant = id;
  }
  return meant;
}

Result<Catalog> Catalog::open(std::optional<std::string> shipped_folder,
                              std::optional<std::string> imported_folder) {
  Catalog catalog;
  if (!shipped_folder || !imported_folder) {
    HALYARD_TRY_ASSIGN(const base::Configuration configuration, base::read_configuration({}));
    if (!imported_folder) imported_folder = configuration.imported_descriptors;
    if (!shipped_folder) {
      HALYARD_TRY_ASSIGN(const std::string data, base::find_data_directory(configuration));
      shipped_folder = data + "/descriptors";
    }
  }
  catalog.shipped_folder_ = std::move(*shipped_folder);
  catalog.imported_folder_ = std::move(imported_folder).value_or("");
  return catalog;
}

Result<std::string> Catalog::imported_folder() const {
  if (!imported_folder_.empty()) return imported_folder_;
  return Error(ErrorCode::kUnavailable,
               "There is no folder for imported descriptors, since neither XDG_DATA_HOME nor HOME "
               "is an absolute path.");
}

Result<DescriptorCatalog> Catalog::read() const {
  std::vector<std::string> folders = {shipped_folder_};
  if (!imported_folder_.empty()) folders.push_back(imported_folder_);
  return DescriptorCatalog::open(folders);
}

Result<Subject> Catalog::find(std::string_view name) const {
  HALYARD_TRY_ASSIGN(const DescriptorCatalog catalog, read());
  const std::vector<std::string> sets = catalog.instruction_set_ids();
  if (std::find(sets.begin(), sets.end(), name) != sets.end()) {
    HALYARD_TRY_ASSIGN(isa::InstructionSet set, catalog.find_instruction_set(name));
    return Subject(std::move(set));
  }
  Result<Descriptor> named = catalog.find(name);
  if (named) return Subject(std::move(*named));
  if (!is_missing(named.error())) return std::move(named.error());
  HALYARD_TRY_ASSIGN(std::optional<Descriptor> numbered, find_by_number(catalog, name));
  if (numbered) return Subject(std::move(*numbered));
  if (const std::optional<std::string> id = instruction_set_id(catalog, name)) {
    HALYARD_TRY_ASSIGN(isa::InstructionSet set, catalog.find_instruction_set(*id));
    return Subject(std::move(set));
  }
  return nearest_of_both(catalog, name, std::move(named.error()));
}

Result<Descriptor> Catalog::find_descriptor(std::string_view name) const {
  HALYARD_TRY_ASSIGN(Subject subject, find(name));
  if (auto* descriptor = std::get_if<Descriptor>(&subject)) return std::move(*descriptor);
  const std::string& set = std::get<isa::InstructionSet>(subject).id;
  HALYARD_TRY_ASSIGN(const DescriptorCatalog catalog, read());
  std::vector<std::string> users;
  for (const std::string& id : catalog.ids()) {
    const Result<Descriptor> descriptor = catalog.find(id);
    if (descriptor && descriptor->instruction_set == set) users.push_back(id);
  }
  const std::string clause =
      users.empty() ? std::string() : concat("; it is the one of ", base::join(users));
  return Error(ErrorCode::kInvalidArgument,
               concat("\"", set, "\" is an instruction set, not a descriptor", clause, "."));
}

SubjectOrigin Catalog::origin_of(std::string_view path) const {
  const std::string below = imported_folder_ + "/";
  return !imported_folder_.empty() && path.starts_with(below) ? SubjectOrigin::kImported
                                                              : SubjectOrigin::kShipped;
}

}  // namespace halyard::services
