// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/evidence.h"

#include "kernel-store/kernel_json_reader.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/text.h"

#include <array>
#include <boost/json/array.hpp>
#include <cmath>
#include <utility>

namespace halyard::store {
namespace {

namespace json = boost::json;
using base::concat;
using base::JsonObject;
using base::Result;
using base::Status;

constexpr auto kKinds =
    std::to_array<std::string_view>({"static", "emulated", "hardware", "self-test"});
constexpr auto kVerdicts = std::to_array<std::string_view>({"pass", "fail"});
constexpr auto kIsolations = std::to_array<std::string_view>({"none", "reduced", "full"});
constexpr std::string_view kFormat = "halyard.evidence/1";

template <typename E, std::size_t N>
Result<E> required_word(const JsonObject& object, std::string_view key,
                        const std::array<std::string_view, N>& words) {
  HALYARD_TRY_ASSIGN(const std::string text, object.required_choice(key, words));
  std::size_t index = 0;
  while (words[index] != text)
    ++index;
  return static_cast<E>(index);
}

json::string text_of(std::string_view text) {
  return json::string(text.data(), text.size());
}

json::object types_to_json(const TypeBinding& types) {
  json::object object;
  for (const auto& [name, type] : types)
    object[name] = text_of(base::data_type_name(type));
  return object;
}

json::object integers_to_json(const std::map<std::string, std::int64_t>& values) {
  json::object object;
  for (const auto& [name, value] : values)
    object[name] = value;
  return object;
}

json::object check_to_json(const EvidenceCheck& check) {
  json::object object;
  object["types"] = types_to_json(check.types);
  object["axes"] = integers_to_json(check.axes);
  const bool finite = check.worst_error_ratio && std::isfinite(*check.worst_error_ratio);
  object["worst_error_ratio"] = finite ? json::value(*check.worst_error_ratio) : json::value();
  if (check.guards_intact) object["guards_intact"] = *check.guards_intact;
  return object;
}

json::object timing_to_json(const EvidenceTiming& timing) {
  json::object object;
  object["types"] = types_to_json(timing.types);
  object["axes"] = integers_to_json(timing.axes);
  if (!timing.attributes.empty()) object["attributes"] = timing.attributes;
  object["clock"] = text_of(timing.clock);
  object["samples_ns"] = json::array(timing.samples_ns.begin(), timing.samples_ns.end());
  if (timing.roofline_fraction) object["roofline_fraction"] = *timing.roofline_fraction;
  return object;
}

Status parse_shape(const JsonObject& object, TypeBinding* types, AxisValues* axes) {
  HALYARD_TRY_ASSIGN(const JsonObject binding, object.required_object("types"));
  HALYARD_TRY_ASSIGN(*types, reader::type_binding_of(binding));
  HALYARD_TRY_ASSIGN(const JsonObject lengths, object.required_object("axes"));
  HALYARD_TRY_ASSIGN(*axes, reader::integers_of(lengths));
  return base::ok();
}

Result<EvidenceCheck> parse_check(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"types", "axes", "worst_error_ratio", "guards_intact"}));
  EvidenceCheck check;
  HALYARD_TRY(parse_shape(object, &check.types, &check.axes));
  const json::value* const ratio = object.find("worst_error_ratio");
  if (ratio == nullptr || !ratio->is_null()) {
    HALYARD_TRY_ASSIGN(check.worst_error_ratio, object.required_number("worst_error_ratio"));
  }
  if (object.has("guards_intact")) {
    HALYARD_TRY_ASSIGN(check.guards_intact, object.required_boolean("guards_intact"));
  }
  return check;
}

Result<EvidenceTiming> parse_timing(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"types", "axes", "attributes", "clock", "samples_ns", "roofline_fraction"}));
  EvidenceTiming timing;
  HALYARD_TRY(parse_shape(object, &timing.types, &timing.axes));
  if (object.has("attributes")) {
    HALYARD_TRY_ASSIGN(const JsonObject attributes, object.required_object("attributes"));
    timing.attributes = attributes.members();
  }
  HALYARD_TRY_ASSIGN(timing.clock, object.required_string("clock"));
  HALYARD_TRY_ASSIGN(const json::array* const samples, object.required_array("samples_ns"));
  for (const json::value& sample : *samples) {
    if (!sample.is_number()) {
      return object.error("samples_ns", concat("holds ", base::json_kind_name(sample)));
    }
    timing.samples_ns.push_back(sample.to_number<double>());
  }
  if (object.has("roofline_fraction")) {
    HALYARD_TRY_ASSIGN(timing.roofline_fraction, object.required_number("roofline_fraction"));
  }
  return timing;
}

