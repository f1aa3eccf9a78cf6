// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_catalog.h"

#include "capability-descriptors/descriptor_json.h"
#include "capability-descriptors/descriptor_merge.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "runtime/base/file.h"
#include "runtime/base/nearest_name.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace halyard::descriptors {
namespace {

namespace fs = std::filesystem;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kDescriptorEnd = ".descriptor.json";
constexpr std::string_view kInstructionSetEnd = ".instruction_set.json";
constexpr std::string_view kCorrections = "corrections.json";

// Lower case, with one hyphen for each run of blanks, hyphens and underscores.
std::string normalised(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool gap = c == ' ' || c == '-' || c == '_';
    if (gap && (out.empty() || out.back() == '-')) continue;
    out.push_back(gap ? '-' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c));
  }
  while (!out.empty() && out.back() == '-')
    out.pop_back();
  return out;
}

// Whether `part` stands in `whole` between hyphens or its ends; both are normalised.
bool has_words(std::string_view whole, std::string_view part) {
  for (std::size_t at = whole.find(part); at != std::string_view::npos;
       at = whole.find(part, at + 1)) {
    const std::size_t end = at + part.size();
    if ((at == 0 || whole[at - 1] == '-') && (end == whole.size() || whole[end] == '-')) {
      return true;
    }
  }
  return false;
}

Error cannot_list(const fs::path& folder, const std::error_code& code) {
  return Error(
      code == std::errc::permission_denied ? ErrorCode::kPermissionDenied : ErrorCode::kIoError,
      concat("Directory \"", folder.string(), "\" is not listed: ", code.message(), "."));
}

// The entries of a folder; none where it is not there.
Result<std::vector<fs::path>> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code code;
  fs::directory_iterator entry(folder, code);
  if (code == std::errc::no_such_file_or_directory) return entries;
  // Below a file, such as a home of /dev/null, there is none either.
  std::error_code ignored;
  if (code == std::errc::not_a_directory && !fs::exists(folder, ignored)) return entries;
  for (; !code && entry != fs::directory_iterator(); entry.increment(code))
    entries.push_back(entry->path());
  if (code) return cannot_list(folder, code);
  return entries;
}

using Files = std::map<std::string, std::string, std::less<>>;

void add_file(const fs::path& file, const std::string& vendor, std::string_view end, Files& files) {
  const std::string name = file.filename().string();
  if (name.size() <= end.size() || !name.ends_with(end)) return;
  files.insert_or_assign(
      concat(vendor, '/', std::string_view(name).substr(0, name.size() - end.size())),
      file.string());
}

std::vector<std::string> keys_of(const Files& files) {
  std::vector<std::string> keys;
  for (const auto& [key, path] : files)
    keys.push_back(key);
  return keys;
}

std::string path_in(const Files& files, std::string_view id) {
  const auto found = files.find(id);
  return found == files.end() ? std::string() : found->second;
}

}  // namespace

Descriptor product_view(Descriptor architecture, std::size_t product) {
  Product chosen = std::move(architecture.products[product]);
  architecture.kind = DescriptorKind::kProduct;
  architecture.name = chosen.name;
  architecture.aliases = chosen.aliases;
  architecture.capabilities = overlay_capabilities(architecture.capabilities, chosen.capabilities);
  std::erase_if(architecture.missing, [&](const std::string& key) {
    return architecture.capabilities.find(key) != nullptr;
  });
  architecture.products = {std::move(chosen)};
  return architecture;
}

Result<DescriptorCatalog> DescriptorCatalog::open(const std::vector<std::string>& folders) {
  DescriptorCatalog catalog;
  for (const std::string& folder : folders) {
    HALYARD_TRY_ASSIGN(const std::vector<fs::path> vendors, entries_of(folder));
    for (const fs::path& vendor : vendors) {
      std::error_code ignored;
      if (!fs::is_directory(vendor, ignored)) continue;
      HALYARD_TRY_ASSIGN(const std::vector<fs::path> files, entries_of(vendor));
      for (const fs::path& file : files) {
        const std::string name = vendor.filename().string();
        add_file(file, name, kDescriptorEnd, catalog.descriptor_files_);
        add_file(file, name, kInstructionSetEnd, catalog.instruction_set_files_);
        if (file.filename() == kCorrections) catalog.correction_files_.push_back(file.string());
      }
    }
  }
  std::sort(catalog.correction_files_.begin(), catalog.correction_files_.end());
  return catalog;
}

std::vector<std::string> DescriptorCatalog::ids() const {
  return keys_of(descriptor_files_);
}

