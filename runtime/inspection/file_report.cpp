// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/file_report.h"

#include "capability-descriptors/isa/correction.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/text.h"
#include "runtime/inspection/descriptor_file.h"
#include "runtime/inspection/document_json.h"
#include "runtime/inspection/import_folder.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <utility>
#include <vector>

namespace halyard::services {
namespace {

namespace json = boost::json;
using base::Result;
using descriptors::Descriptor;
using isa::InstructionSet;

json::object counts_of(const InstructionSet& set) {
  std::size_t forms = 0;
  for (const isa::Instruction& instruction : set.instructions)
    forms += instruction.forms.size();
  return {{"encodings", set.encodings.size()},
          {"instructions", set.instructions.size()},
          {"instruction_encodings", forms},
          {"data_formats", set.data_formats.size()},
          {"operand_types", set.operand_types.size()}};
}

json::object report_of(const InstructionSet& set) {
  json::array unresolved;
  for (const isa::Unresolved& entry : set.unresolved)
    unresolved.push_back(json::object{{"path", entry.path}, {"what", entry.what}});
  json::object report{{"kind", "instruction_set"},
                      {"id", set.id},
                      {"name", set.architecture},
                      {"basis", set.basis},
                      {"note", set.note},
                      {"counts", counts_of(set)},
                      {"unresolved", std::move(unresolved)}};
  if (!set.sources.empty()) {
    const isa::InstructionSetSource& source = set.sources.front();
    report["schema_version"] = source.schema_version;
    report["date"] = source.date;
    report["licence"] = source.licence;
    report["sha256"] = source.sha256;
  }
  return report;
}

json::object report_of(const Descriptor& descriptor) {
  return {{"kind", "descriptor"},
          {"id", descriptor.id},
          {"name", descriptor.name},
          {"counts",
           {{"capabilities", descriptor.capabilities.all().size()},
            {"matrix_operations", descriptor.matrix_operations.size()},
            {"products", descriptor.products.size()},
            {"notes", descriptor.notes.size()}}},
          {"unresolved", json::array()},
          {"missing", text_array(descriptor.missing)}};
}

json::array reports_of(const DescriptorFile& file) {
  json::array reports;
  for (const FileDocument& document : file.documents) {
    json::object report =
        std::visit([](const auto& subject) { return report_of(subject); }, document.subject);
    report["source"] = document.source;
    reports.push_back(std::move(report));
  }
  return reports;
}

std::string document_of(const char* format, const std::string& path, const DescriptorFile& file,
                        json::array reports) {
  return base::canonical_json(json::object{{"format", format},
                                           {"file", path},
                                           {"file_kind", file_kind_name(file.kind)},
                                           {"documents", std::move(reports)}});
}

// A target is a name of machine code that one descriptor has.
base::Status refuse_targets_of_others(const descriptors::DescriptorCatalog& files,
                                      const Descriptor& descriptor) {
  if (descriptor.kind != descriptors::DescriptorKind::kArchitecture) return base::ok();
  for (const std::string& target : descriptor.targets) {
    HALYARD_TRY_ASSIGN(const std::optional<Descriptor> owner, files.find_by_target(target));
    if (owner && owner->id != descriptor.id) {
      return base::Error(base::ErrorCode::kInvalidArgument,
                         base::concat("Target \"", target, "\" of ", descriptor.id, " is one of ",
                                      owner->id, "."));
    }
  }
  return base::ok();
}

}  // namespace

Result<std::string> check_file(const std::string& path) {
  HALYARD_TRY_ASSIGN(const DescriptorFile file, read_descriptor_file(path));
  return document_of("halyard.descriptor_check/1", path, file, reports_of(file));
}

Result<std::string> import_file(const Catalog& catalog, const std::string& path) {
  HALYARD_TRY_ASSIGN(const std::string folder, catalog.imported_folder());
  HALYARD_TRY_ASSIGN(DescriptorFile file, read_descriptor_file(path));
  json::array reports = reports_of(file);
  HALYARD_TRY_ASSIGN(const descriptors::DescriptorCatalog files, catalog.read());
  HALYARD_TRY_ASSIGN(const std::vector<isa::Correction> corrections, files.corrections());
  std::vector<const Subject*> subjects;
  for (FileDocument& document : file.documents) {
    if (auto* set = std::get_if<InstructionSet>(&document.subject)) {
      HALYARD_TRY(isa::apply_corrections(corrections, *set));
    } else {
      HALYARD_TRY(refuse_targets_of_others(files, std::get<Descriptor>(document.subject)));
    }
    subjects.push_back(&document.subject);
  }
  HALYARD_TRY_ASSIGN(const std::vector<StoredDocument> stored, store_documents(folder, subjects));
  for (std::size_t i = 0; i < stored.size(); ++i) {
    json::object& report = reports[i].as_object();
    report["path"] = stored[i].path;
    report["replaced"] = stored[i].replaced;
    if (const auto* set = std::get_if<InstructionSet>(subjects[i])) {
      report["corrections"] = text_array(set->corrections);
    }
  }
  return document_of("halyard.descriptor_import/1", path, file, std::move(reports));
}

}  // namespace halyard::services
