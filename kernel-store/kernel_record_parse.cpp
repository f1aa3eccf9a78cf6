// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_json_reader.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::JsonObject;
using base::Result;
using base::Status;

constexpr std::string_view kFormat = "halyard.kernel/1";
constexpr base::JsonLimits kLimits{.size_bytes = std::size_t{1} << 20, .depth = 16};

bool matches_only(std::string_view text, std::string_view extra) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           extra.find(c) != std::string_view::npos;
  });
}

// A positive number after the last `separator` of `text`; what is before it goes to *stem.
std::optional<std::uint32_t> split_number(std::string_view text, char separator,
                                          std::string_view* stem) {
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(at + 1);
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (code != std::errc() || end != digits.data() + digits.size() || digits[0] == '0') {
    return std::nullopt;
  }
  *stem = text.substr(0, at);
  return number;
}

// Three dotted numbers without leading zeros, and perhaps a hyphen and a label.
bool is_semantic_version(std::string_view text) {
  const std::size_t hyphen = text.find('-');
  if (hyphen != std::string_view::npos) {
    if (!matches_only(text.substr(hyphen + 1), ".-")) return false;
    text = text.substr(0, hyphen);
  }
  for (int part = 0; part < 3; ++part) {
    const std::size_t dot = text.find('.');
    if ((dot == std::string_view::npos) != (part == 2)) return false;
    const std::string_view digits = text.substr(0, dot);
    if (digits.empty() || digits.size() > 9 || (digits[0] == '0' && digits.size() > 1) ||
        !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      return false;
    }
    if (part < 2) text = text.substr(dot + 1);
  }
  return true;
}

Status parse_identity(const JsonObject& object, KernelRecord& record) {
  HALYARD_TRY_ASSIGN(const std::string format, object.required_string("format"));
  if (format != kFormat)
    return object.error("format", concat("is \"", format, "\", not \"", kFormat, "\""));
  HALYARD_TRY_ASSIGN(record.name, object.required_string("name"));
  if (!is_package_file_name(record.name)) {
    return object.error("name", "is not a name of letters, digits and _ . + -");
  }
  HALYARD_TRY_ASSIGN(record.version, object.required_string("version"));
  if (!is_semantic_version(record.version)) {
    return object.error("version", concat("is \"", record.version, "\", not of the form 1.2.3"));
  }
  HALYARD_TRY_ASSIGN(const std::string contract, object.required_string("contract"));
  std::string_view stem;
  const auto major = split_number(contract, '@', &stem);
  if (!major || !matches_only(stem, "_")) {
    return object.error("contract", concat("is \"", contract, "\", not of the form rms_norm@1"));
  }
  record.contract = stem;
  record.contract_major = *major;
  HALYARD_TRY_ASSIGN(record.language, reader::required_word<KernelLanguage>(object, "language"));
  HALYARD_TRY_ASSIGN(record.license, object.required_string("license"));
  if (record.license.empty()) return object.error("license", "is empty");
  return base::ok();
}

Status check_file_name(const JsonObject& object, std::string_view key, std::string_view name) {
  if (!is_package_file_name(name)) {
    return object.error(key,
                        concat("names a file that is not in the package's own directory or has "
                               "other bytes than letters, digits and _ . + -"));
  }
  if (name == "kernel.json" || name == "builds.json") {
    return object.error(key, concat("names \"", name, "\", which is no source"));
  }
  return base::ok();
}

Status parse_files(const JsonObject& object, KernelRecord& record) {
  HALYARD_TRY_ASSIGN(record.source, object.required_string("source"));
  HALYARD_TRY(check_file_name(object, "source", record.source));
  if (object.has("files")) {
    HALYARD_TRY_ASSIGN(record.files, object.required_strings("files"));
    std::set<std::string_view> seen = {record.source};
    for (const std::string& file : *record.files) {
      HALYARD_TRY(check_file_name(object, "files", file));
      if (!seen.insert(file).second) {
        return object.error("files", concat("names \"", file, "\" a second time"));
      }
    }
  }
  if (!object.has("prelude")) return base::ok();
  HALYARD_TRY_ASSIGN(record.prelude, object.required_string("prelude"));
  std::string_view stem;
  if (!split_number(*record.prelude, '/', &stem) || !matches_only(stem, "+-") ||
      record.prelude->starts_with('-')) {
    return object.error("prelude", concat("is \"", *record.prelude, "\", not of the form c++/1"));
  }
  return base::ok();
}

