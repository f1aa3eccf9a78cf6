// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/verdict_document.h"

#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"
#include "runtime/base/utc_time.h"
#include "runtime/base/version.h"
#include "runtime/worker/isolation.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace halyard::verification {
namespace {

namespace json = boost::json;

json::object types_members(const store::TypeBinding& types) {
  json::object out;
  for (const auto& [name, type] : types)
    out[name] = base::data_type_name(type);
  return out;
}

json::object example_members(const CounterExample& example) {
  json::object axes;
  for (const auto& [name, value] : example.axes)
    axes[name] = value;
  json::object out;
  out["types"] = types_members(example.types);
  out["attributes"] = example.attributes;
  out["axes"] = std::move(axes);
  out["inputs"] = example.inputs;
  // As text: JSON readers take large integers for doubles.
  out["seed"] = std::to_string(example.seed);
  if (!example.tensor.empty()) out["tensor"] = example.tensor;
  if (!example.index.empty())
    out["index"] = json::array(example.index.begin(), example.index.end());
  if (!example.got.empty()) out["got"] = example.got;
  if (!example.expected.empty()) out["expected"] = example.expected;
  return out;
}

json::object finding_members(const VerificationReport& report, const Finding& finding) {
  json::object out;
  out["stage"] = stage_name(finding.stage);
  out["class"] = verdict_class_name(finding.verdict);
  out["sentence"] = finding.sentence;
  if (!finding.counter_example) return out;
  if (finding.counter_example->is_held_out) {
    out["held_out"] = true;
    return out;
  }
  out["counter_example"] = example_members(*finding.counter_example);
  out["reproduce"] = reproduction(report, *finding.counter_example);
  return out;
}

json::array stages_json(const VerificationReport& report) {
  json::array out;
  for (const StageReport& stage : report.stages) {
    json::object entry;
    entry["stage"] = stage_name(stage.result.stage);
    entry["result"] = stage.result.finding       ? "finding"
                      : stage.result.is_complete ? "passed"
                                                 : "incomplete";
    entry["ms"] = stage.wall.count();
    if (!stage.subject.empty()) entry["subject"] = stage.subject;
    if (!stage.summary.empty()) entry["summary"] = stage.summary;
    if (stage.result.finding) entry["finding"] = finding_members(report, *stage.result.finding);
    out.push_back(std::move(entry));
  }
  return out;
}

json::array pairs_json(const std::vector<TimePair>& pairs) {
  json::array out;
  for (const TimePair& pair : pairs)
    out.push_back(json::array{pair.incumbent_ns, pair.candidate_ns});
  return out;
}

json::array timings_json(const VerificationReport& report) {
  json::array out;
  for (const TimingReport& timing : report.timings) {
    for (const ShapeTiming& shape : timing.shapes) {
      json::object entry;
      entry["subject"] = timing.subject;
      if (!timing.incumbent.empty()) entry["incumbent"] = timing.incumbent;
      entry["bucket"] = shape.bucket;
      entry["clock"] = "host";
      entry["cold_ns"] = pairs_json(shape.cold);
      entry["warm_ns"] = pairs_json(shape.warm);
      entry["noise_ns"] = pairs_json(shape.noise);
      out.push_back(std::move(entry));
    }
  }
  return out;
}

// For a shell: as it is where nothing in it has a meaning.
std::string quoted(const std::string& text) {
  const bool is_plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("/._-+").find(c) != std::string_view::npos;
  });
  if (is_plain) return text;
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string_view promotion_word(PromotionAnswer answer) {
  switch (answer) {
    case PromotionAnswer::kPromote:
      return "promote";
    case PromotionAnswer::kQuarantine:
      return "quarantine";
    case PromotionAnswer::kKeepVerified:
      break;
  }
  return "keep";
}

// The most that any entry of the binary occupies, where it says so.
void add_resources(std::span<const store::EntryResources> entries, json::object& environment) {
  for (const store::EntryResources& entry : entries) {
    const auto raise = [&environment](std::string_view key, std::uint64_t number) {
      const json::value* const known = environment.if_contains(key);
      const std::uint64_t most = known == nullptr ? 0 : known->to_number<std::uint64_t>();
      environment[key] = std::max(most, number);
    };
    raise("resources.vector_registers", entry.vector_registers);
    raise("resources.accumulation_registers", entry.accumulation_registers);
    raise("resources.scalar_registers", entry.scalar_registers);
    raise("resources.shared_bytes", entry.shared_bytes);
    raise("resources.scratch_bytes", entry.scratch_bytes);
    raise("resources.vector_spills", entry.vector_spills);
    raise("resources.scalar_spills", entry.scalar_spills);
  }
}

}  // namespace

std::string counter_example_json(const CounterExample& example) {
  return base::canonical_json(example_members(example));
}

