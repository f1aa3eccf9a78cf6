// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/results.h"

#include "halyard/version.h"

#include "runtime/base/canonical_json.h"
#include "runtime/evaluation/statistics.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <variant>

namespace halyard::services {
namespace {

namespace json = boost::json;

// JSON has no infinity and no NaN.
json::value number(double value) {
  return std::isfinite(value) ? json::value(value) : json::value(nullptr);
}

json::value number(const std::optional<double>& value) {
  return value ? number(*value) : json::value(nullptr);
}

template <typename Items>
json::array list(const Items& items) {
  json::array result;
  for (const auto& item : items)
    result.push_back(json::value(item));
  return result;
}

json::object ceiling_members(const Ceiling& ceiling, const char* unit) {
  json::object members;
  members["value"] = ceiling.value;
  members["unit"] = unit;
  members["method"] = ceiling.method;
  members["clock"] = ceiling.clock;
  members["samples"] = list(ceiling.samples);
  return members;
}

json::object ceilings_members(const Ceilings& ceilings) {
  json::object members;
  if (ceilings.bandwidth) members["bandwidth"] = ceiling_members(*ceilings.bandwidth, "GB/s");
  json::object arithmetic;
  for (const auto& [type, ceiling] : ceilings.arithmetic) {
    arithmetic[std::string(base::data_type_name(type))] = ceiling_members(ceiling, "GFLOP/s");
  }
  if (!arithmetic.empty()) members["arithmetic"] = std::move(arithmetic);
  if (!ceilings.notes.empty()) members["notes"] = list(ceilings.notes);
  return members;
}

void add_problem(const operators::Problem& problem, std::span<const std::int64_t> launch_axes,
                 json::object& members) {
  json::object types;
  for (const auto& [variable, type] : problem.types()) {
    types[variable] = std::string(base::data_type_name(type));
  }
  members["types"] = std::move(types);
  json::object attributes;
  for (const auto& [name, value] : problem.attributes()) {
    std::visit([&, key = name](const auto& held) { attributes[key] = held; }, value);
  }
  members["attributes"] = std::move(attributes);
  json::object axes;
  for (const auto& axis : problem.prepare_axes())
    axes[axis.name] = axis.value;
  const operators::Contract& contract = problem.contract();
  for (std::size_t i = 0; i < launch_axes.size(); ++i) {
    axes[contract.axes()[contract.launch_axes()[i]].name] = launch_axes[i];
  }
  members["axes"] = std::move(axes);
}

json::object check_members(const OperationCheck& check) {
  json::object members;
  members["compared"] = check.compared();
  members["elements"] = check.elements();
  members["passed"] = check.passed();
  json::array outputs;
  for (const OutputCheck& output : check.outputs) {
    json::object each;
    each["tensor"] = output.tensor;
    each["compared"] = output.worst.compared;
    each["elements"] = output.elements;
    each["failures"] = output.worst.failures;
    each["changed"] = output.changed;
    if (output.worst.compared != 0) {
      json::object worst;
      worst["place"] = list(output.place);
      worst["value"] = number(output.worst.value);
      worst["expected"] = number(output.worst.reference);
      worst["tolerance"] = output.tolerance;
      worst["error_ratio"] = number(output.worst.ratio);
      each["worst"] = std::move(worst);
    }
    outputs.push_back(std::move(each));
  }
  members["outputs"] = std::move(outputs);
  if (!check.passed()) members["failure"] = check.failure();
  return members;
}

void add_timing(const std::optional<Timing>& timing, json::object& members) {
  const Spread spread = timing ? spread_of(timing->samples_ns) : Spread{};
  members["clock"] = timing ? timing->clock : "not timed";
  members["samples_ns"] = timing ? list(timing->samples_ns) : json::array();
  if (!timing) return;
  members["repeats"] = timing->repeats;
  members["median_ns"] = spread.median;
  members["p10_ns"] = spread.p10;
  members["p90_ns"] = spread.p90;
  members["spread_ns"] = spread.p90 - spread.p10;
}

void add_roofline(const Roofline& roofline, json::object& members) {
  members["gbps"] = number(roofline.gbps);
  members["gflops"] = number(roofline.gflops);
  members["bandwidth_fraction"] = number(roofline.bandwidth_fraction);
  members["arithmetic_fraction"] = number(roofline.arithmetic_fraction);
  members["roofline_fraction"] = number(roofline.fraction);
  members["bound_ns"] = number(roofline.bound_ns);
  members["bound"] = roofline.bound.empty() ? "none" : roofline.bound;
}

double median_of(const std::optional<Timing>& timing) {
  return timing ? spread_of(timing->samples_ns).median : 0;
}

const char* checked_word(const std::optional<OperationCheck>& check) {
  if (!check) return "not checked";
  return check->is_full() ? "full" : "sampled";
}

json::object operation_members(const BoundOperation& bound, const OperationResult& result,
                               const Ceilings& ceilings) {
  json::object members;
  members["name"] = bound.name;
  members["contract"] = bound.problem.contract().name();
  add_problem(bound.problem, bound.launch_axes, members);
  members["kernel"] = nullptr;
  if (!result.kernel_id.empty()) members["kernel"] = result.kernel_id;
  members["kernel_name"] = result.kernel_name;
  members["target"] = result.target;
  members["state"] = result.is_reference ? "reference" : result.state;
  members["reason"] = result.reason;
  members["is_reference"] = result.is_reference;
  members["flops"] = result.work.flops;
  members["bytes"] = result.work.bytes;
  members["checked"] = checked_word(result.check);
  members["error_ratio"] = result.check ? number(result.check->error_ratio()) : nullptr;
  if (result.check) members["check"] = check_members(*result.check);
  add_timing(result.timing, members);
  const Roofline roofline =
      launch_roofline(result.work, median_of(result.timing), product_type(bound.problem), ceilings);
  add_roofline(roofline, members);
  const bool reads_cache =
      result.is_warm || roofline.bandwidth_fraction.value_or(0) > kAboveCeiling;
  if (result.timing) members["cache"] = reads_cache ? "warm" : "streamed";
  if (!roofline.notes.empty()) members["notes"] = list(roofline.notes);
  return members;
}

json::object replay_members(const ReplayCheck& replay) {
  json::object members;
  members["tensors"] = replay.tensors;
  members["identical"] = replay.identical;
  members["worst_difference"] = number(replay.worst_difference);
  members["worst_tensor"] = replay.worst_tensor;
  members["passed"] = replay.passed;
  return members;
}

json::object sequence_members(const EvaluationFindings& findings) {
  const SequenceResult& sequence = *findings.sequence;
  Work total;
  std::vector<Bound> bounds;
  double sum_ns = 0;
  for (std::size_t i = 0; i < findings.operations.size(); ++i) {
    const OperationResult& operation = findings.operations[i];
    total.flops += operation.work.flops;
    total.bytes += operation.work.bytes;
    sum_ns += median_of(operation.timing);
    bounds.push_back(launch_bound(
        operation.work, product_type(findings.workload->operations[i].problem), findings.ceilings));
  }
  json::object members;
  members["operations"] = findings.operations.size();
  members["flops"] = total.flops;
  members["bytes"] = total.bytes;
  members["sum_of_operations_ns"] = sum_ns;
  add_timing(sequence.timing, members);
  const Roofline roofline = chain_roofline(total, median_of(sequence.timing), bounds);
  add_roofline(roofline, members);
  if (sequence.replay) members["replay"] = replay_members(*sequence.replay);
  json::array notes = list(sequence.notes);
  for (const std::string& note : roofline.notes)
    notes.push_back(json::value(note));
  if (!notes.empty()) members["notes"] = std::move(notes);
  return members;
}

}  // namespace

base::DataType product_type(const operators::Problem& problem) {
  const auto type = problem.types().find("T");
  return type == problem.types().end() ? base::DataType::kF32 : type->second;
}

bool EvaluationFindings::passed() const {
  for (const OperationResult& operation : operations) {
    if (operation.check && !operation.check->passed()) return false;
  }
  return !sequence || !sequence->replay || sequence->replay->passed;
}

std::string results_json(const EvaluationFindings& findings) {
  json::object document;
  document["format"] = "halyard.results/1";
  document["halyard_version"] = halyard_version();
  document["suite"] = findings.workload->name;
  json::object axes;
  for (const operators::AxisValue& axis : findings.workload->axes)
    axes[axis.name] = axis.value;
  document["axes"] = std::move(axes);
  document["date"] = findings.date;
  document["device"] = findings.device;
  document["environment"] = findings.environment;
  document["ceilings"] = ceilings_members(findings.ceilings);
  document["passed"] = findings.passed();
  json::array operations;
  json::array references;
  for (std::size_t i = 0; i < findings.operations.size(); ++i) {
    const BoundOperation& bound = findings.workload->operations[i];
    operations.push_back(operation_members(bound, findings.operations[i], findings.ceilings));
    if (findings.operations[i].is_reference) references.push_back(json::value(bound.name));
  }
  document["operations"] = std::move(operations);
  document["reference_operations"] = std::move(references);
  if (findings.sequence) document["step"] = sequence_members(findings);
  return base::canonical_json(document);
}

}  // namespace halyard::services
