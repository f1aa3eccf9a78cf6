// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/workload.h"

#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <set>
#include <utility>

namespace halyard::services {
namespace {

namespace json = boost::json;
using base::JsonObject;

constexpr std::size_t kMaxOperations = 1024;
constexpr std::size_t kMaxAxes = 64;

// An integer or an expression, as the text of an expression.
base::Result<std::string> expression_text(const JsonObject& object, std::string_view name) {
  const json::value* value = object.find(name);
  if (value == nullptr) return object.error(name, "is missing");
  if (value->is_int64()) return base::concat(value->get_int64());
  if (value->is_string() && !value->get_string().empty()) {
    return std::string(value->get_string());
  }
  return object.error(name, "is neither an integer nor an expression");
}

base::Result<WorkloadAxis> read_axis(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"name", "default", "min", "max"}));
  WorkloadAxis axis;
  HALYARD_TRY_ASSIGN(axis.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(axis.min, object.optional_integer("min", 0, {0}));
  HALYARD_TRY_ASSIGN(axis.max, object.optional_integer("max", std::int64_t{1} << 31, {axis.min}));
  HALYARD_TRY_ASSIGN(axis.default_value, object.required_integer("default", {axis.min, axis.max}));
  return axis;
}

base::Result<TensorUse> read_use(const JsonObject& tensors, std::string_view name) {
  const json::value& value = *tensors.find(name);
  TensorUse use;
  if (value.is_string()) {
    HALYARD_TRY_ASSIGN(use.tensor, tensors.required_string(name));
    return use;
  }
  HALYARD_TRY_ASSIGN(const JsonObject view, tensors.required_object(name));
  HALYARD_TRY(view.refuse_unknown_keys({"tensor", "offset", "strides"}));
  HALYARD_TRY_ASSIGN(use.tensor, view.required_string("tensor"));
  HALYARD_TRY_ASSIGN(use.offset, expression_text(view, "offset"));
  HALYARD_TRY_ASSIGN(use.strides, view.required_strings("strides"));
  return use;
}

base::Result<operators::AttributeValue> read_attribute(const JsonObject& attributes,
                                                       std::string_view name) {
  const json::value& value = *attributes.find(name);
  if (value.is_int64()) return operators::AttributeValue(value.get_int64());
  if (value.is_double()) return operators::AttributeValue(value.get_double());
  if (value.is_string()) return operators::AttributeValue(std::string(value.get_string()));
  return attributes.error(name, "is neither a number nor a string");
}

base::Status read_bindings(const JsonObject& object, WorkloadOperation& operation) {
  HALYARD_TRY_ASSIGN(const JsonObject types, object.required_object("types"));
  for (const auto& [variable, value] : types.members()) {
    HALYARD_TRY_ASSIGN(const std::string name, types.required_string(variable));
    const std::optional<base::DataType> type = base::data_type_from_name(name);
    if (!type) return types.error(variable, base::concat("(\"", name, "\") is no type"));
    operation.types[variable] = *type;
  }
  HALYARD_TRY_ASSIGN(const JsonObject axes, object.required_object("axes"));
  for (const auto& [axis, value] : axes.members()) {
    HALYARD_TRY_ASSIGN(operation.axes[axis], expression_text(axes, axis));
  }
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> attributes,
                     object.optional_object("attributes"));
  if (attributes) {
    for (const auto& [name, value] : attributes->members()) {
      HALYARD_TRY_ASSIGN(operation.attributes[name], read_attribute(*attributes, name));
    }
  }
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> scalars, object.optional_object("scalars"));
  if (scalars) {
    for (const auto& [name, value] : scalars->members()) {
      HALYARD_TRY_ASSIGN(operation.scalars[name], scalars->required_number(name));
    }
  }
  return base::ok();
}

base::Result<WorkloadOperation> read_operation(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"name", "contract", "types", "attributes", "axes", "tensors", "scalars"}));
  WorkloadOperation operation;
  operation.path = object.path();
  HALYARD_TRY_ASSIGN(operation.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(operation.contract, object.required_string("contract"));
  HALYARD_TRY(read_bindings(object, operation));
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> tensors, object.optional_object("tensors"));
  if (!tensors) return operation;
  for (const auto& [name, value] : tensors->members()) {
    HALYARD_TRY_ASSIGN(operation.tensors[name], read_use(*tensors, name));
  }
  return operation;
}