base::Result<CounterExample> parse_counter_example(std::string_view text) {
  constexpr std::string_view kSource = "counter-example";
  HALYARD_TRY_ASSIGN(const json::value document, base::parse_json(text, kSource));
  HALYARD_TRY_ASSIGN(const auto object, base::JsonObject::from(document, kSource));
  HALYARD_TRY(object.refuse_unknown_keys(
      {"types", "attributes", "axes", "inputs", "seed", "tensor", "index", "got", "expected"}));
  CounterExample example;
  HALYARD_TRY_ASSIGN(const auto types, object.required_object("types"));
  for (const auto& member : types.members()) {
    const std::string name(member.key());
    HALYARD_TRY_ASSIGN(const std::string word, types.required_string(name));
    const auto type = base::data_type_from_name(word);
    if (!type) return types.error(name, "is no data type");
    example.types[name] = *type;
  }
  HALYARD_TRY_ASSIGN(const auto attributes, object.required_object("attributes"));
  example.attributes = attributes.members();
  HALYARD_TRY_ASSIGN(const auto axes, object.required_object("axes"));
  for (const auto& member : axes.members()) {
    const std::string name(member.key());
    HALYARD_TRY_ASSIGN(example.axes[name], axes.required_integer(name));
  }
  HALYARD_TRY_ASSIGN(example.inputs, object.required_string("inputs"));
  HALYARD_TRY_ASSIGN(const std::string seed, object.required_string("seed"));
  const auto read = std::from_chars(seed.data(), seed.data() + seed.size(), example.seed);
  if (read.ec != std::errc() || read.ptr != seed.data() + seed.size()) {
    return object.error("seed", "is no number from 0 to 18446744073709551615");
  }
  return example;
}

std::string reproduction(const VerificationReport& report, const CounterExample& example) {
  if (example.is_held_out) return {};
  return base::concat("halyard verify ", quoted(report.directory), " --device ", report.device.id,
                      " --counter-example '", counter_example_json(example), "'");
}

std::string verdict_json(const VerificationReport& report) {
  json::object out;
  out["format"] = "halyard.verdict/1";
  out["verifier"] = base::kVersion;
  out["time"] = base::utc_now();
  if (report.package) {
    const store::KernelRecord& record = report.package->record;
    out["kernel"] = json::object{{"id", store::digest_text(report.package->id)},
                                 {"name", record.name},
                                 {"version", record.version},
                                 {"contract", record.contract}};
  }
  out["device"] = json::object{{"id", report.device.id},
                               {"driver", report.device.driver},
                               {"fingerprint", report.device.fingerprint}};
  out["isolation"] = worker::isolation_name(report.isolation);
  if (!report.isolation_shortfall.empty()) out["isolation_shortfall"] = report.isolation_shortfall;
  out["class"] = verdict_class_name(report.decision.verdict);
  if (report.decision.finding) {
    out["finding"] = finding_members(report, *report.decision.finding);
  }
  out["stages"] = stages_json(report);
  out["timings"] = timings_json(report);
  json::array builds;
  for (const store::KernelBuild& build : report.builds) {
    builds.push_back(json::object{{"target", build.target},
                                  {"types", types_members(build.types)},
                                  {"toolchain", build.toolchain},
                                  {"sha256", store::digest_text(build.sha256)}});
  }
  out["builds"] = std::move(builds);
  if (report.decision.verdict == VerdictClass::kAccept) {
    out["promotion"] = json::object{
        {"answer", promotion_word(report.promotion.answer)},
        {"reason", report.promotion.reason},
        {"buckets", json::array(report.promotion.buckets.begin(), report.promotion.buckets.end())}};
  }
  return base::canonical_json(out);
}

std::vector<store::EvidenceRecord> evidence_of(const VerificationReport& report) {
  std::vector<store::EvidenceRecord> records;
  if (!report.package || report.decision.verdict == VerdictClass::kUndecided) return records;
  const bool is_accepted = report.decision.verdict == VerdictClass::kAccept;
  for (std::size_t i = 0; i < report.builds.size(); ++i) {
    const store::KernelBuild& build = report.builds[i];
    store::EvidenceRecord record;
    if (i < report.checks.size()) record.checks = report.checks[i];
    record.kernel = report.package->id;
    record.parameters = build.parameters;
    record.target = build.target;
    record.types = build.types;
    record.device = report.device.fingerprint;
    record.driver = report.device.driver;
    record.toolchain = build.toolchain;
    record.verifier_name = "halyard verify";
    record.verifier_version = base::kVersion;
    record.kind =
        report.device.is_hardware ? store::EvidenceKind::kHardware : store::EvidenceKind::kEmulated;
    record.verdict = is_accepted ? store::Verdict::kPass : store::Verdict::kFail;
    record.message =
        report.decision.finding ? report.decision.finding->sentence : std::string("accepted");
    record.isolation = report.isolation;
    record.environment["class"] = verdict_class_name(report.decision.verdict);
    add_resources(build.resources, record.environment);
    record.time = base::utc_now();
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace halyard::verification
