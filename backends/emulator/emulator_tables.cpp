// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_tables.h"

#include "capability-descriptors/descriptor_catalog.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/text.h"

#include <span>
#include <utility>

namespace halyard::emulator {
namespace {

using descriptors::DescriptorCatalog;

base::Result<DescriptorCatalog> open_catalog(const std::string& data_directory) {
  return DescriptorCatalog::open({data_directory + "/descriptors"});
}

base::Error missing(const EmulatedTarget& target, const std::string& data_directory) {
  return base::Error(
      base::ErrorCode::kNotFound,
      base::concat("The data directory ", data_directory, " has no instruction set \"",
                   target.instruction_set, "\", which ", target.processor, " needs."));
}

}  // namespace

EmulatorTables::EmulatorTables(EmulatedTarget target, std::string data_directory)
    : target_(std::move(target)),
      data_directory_(std::move(data_directory)) {}

base::Result<std::string> EmulatorTables::fingerprint() const {
  HALYARD_TRY_ASSIGN(const DescriptorCatalog catalog, open_catalog(data_directory_));
  const std::string path = catalog.path_of_instruction_set(target_.instruction_set);
  if (path.empty()) return missing(target_, data_directory_);
  base::Sha256 hash;
  HALYARD_TRY_ASSIGN(const std::string tables,
                     base::read_text_file(path, DescriptorCatalog::kLargestFileBytes));
  hash.update_field("tables", tables);
  const std::string corrections = path.substr(0, path.rfind('/')) + "/corrections.json";
  auto text = base::read_text_file(corrections, DescriptorCatalog::kLargestFileBytes);
  if (!text && text.error().code() != base::ErrorCode::kNotFound) return std::move(text.error());
  if (text) hash.update_field("corrections", *text);
  const base::Sha256Digest digest = hash.finish();
  return base::to_hex(std::span(digest).first(8));
}

base::Result<const IsaTables*> EmulatorTables::get() {
  const std::lock_guard lock(mutex_);
  if (!tables_) {
    HALYARD_TRY_ASSIGN(const DescriptorCatalog catalog, open_catalog(data_directory_));
    HALYARD_TRY_ASSIGN(isa::InstructionSet set,
                       catalog.find_instruction_set(target_.instruction_set));
    HALYARD_TRY_ASSIGN(IsaTables tables, IsaTables::create(target_, std::move(set)));
    tables_.emplace(std::move(tables));
  }
  return &*tables_;
}

}  // namespace halyard::emulator