Status parse_subject(const JsonObject& object, EvidenceRecord& record) {
  HALYARD_TRY_ASSIGN(const std::string format, object.required_string("format"));
  if (format != kFormat) {
    return object.error("format", concat("is \"", format, "\", not \"", kFormat, "\""));
  }
  HALYARD_TRY_ASSIGN(const std::string kernel, object.required_string("kernel"));
  const std::optional<Digest> id = digest_from_text(kernel);
  if (!id) return object.error("kernel", "is not a SHA-256 of 64 lower-case hexadecimal digits");
  record.kernel = *id;
  HALYARD_TRY_ASSIGN(const JsonObject parameters, object.required_object("parameters"));
  HALYARD_TRY_ASSIGN(record.parameters, reader::integers_of(parameters));
  HALYARD_TRY_ASSIGN(record.target, object.required_string("target"));
  HALYARD_TRY_ASSIGN(const JsonObject types, object.required_object("types"));
  HALYARD_TRY_ASSIGN(record.types, reader::type_binding_of(types));
  HALYARD_TRY_ASSIGN(record.device, object.required_string("device"));
  HALYARD_TRY_ASSIGN(record.driver, object.required_string("driver"));
  HALYARD_TRY_ASSIGN(record.toolchain, object.required_string("toolchain"));
  HALYARD_TRY_ASSIGN(const JsonObject verifier, object.required_object("verifier"));
  HALYARD_TRY(verifier.refuse_unknown_keys({"name", "version"}));
  HALYARD_TRY_ASSIGN(record.verifier_name, verifier.required_string("name"));
  HALYARD_TRY_ASSIGN(record.verifier_version, verifier.required_string("version"));
  return base::ok();
}

}  // namespace

bool is_of_hardware(const EvidenceRecord& record) {
  if (record.environment.contains(kEmulatedMember)) return false;
  return record.kind == EvidenceKind::kHardware || record.kind == EvidenceKind::kSelfTest;
}

std::string_view evidence_kind_name(EvidenceKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

std::string evidence_json(const EvidenceRecord& record) {
  json::object object;
  object["format"] = text_of(kFormat);
  object["kernel"] = text_of(digest_text(record.kernel));
  object["parameters"] = integers_to_json(record.parameters);
  object["target"] = text_of(record.target);
  object["types"] = types_to_json(record.types);
  object["device"] = text_of(record.device);
  object["driver"] = text_of(record.driver);
  object["toolchain"] = text_of(record.toolchain);
  object["verifier"] = json::object{{"name", text_of(record.verifier_name)},
                                    {"version", text_of(record.verifier_version)}};
  object["kind"] = text_of(evidence_kind_name(record.kind));
  object["verdict"] = text_of(kVerdicts[static_cast<std::size_t>(record.verdict)]);
  if (!record.message.empty()) object["message"] = text_of(record.message);
  json::array checks;
  for (const EvidenceCheck& check : record.checks)
    checks.push_back(check_to_json(check));
  object["checks"] = std::move(checks);
  json::array timings;
  for (const EvidenceTiming& timing : record.timings)
    timings.push_back(timing_to_json(timing));
  object["timings"] = std::move(timings);
  object["isolation"] = text_of(kIsolations[static_cast<std::size_t>(record.isolation)]);
  object["environment"] = record.environment;
  object["time"] = text_of(record.time);
  return base::canonical_json(object);
}

EvidenceId evidence_id(const EvidenceRecord& record) {
  return base::Sha256::of(evidence_json(record));
}

Result<EvidenceRecord> parse_evidence(std::string_view json_text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value value, base::parse_json(json_text, source_name));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(value, source_name));
  HALYARD_TRY(
      object.refuse_unknown_keys({"format", "kernel", "parameters", "target", "types", "device",
                                  "driver", "toolchain", "verifier", "kind", "verdict", "message",
                                  "checks", "timings", "isolation", "environment", "time"}));
  EvidenceRecord record;
  HALYARD_TRY(parse_subject(object, record));
  HALYARD_TRY_ASSIGN(record.kind, required_word<EvidenceKind>(object, "kind", kKinds));
  HALYARD_TRY_ASSIGN(record.verdict, required_word<Verdict>(object, "verdict", kVerdicts));
  HALYARD_TRY_ASSIGN(record.message, object.optional_string("message", ""));
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> checks, object.required_objects("checks"));
  for (const JsonObject& check : checks) {
    HALYARD_TRY_ASSIGN(EvidenceCheck parsed, parse_check(check));
    record.checks.push_back(std::move(parsed));
  }
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> timings, object.required_objects("timings"));
  for (const JsonObject& timing : timings) {
    HALYARD_TRY_ASSIGN(EvidenceTiming parsed, parse_timing(timing));
    record.timings.push_back(std::move(parsed));
  }
  HALYARD_TRY_ASSIGN(record.isolation, required_word<Isolation>(object, "isolation", kIsolations));
  HALYARD_TRY_ASSIGN(const JsonObject environment, object.required_object("environment"));
  record.environment = environment.members();
  HALYARD_TRY_ASSIGN(record.time, object.required_string("time"));
  return record;
}

}  // namespace halyard::store
