// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_xml.h"

#include "capability-descriptors/isa/amd_isa_architecture.h"
#include "capability-descriptors/isa/amd_isa_encoding.h"
#include "capability-descriptors/isa/amd_isa_instruction.h"
#include "capability-descriptors/isa/amd_isa_operand.h"
#include "capability-descriptors/isa/xml_text.h"
#include "runtime/base/sha256.h"
#include "runtime/base/text.h"

#include <charconv>

namespace halyard::isa {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

constexpr std::uint64_t kSchemaMajor = 1;
constexpr std::uint64_t kNewestSchemaMinor = 2;

class AmdIsaReader {
 public:
  AmdIsaReader(const pugi::xml_document& document, std::string_view source_name)
      : spec_(document.document_element()),
        isa_(spec_.child("ISA")),
        source_name_(source_name) {}

  Result<InstructionSet> read(std::string_view text) {
    HALYARD_TRY(check_shape());
    HALYARD_TRY(read_architecture());
    HALYARD_TRY(read_document(text));
    read_data_formats(isa_.child("DataFormats"), {&isa_path_, "DataFormats", 0}, set_,
                      names_.data_formats, findings_);
    read_operand_types(isa_.child("OperandTypes"), {&isa_path_, "OperandTypes", 0}, set_,
                       names_.operand_types, findings_);
    read_encodings(isa_.child("Encodings"), {&isa_path_, "Encodings", 0}, set_, names_.encodings,
                   findings_);
    read_groups();
    read_instructions(isa_.child("Instructions"), {&isa_path_, "Instructions", 0}, names_, set_,
                      findings_);
    if (set_.encodings.empty()) return error(isa_path_, "defines no encoding that can be read");
    if (set_.instructions.empty()) return error(isa_path_, "defines no instruction");
    if (findings_.too_many()) {
      return error(isa_path_, concat("holds more than ", ImportFindings::kMost,
                                     " things that cannot be resolved"));
    }
    set_.unresolved = findings_.take();
    return std::move(set_);
  }

 private:
  Error error(const ElementPath& path, std::string_view what,
              ErrorCode code = ErrorCode::kCorruptData) const {
    return Error(code, concat(source_name_, ": ", path.text(), ' ', what, '.'));
  }

  Status check_shape() const {
    if (std::string_view(spec_.name()) != "Spec")
      return error({nullptr, spec_.name(), 0}, "is not Spec, the root of AMD's files");
    HALYARD_TRY(check_once(spec_, spec_path_, "Document"));
    HALYARD_TRY(check_once(spec_, spec_path_, "ISA"));
    for (const char* const name :
         {"Architecture", "Encodings", "Instructions", "DataFormats", "OperandTypes"})
      HALYARD_TRY(check_once(isa_, isa_path_, name));
    return base::ok();
  }

  // A second architecture would be lost in the first one.
  Status check_once(const pugi::xml_node& parent, const ElementPath& path, const char* name) const {
    const pugi::xml_node child = parent.child(name);
    if (!child) return error(path, concat("has no ", name));
    if (child.next_sibling(name))
      return error({&path, name, 2}, concat("is a second ", name, "; a file has one"));
    return base::ok();
  }

  Status read_architecture() {
    const pugi::xml_node node = isa_.child("Architecture");
    const ElementPath path = {&isa_path_, "Architecture", 0};
    HALYARD_TRY(check_once(node, path, "ArchitectureName"));
    set_.architecture = child_text(node, "ArchitectureName");
    if (const auto number = child_number(node, "ArchitectureId"); number && *number < (1U << 31))
      set_.architecture_id = static_cast<std::int64_t>(*number);
    const auto id = amd_architecture_id(set_.architecture, set_.architecture_id, source_name_);
    if (!id) return error(path, concat("names no architecture: \"", set_.architecture, '"'));
    set_.id = *id;
    return base::ok();
  }

  Status read_document(std::string_view text) {
    const pugi::xml_node node = spec_.child("Document");
    InstructionSetSource source;
    source.title = source_name_.substr(source_name_.find_last_of('/') + 1);
    source.sha256 = base::to_hex(base::Sha256::of(text));
    source.date = child_text(node, "ReleaseDate");
    source.licence = child_text(node, "License");
    source.schema_version = child_text(node, "SchemaVersion");
    HALYARD_TRY(check_schema_version(source.schema_version));
    set_.sources.push_back(std::move(source));
    set_.basis = "imported";
    const std::string copyright = plain_text(child_text(node, "Copyright"));
    if (copyright.find("not an AMD file") != std::string::npos) {
      set_.basis = "reconstructed";
      set_.note = copyright;
    }
    return base::ok();
  }

  Status check_schema_version(const std::string& version) {
    const ElementPath document_path = {&spec_path_, "Document", 0};
    const ElementPath path = {&document_path, "SchemaVersion", 0};
    std::uint64_t major = 0;
    std::uint64_t minor = 0;
    const char* const end = version.data() + version.size();
    const auto [dot, major_error] = std::from_chars(version.data(), end, major);
    const bool has_minor = major_error == std::errc() && dot != end && *dot == '.' &&
                           std::from_chars(dot + 1, end, minor).ec == std::errc();
    if (!has_minor) return error(path, concat("is \"", version, "\", not of the form 1.2.0"));
    if (major != kSchemaMajor) {
      return error(
          path,
          concat("is ", version, "; what can be read is 1.0.0 to 1.", kNewestSchemaMinor, ".x"),
          ErrorCode::kUnsupported);
    }
    if (minor > kNewestSchemaMinor) {
      findings_.add(path, concat("Schema ", version, " is newer than 1.", kNewestSchemaMinor,
                                 ", the newest that is known; what it adds is not read."));
    }
    return base::ok();
  }

  void read_groups() {
    const pugi::xml_node groups = isa_.child("FunctionalGroups");
    names_.lists_groups = !groups.empty();
    for (const pugi::xml_node& node : groups.children("FunctionalGroup"))
      names_.groups.add(child_text(node, "Name"), 0);
    const pugi::xml_node subgroups = isa_.child("FunctionalSubgroups");
    names_.lists_subgroups = !subgroups.empty();
    for (const pugi::xml_node& node : subgroups.children("FunctionalSubgroup"))
      names_.subgroups.add(child_text(node, "Name"), 0);
  }

  pugi::xml_node spec_;
  pugi::xml_node isa_;
  std::string_view source_name_;
  ElementPath spec_path_ = {nullptr, "Spec", 0};
  ElementPath isa_path_ = {&spec_path_, "ISA", 0};
  InstructionSet set_;
  ReferencedNames names_;
  ImportFindings findings_;
};

}  // namespace

Result<InstructionSet> read_amd_isa_xml(std::string_view text, std::string_view source_name) {
  HALYARD_TRY(check_xml_text(text, source_name));
  pugi::xml_document document;
  const pugi::xml_parse_result parsed =
      document.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_embed_pcdata,
                           pugi::encoding_utf8);
  if (!parsed) {
    return Error(
        ErrorCode::kCorruptData,
        concat(source_name, ": ", xml_path_at(text, static_cast<std::size_t>(parsed.offset)),
               " is not well-formed at byte ", parsed.offset, ": ", parsed.description(), '.'));
  }
  return AmdIsaReader(document, source_name).read(text);
}

}  // namespace halyard::isa