std::vector<std::string> DescriptorCatalog::instruction_set_ids() const {
  return keys_of(instruction_set_files_);
}

std::string DescriptorCatalog::path_of(std::string_view id) const {
  return path_in(descriptor_files_, id);
}

std::string DescriptorCatalog::path_of_instruction_set(std::string_view id) const {
  return path_in(instruction_set_files_, id);
}

Result<Descriptor> DescriptorCatalog::read(std::string_view id) const {
  const std::string path = path_of(id);
  HALYARD_TRY_ASSIGN(const std::string text, base::read_text_file(path, kLargestFileBytes));
  HALYARD_TRY_ASSIGN(Descriptor descriptor, parse_descriptor(text, path));
  if (descriptor.id != id) {
    return Error(ErrorCode::kCorruptData, concat(path, ": /id is \"", descriptor.id, "\", not \"",
                                                 id, "\" as the file's name."));
  }
  return descriptor;
}

Result<Descriptor> DescriptorCatalog::read(const Entry& entry) const {
  HALYARD_TRY_ASSIGN(Descriptor descriptor, read(entry.id));
  if (entry.product >= descriptor.products.size()) return descriptor;
  return product_view(std::move(descriptor), entry.product);
}

const DescriptorCatalog::Index& DescriptorCatalog::index() const {
  if (index_) return *index_;
  index_.emplace();
  for (const auto& [id, path] : descriptor_files_) {
    Result<Descriptor> descriptor = read(id);
    if (!descriptor) {
      problems_.push_back(std::move(descriptor.error()));
      continue;
    }
    for (const std::string& alias : descriptor->aliases)
      index_->names.try_emplace(normalised(alias), Entry{id, kNoProduct});
    if (descriptor->kind == DescriptorKind::kReport) {
      add_report(*descriptor);
      continue;
    }
    for (const std::string& target : descriptor->targets)
      index_->targets.try_emplace(target, id);
    for (std::size_t i = 0; i < descriptor->products.size(); ++i) {
      const Product& product = descriptor->products[i];
      index_->names.try_emplace(normalised(product.name), Entry{id, i});
      for (const std::string& alias : product.aliases)
        index_->names.try_emplace(normalised(alias), Entry{id, i});
      for (const std::string& pci_id : product.pci_ids)
        index_->pci_ids.emplace(pci_id, Entry{id, i});
    }
  }
  return *index_;
}

void DescriptorCatalog::add_report(const Descriptor& report) const {
  for (const Product& product : report.products) {
    for (const std::string& pci_id : product.pci_ids)
      index_->report_pci_ids.try_emplace(pci_id, report.id);
  }
}

Result<Descriptor> DescriptorCatalog::find(std::string_view id_or_alias) const {
  if (descriptor_files_.contains(id_or_alias)) return read(id_or_alias);
  const std::string name = normalised(id_or_alias);
  for (const auto& [id, path] : descriptor_files_) {
    if (normalised(id) == name) return read(id);
  }
  const Index& all = index();
  const auto found = all.names.find(name);
  if (found != all.names.end()) return read(found->second);
  std::vector<std::string_view> known;
  for (const auto& [id, path] : descriptor_files_)
    known.push_back(id);
  for (const auto& [alias, entry] : all.names)
    known.push_back(alias);
  // The name of an architecture is asked for without its vendor too.
  for (const auto& [id, path] : descriptor_files_) {
    if (normalised(std::string_view(id).substr(id.find('/') + 1)) == name) return read(id);
  }
  return Error(ErrorCode::kNotFound, concat("There is no descriptor \"", id_or_alias, "\"",
                                            base::nearest_names_clause(name, known), "."));
}

Result<isa::InstructionSet> DescriptorCatalog::find_instruction_set(std::string_view id) const {
  const std::string path = path_of_instruction_set(id);
  if (path.empty()) {
    std::vector<std::string_view> known;
    for (const auto& [name, file] : instruction_set_files_)
      known.push_back(name);
    return Error(ErrorCode::kNotFound, concat("There is no instruction set \"", id, "\"",
                                              base::nearest_name_clause(id, known), "."));
  }
  HALYARD_TRY_ASSIGN(const std::string text, base::read_text_file(path, kLargestFileBytes));
  HALYARD_TRY_ASSIGN(isa::InstructionSet set, isa::parse_instruction_set(text, path));
  if (set.id != id) {
    return Error(ErrorCode::kCorruptData,
                 concat(path, ": /id is \"", set.id, "\", not \"", id, "\" as the file's name."));
  }
  HALYARD_TRY_ASSIGN(const std::vector<isa::Correction> all, corrections());
  HALYARD_TRY(isa::apply_corrections(all, set));
  return set;
}