Status parse_service(const JsonObject& object, KernelRecord& record) {
  HALYARD_TRY_ASSIGN(record.targets, object.required_strings("targets"));
  if (record.targets.empty()) return object.error("targets", "is empty");
  for (const std::string& target : record.targets) {
    if (!matches_only(target, "_.:+/-") || target.find("..") != std::string::npos) {
      return object.error("targets", concat("holds \"", target, "\", which is no target"));
    }
  }
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> types, object.required_objects("types"));
  if (types.empty()) return object.error("types", "is empty");
  for (const JsonObject& binding : types) {
    HALYARD_TRY_ASSIGN(TypeBinding parsed, reader::type_binding_of(binding));
    if (std::find(record.types.begin(), record.types.end(), parsed) != record.types.end()) {
      return binding.error_here("repeats an earlier binding");
    }
    record.types.push_back(std::move(parsed));
  }
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> attributes,
                     object.optional_object("attributes"));
  if (!attributes) return base::ok();
  record.attributes.emplace();
  for (const auto& member : attributes->members()) {
    const std::string key(member.key().data(), member.key().size());
    HALYARD_TRY_ASSIGN(std::vector<std::string> values, attributes->required_strings(key));
    if (values.empty()) return attributes->error(key, "is empty");
    record.attributes->emplace(key, std::move(values));
  }
  return base::ok();
}

Result<Requirement> parse_requirement(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"capability", "at_least", "at_most", "equals"}));
  Requirement requirement;
  HALYARD_TRY_ASSIGN(requirement.capability, object.required_string("capability"));
  if (!matches_only(requirement.capability, "_.")) {
    return object.error("capability", "is not a dotted name");
  }
  if (object.members().size() != 2) {
    return object.error_here("does not have exactly one of at_least, at_most, equals");
  }
  std::string_view key = "equals";
  requirement.relation = Requirement::Relation::kEquals;
  if (object.has("at_least")) {
    key = "at_least";
    requirement.relation = Requirement::Relation::kAtLeast;
  } else if (object.has("at_most")) {
    key = "at_most";
    requirement.relation = Requirement::Relation::kAtMost;
  }
  const boost::json::value& value = *object.find(key);
  if (value.is_int64()) {
    requirement.value = value.get_int64();
  } else if (value.is_string() && key == "equals") {
    requirement.value = std::string(value.get_string().data(), value.get_string().size());
  } else {
    HALYARD_TRY_ASSIGN(requirement.value, object.required_number(key));
  }
  return requirement;
}

Result<KernelParameter> parse_parameter(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"name", "kind", "id", "domain", "default"}));
  KernelParameter parameter;
  HALYARD_TRY_ASSIGN(parameter.name, reader::required_name(object, "name"));
  HALYARD_TRY_ASSIGN(parameter.kind, reader::required_word<ParameterKind>(object, "kind"));
  if (parameter.kind == ParameterKind::kConstant) {
    HALYARD_TRY_ASSIGN(const std::int64_t id, object.required_integer("id", {0, 0xffffffffLL}));
    parameter.constant_id = static_cast<std::uint32_t>(id);
  } else if (object.has("id")) {
    return object.error(
        "id", concat("is for the kind \"constant\", not \"", word_of(parameter.kind), "\""));
  }
  HALYARD_TRY_ASSIGN(const boost::json::array* const domain, object.required_array("domain"));
  for (const boost::json::value& value : *domain) {
    if (!value.is_int64()) {
      return object.error(
          "domain", concat("holds ", base::json_kind_name(value), ", not an integer of 64 bits"));
    }
    parameter.domain.push_back(value.get_int64());
  }
  HALYARD_TRY_ASSIGN(parameter.default_value, object.required_integer("default"));
  if (std::find(parameter.domain.begin(), parameter.domain.end(), parameter.default_value) ==
      parameter.domain.end()) {
    return object.error("default",
                        concat("is ", parameter.default_value, ", which is not in the domain (",
                               base::join(parameter.domain), ")"));
  }
  return parameter;
}

Result<std::uint32_t> required_alignment(const JsonObject& object) {
  HALYARD_TRY_ASSIGN(const std::int64_t bytes,
                     object.required_integer("alignment_bytes", {1, 65536}));
  if ((bytes & (bytes - 1)) != 0) {
    return object.error("alignment_bytes", concat("is ", bytes, ", no power of two"));
  }
  return static_cast<std::uint32_t>(bytes);
}

Result<KernelWorkspace> parse_workspace(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"name", "bytes", "alignment_bytes", "initial"}));
  KernelWorkspace workspace;
  HALYARD_TRY_ASSIGN(workspace.name, reader::required_name(object, "name"));
  HALYARD_TRY_ASSIGN(workspace.bytes, reader::required_expression(object, "bytes"));
  HALYARD_TRY_ASSIGN(workspace.alignment_bytes, required_alignment(object));
  HALYARD_TRY_ASSIGN(workspace.initial, reader::required_word<WorkspaceInitial>(object, "initial"));
  return workspace;
}