base::Result<InputRule> read_rule(const JsonObject& object) {
  static constexpr std::string_view kGenerators[] = {"normal", "constant", "decode_slots",
                                                     "decode_positions"};
  InputRule rule;
  rule.path = object.path();
  HALYARD_TRY_ASSIGN(const std::string generator, object.required_choice("generator", kGenerators));
  if (generator == "normal") {
    HALYARD_TRY(object.refuse_unknown_keys({"generator", "scale"}));
    HALYARD_TRY_ASSIGN(rule.scale, object.optional_number("scale", 1));
    return rule;
  }
  if (generator == "constant") {
    HALYARD_TRY(object.refuse_unknown_keys({"generator", "value"}));
    rule.generator = InputGenerator::kConstant;
    HALYARD_TRY_ASSIGN(rule.value, expression_text(object, "value"));
    return rule;
  }
  HALYARD_TRY_ASSIGN(rule.kv_lengths, object.required_string("kv_lengths"));
  if (generator == "decode_positions") {
    HALYARD_TRY(object.refuse_unknown_keys({"generator", "kv_lengths"}));
    rule.generator = InputGenerator::kDecodePositions;
    return rule;
  }
  HALYARD_TRY(object.refuse_unknown_keys(
      {"generator", "kv_indptr", "kv_indices", "kv_lengths", "page_size"}));
  rule.generator = InputGenerator::kDecodeSlots;
  HALYARD_TRY_ASSIGN(rule.kv_indptr, object.required_string("kv_indptr"));
  HALYARD_TRY_ASSIGN(rule.kv_indices, object.required_string("kv_indices"));
  HALYARD_TRY_ASSIGN(rule.value, expression_text(object, "page_size"));
  return rule;
}

template <typename Item>
base::Status refuse_repeated(const std::vector<Item>& items, const JsonObject& object,
                             std::string_view member) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (names.insert(items[i].name).second) continue;
    return base::Error(base::ErrorCode::kCorruptData,
                       base::concat(object.source_name(), ": ", object.path_of(member, i),
                                    "/name (\"", items[i].name, "\") is taken already."));
  }
  return base::ok();
}

base::Status check_size(const JsonObject& object, std::string_view member, std::size_t size,
                        std::size_t min, std::size_t max) {
  if (size >= min && size <= max) return base::ok();
  return object.error(
      member, base::concat("has ", size, " elements, which is not between ", min, " and ", max));
}

base::Result<Workload> read_workload(const JsonObject& object) {
  HALYARD_TRY(
      object.refuse_unknown_keys({"format", "name", "summary", "axes", "operations", "inputs"}));
  static constexpr std::string_view kFormats[] = {"halyard.workload/1"};
  HALYARD_TRY(object.required_choice("format", kFormats));
  Workload workload;
  HALYARD_TRY_ASSIGN(workload.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(workload.summary, object.optional_string("summary", ""));
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> axes, object.optional_objects("axes"));
  HALYARD_TRY(check_size(object, "axes", axes.size(), 0, kMaxAxes));
  for (const JsonObject& each : axes) {
    HALYARD_TRY_ASSIGN(WorkloadAxis axis, read_axis(each));
    workload.axes.push_back(std::move(axis));
  }
  HALYARD_TRY(refuse_repeated(workload.axes, object, "axes"));
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> operations,
                     object.required_objects("operations"));
  HALYARD_TRY(check_size(object, "operations", operations.size(), 1, kMaxOperations));
  for (const JsonObject& each : operations) {
    HALYARD_TRY_ASSIGN(WorkloadOperation operation, read_operation(each));
    workload.operations.push_back(std::move(operation));
  }
  HALYARD_TRY(refuse_repeated(workload.operations, object, "operations"));
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> inputs, object.optional_object("inputs"));
  if (!inputs) return workload;
  for (const auto& [name, value] : inputs->members()) {
    HALYARD_TRY_ASSIGN(const JsonObject rule, inputs->required_object(name));
    HALYARD_TRY_ASSIGN(workload.inputs[name], read_rule(rule));
  }
  return workload;
}

base::Result<Workload> parse_document(std::string_view text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value document, base::parse_json(text, source_name));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(document, source_name));
  return read_workload(object);
}

}  // namespace

base::Result<Workload> Workload::parse(std::string_view text, std::string_view source_name) {
  base::Result<Workload> parsed = parse_document(text, source_name);
  if (parsed) return parsed;
  return base::Error(base::ErrorCode::kInvalidArgument, parsed.error().message());
}

}  // namespace halyard::services