Result<std::vector<isa::Correction>> DescriptorCatalog::corrections() const {
  std::vector<isa::Correction> all;
  for (const std::string& path : correction_files_) {
    HALYARD_TRY_ASSIGN(const std::string text, base::read_text_file(path, kLargestFileBytes));
    HALYARD_TRY_ASSIGN(std::vector<isa::Correction> some, isa::parse_corrections(text, path));
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

Result<std::optional<Descriptor>> DescriptorCatalog::find_by_file_name(
    std::string_view target) const {
  const std::size_t dash = target.find('-');
  const std::string_view tail = dash == std::string_view::npos ? target : target.substr(dash + 1);
  for (const auto& [id, path] : descriptor_files_) {
    const std::string_view name = std::string_view(id).substr(id.find('/') + 1);
    if (name != tail && name != target) continue;
    Result<Descriptor> descriptor = read(id);
    if (!descriptor) return std::move(descriptor.error());
    if (descriptor->kind == DescriptorKind::kReport) continue;
    const auto& targets = descriptor->targets;
    if (std::find(targets.begin(), targets.end(), target) != targets.end()) {
      return std::optional<Descriptor>(std::move(*descriptor));
    }
  }
  return std::optional<Descriptor>();
}

Result<std::optional<Descriptor>> DescriptorCatalog::find_by_target(std::string_view target) const {
  for (const std::string_view text : {target, target.substr(0, target.find(':'))}) {
    HALYARD_TRY_ASSIGN(std::optional<Descriptor> named, find_by_file_name(text));
    if (named) return named;
    const auto found = index().targets.find(text);
    if (found == index().targets.end()) continue;
    HALYARD_TRY_ASSIGN(Descriptor descriptor, read(found->second));
    return std::optional<Descriptor>(std::move(descriptor));
  }
  return std::optional<Descriptor>();
}

Result<std::optional<Descriptor>> DescriptorCatalog::find_by_pci_id(std::string_view pci_id) const {
  const auto [first, last] = index().pci_ids.equal_range(pci_id);
  if (first == last) {
    const auto report = index().report_pci_ids.find(pci_id);
    if (report == index().report_pci_ids.end()) return std::optional<Descriptor>();
    HALYARD_TRY_ASSIGN(Descriptor descriptor, read(report->second));
    return std::optional<Descriptor>(std::move(descriptor));
  }
  if (std::next(first) == last) {
    HALYARD_TRY_ASSIGN(Descriptor product, read(first->second));
    return std::optional<Descriptor>(std::move(product));
  }
  HALYARD_TRY_ASSIGN(Descriptor architecture, read(first->second.id));
  std::erase_if(architecture.products, [&](const Product& product) {
    return std::find(product.pci_ids.begin(), product.pci_ids.end(), pci_id) ==
           product.pci_ids.end();
  });
  return std::optional<Descriptor>(std::move(architecture));
}

std::optional<DescriptorCatalog::Entry> DescriptorCatalog::product_within(
    std::string_view device_name, std::string_view id) const {
  const std::string whole = normalised(device_name);
  std::optional<Entry> longest;
  std::size_t size = 0;
  for (const auto& [name, entry] : index().names) {
    const bool meant = entry.product != kNoProduct && (id.empty() || entry.id == id);
    if (!meant || name.size() <= size || !has_words(whole, name)) continue;
    longest = entry;
    size = name.size();
  }
  return longest;
}

Result<std::optional<Descriptor>> DescriptorCatalog::find_for_device(
    const DeviceIdentity& device) const {
  std::optional<Descriptor> found;
  for (const std::string& target : device.targets) {
    if (found) break;
    HALYARD_TRY_ASSIGN(found, find_by_target(target));
    if (found && found->kind != DescriptorKind::kArchitecture) found.reset();
  }
  if (!device.pci_id.empty() && (!found || !found->products.empty())) {
    HALYARD_TRY_ASSIGN(std::optional<Descriptor> by_pci_id, find_by_pci_id(device.pci_id));
    const bool is_report = by_pci_id && by_pci_id->kind == DescriptorKind::kReport;
    if (by_pci_id && !is_report && (!found || found->id == by_pci_id->id)) {
      found = std::move(by_pci_id);
    }
  }
  if (found && (found->kind == DescriptorKind::kProduct || found->products.empty())) return found;
  const std::optional<Entry> product = product_within(device.name, found ? found->id : "");
  if (product) {
    HALYARD_TRY_ASSIGN(found, read(*product));
  }
  return found;
}

}  // namespace halyard::descriptors