Result<PackedLayout> parse_packed_layout(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"name", "tensor", "bytes", "alignment_bytes", "stage"}));
  PackedLayout layout;
  HALYARD_TRY_ASSIGN(layout.name, reader::required_name(object, "name"));
  HALYARD_TRY_ASSIGN(layout.tensor, reader::required_name(object, "tensor"));
  HALYARD_TRY_ASSIGN(layout.bytes, reader::required_expression(object, "bytes"));
  HALYARD_TRY_ASSIGN(layout.alignment_bytes, required_alignment(object));
  HALYARD_TRY_ASSIGN(layout.stage, reader::required_name(object, "stage"));
  return layout;
}

Status parse_provenance(const JsonObject& object, KernelRecord& record) {
  HALYARD_TRY_ASSIGN(const JsonObject source, object.required_object("provenance"));
  if (source.has("project")) {
    HALYARD_TRY(source.refuse_unknown_keys({"project"}));
    ProjectProvenance provenance;
    HALYARD_TRY_ASSIGN(provenance.project, source.required_string("project"));
    record.provenance = std::move(provenance);
    return base::ok();
  }
  HALYARD_TRY(source.refuse_unknown_keys(
      {"project", "model", "provider", "request", "prompt_hash", "time"}));
  ModelProvenance provenance;
  HALYARD_TRY_ASSIGN(provenance.model, source.required_string("model"));
  HALYARD_TRY_ASSIGN(provenance.provider, source.required_string("provider"));
  HALYARD_TRY_ASSIGN(provenance.request, source.required_string("request"));
  HALYARD_TRY_ASSIGN(provenance.prompt_hash, source.required_string("prompt_hash"));
  HALYARD_TRY_ASSIGN(provenance.time, source.required_string("time"));
  record.provenance = std::move(provenance);
  return base::ok();
}

// Reads each object of the optional array `key` (of 64 elements at most) with `parse`.
template <typename T>
Status parse_each(const JsonObject& object, std::string_view key,
                  Result<T> (*parse)(const JsonObject&), std::vector<T>* out) {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> objects, object.optional_objects(key));
  if (objects.size() > 64)
    return object.error(key, concat("has ", objects.size(), " elements, above 64"));
  for (const JsonObject& each : objects) {
    HALYARD_TRY_ASSIGN(T parsed, parse(each));
    out->push_back(std::move(parsed));
  }
  return base::ok();
}

Status parse_where(const JsonObject& object, KernelRecord& record) {
  HALYARD_TRY_ASSIGN(const boost::json::array* const where, object.optional_array("where"));
  if (where == nullptr) return base::ok();
  for (std::size_t i = 0; i < where->size(); ++i) {
    const boost::json::value& value = (*where)[i];
    if (!value.is_string()) {
      return object.error(
          "where", concat("element ", i, " is ", base::json_kind_name(value), ", not a string"));
    }
    HALYARD_TRY_ASSIGN(ExpressionText expression,
                       reader::expression_of(object, "where", value, concat("element ", i, " ")));
    record.where.push_back(std::move(expression.text));
  }
  return base::ok();
}

}  // namespace

Result<KernelRecord> parse_kernel_record(std::string_view json_text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const boost::json::value value,
                     base::parse_json(json_text, source_name, kLimits));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(value, source_name));
  HALYARD_TRY(object.refuse_unknown_keys(
      {"format", "name", "version", "contract", "language", "source", "files", "prelude", "targets",
       "types", "attributes", "requires", "where", "parameters", "workspace", "packed_layouts",
       "stages", "provenance", "license"}));
  KernelRecord record;
  HALYARD_TRY(parse_identity(object, record));
  HALYARD_TRY(parse_files(object, record));
  HALYARD_TRY(parse_service(object, record));
  HALYARD_TRY(parse_each(object, "requires", parse_requirement, &record.requirements));
  HALYARD_TRY(parse_where(object, record));
  HALYARD_TRY(parse_each(object, "parameters", parse_parameter, &record.parameters));
  HALYARD_TRY(parse_each(object, "workspace", parse_workspace, &record.workspace));
  HALYARD_TRY(parse_each(object, "packed_layouts", parse_packed_layout, &record.packed_layouts));
  HALYARD_TRY_ASSIGN(const boost::json::array* const stages, object.required_array("stages"));
  if (stages->empty() || stages->size() > 16) {
    return object.error("stages", concat("has ", stages->size(), " elements, outside 1 to 16"));
  }
  HALYARD_TRY(parse_each(object, "stages", reader::parse_stage, &record.stages));
  HALYARD_TRY(parse_provenance(object, record));
  HALYARD_TRY(reader::check_kernel_record(record, object));
  record.canonical_json = base::canonical_json(value);
  return record;
}

}  // namespace halyard::store
