// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/contract_reader.h"

#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace halyard::operators {
namespace {

using base::JsonObject;
using base::Result;
using base::Status;

constexpr base::IntegerRange kNotNegative{0, std::numeric_limits<std::int64_t>::max()};

template <typename Enum, std::size_t kCount>
Result<Enum> read_enum(const JsonObject& object, std::string_view member,
                       const std::array<std::string_view, kCount>& names) {
  HALYARD_TRY_ASSIGN(const std::string text, object.required_choice(member, names));
  const auto found = std::find(names.begin(), names.end(), text);
  return static_cast<Enum>(found - names.begin() + 1);
}

Result<base::DataType> read_type(const JsonObject& object, std::string_view member) {
  HALYARD_TRY_ASSIGN(const std::string text, object.required_string(member));
  const std::optional<base::DataType> type = base::data_type_from_name(text);
  if (!type) return object.error(member, base::concat("is \"", text, "\", which is no data type"));
  return *type;
}

Result<AttributeValue> read_value(const JsonObject& object, std::string_view member,
                                  const boost::json::value& value) {
  if (value.is_string()) return AttributeValue(std::string(value.get_string()));
  if (value.is_int64()) return AttributeValue(value.get_int64());
  if (value.is_double()) return AttributeValue(value.get_double());
  return object.error(member, base::concat("is ", base::json_kind_name(value),
                                           ", not an integer, a number or text"));
}

AttributeValue widen(AttributeValue value, AttributeType type) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer != nullptr && type == AttributeType::kNumber) return static_cast<double>(*integer);
  return value;
}

Result<TypeBindings> read_types(const JsonObject& object) {
  TypeBindings types;
  for (const auto& member : object.members()) {
    HALYARD_TRY_ASSIGN(types[std::string(member.key())], read_type(object, member.key()));
  }
  return types;
}

Result<Attributes> read_attribute_values(const JsonObject& object) {
  Attributes attributes;
  for (const auto& member : object.members()) {
    HALYARD_TRY_ASSIGN(attributes[std::string(member.key())],
                       read_value(object, member.key(), member.value()));
  }
  return attributes;
}

Result<ContractAxis> read_axis(const JsonObject& object) {
  static constexpr std::array<std::string_view, 3> kKinds{"prepare", "launch", "device"};
  HALYARD_TRY(object.refuse_unknown_keys({"name", "kind", "min", "max", "aliases", "tensor"}));
  ContractAxis axis;
  HALYARD_TRY_ASSIGN(axis.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(axis.kind, read_enum<AxisKind>(object, "kind", kKinds));
  HALYARD_TRY_ASSIGN(axis.min, object.required_integer("min", kNotNegative));
  HALYARD_TRY_ASSIGN(axis.max, object.required_integer("max", kNotNegative));
  HALYARD_TRY_ASSIGN(axis.aliases, object.optional_strings("aliases"));
  HALYARD_TRY_ASSIGN(axis.tensor, object.optional_string("tensor", ""));
  if (axis.max < axis.min) {
    return object.error("max", base::concat("is ", axis.max, ", below min (", axis.min, ")"));
  }
  if ((axis.kind == AxisKind::kDevice) == axis.tensor.empty()) {
    return object.error_here("names a tensor exactly when its kind is device");
  }
  return axis;
}

Result<ContractAttribute> read_attribute(const JsonObject& object) {
  static constexpr std::array<std::string_view, 3> kTypes{"integer", "number", "text"};
  HALYARD_TRY(object.refuse_unknown_keys({"name", "type", "default", "values"}));
  ContractAttribute attribute;
  HALYARD_TRY_ASSIGN(attribute.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(attribute.type, read_enum<AttributeType>(object, "type", kTypes));
  if (const boost::json::value* value = object.find("default")) {
    HALYARD_TRY_ASSIGN(AttributeValue read, read_value(object, "default", *value));
    attribute.default_value = widen(std::move(read), attribute.type);
  }
  HALYARD_TRY_ASSIGN(const boost::json::array* values, object.optional_array("values"));
  for (std::size_t i = 0; values != nullptr && i < values->size(); ++i) {
    HALYARD_TRY_ASSIGN(AttributeValue read, read_value(object, "values", (*values)[i]));
    attribute.values.push_back(widen(std::move(read), attribute.type));
  }
  return attribute;
}

Result<BlockEncoding> read_encoding(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"bits", "block", "scale_type", "zero_point", "packing"}));
  BlockEncoding encoding;
  HALYARD_TRY_ASSIGN(encoding.bits, object.required_integer("bits", {1, 16}));
  HALYARD_TRY_ASSIGN(const boost::json::array* block, object.required_array("block"));
  for (const boost::json::value& size : *block) {
    if (!size.is_int64() || size.get_int64() < 1) {
      return object.error("block", "holds something other than positive integers");
    }
    encoding.block.push_back(size.get_int64());
  }
  HALYARD_TRY_ASSIGN(encoding.scale_type, read_type(object, "scale_type"));
  HALYARD_TRY_ASSIGN(encoding.zero_point, object.required_boolean("zero_point"));
  HALYARD_TRY_ASSIGN(encoding.packing, object.required_string("packing"));
  return encoding;
}

Result<ContractTensor> read_tensor(const JsonObject& object) {
  static constexpr std::array<std::string_view, 3> kRoles{"input", "output", "inout"};
  static constexpr std::array<std::string_view, 3> kStrides{"dense", "rows", "any"};
  HALYARD_TRY(
      object.refuse_unknown_keys({"name", "role", "type", "shape", "strides", "alignment_bytes",
                                  "constant", "may_alias", "present", "encoding"}));
  ContractTensor tensor;
  HALYARD_TRY_ASSIGN(tensor.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(tensor.role, read_enum<TensorRole>(object, "role", kRoles));
  HALYARD_TRY_ASSIGN(tensor.type, object.required_string("type"));
  HALYARD_TRY_ASSIGN(tensor.shape, object.required_strings("shape"));
  HALYARD_TRY_ASSIGN(tensor.strides, read_enum<StrideRule>(object, "strides", kStrides));
  HALYARD_TRY_ASSIGN(tensor.alignment_bytes, object.required_integer("alignment_bytes", {1, 256}));
  HALYARD_TRY_ASSIGN(tensor.constant, object.optional_boolean("constant", false));
  HALYARD_TRY_ASSIGN(tensor.may_alias, object.optional_strings("may_alias"));
  HALYARD_TRY_ASSIGN(tensor.present, object.optional_string("present", ""));
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> encoding, object.optional_object("encoding"));
  if (encoding) {
    HALYARD_TRY_ASSIGN(tensor.encoding, read_encoding(*encoding));
  }
  if (tensor.shape.size() > kMaxRank) {
    return object.error(
        "shape", base::concat("has ", tensor.shape.size(), " dimensions, more than ", kMaxRank));
  }
  return tensor;
}

Result<ContractScalar> read_scalar(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"name", "type"}));
  ContractScalar scalar;
  HALYARD_TRY_ASSIGN(scalar.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(scalar.type, read_type(object, "type"));
  return scalar;
}

Result<GoldenVectors> read_golden(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"seeds", "axes", "attributes"}));
  GoldenVectors golden;
  HALYARD_TRY_ASSIGN(const boost::json::array* seeds, object.required_array("seeds"));
  for (const boost::json::value& seed : *seeds) {
    if (!seed.is_int64() || seed.get_int64() < 0) {
      return object.error("seeds", "holds something other than integers of at least 0");
    }
    golden.seeds.push_back(static_cast<std::uint64_t>(seed.get_int64()));
  }
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> shapes, object.required_objects("axes"));
  for (const JsonObject& shape : shapes) {
    std::vector<AxisValue>& axes = golden.axes.emplace_back();
    for (const auto& member : shape.members()) {
      AxisValue axis{std::string(member.key()), 0};
      HALYARD_TRY_ASSIGN(axis.value, shape.required_integer(member.key()));
      axes.push_back(std::move(axis));
    }
  }
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> sets, object.optional_objects("attributes"));
  for (const JsonObject& set : sets) {
    HALYARD_TRY_ASSIGN(golden.attributes.emplace_back(), read_attribute_values(set));
  }
  if (golden.attributes.empty()) golden.attributes.emplace_back();
  return golden;
}

Result<Workload::Axis> read_workload_axis(const JsonObject& object, std::string_view name) {
  Workload::Axis axis;
  axis.name = std::string(name);
  const boost::json::value& value = *object.find(name);
  if (value.is_string()) {
    axis.expression = std::string(value.get_string());
    return axis;
  }
  if (!value.is_array()) {
    HALYARD_TRY_ASSIGN(axis.values.emplace_back(), object.required_integer(name, kNotNegative));
    return axis;
  }
  for (const boost::json::value& each : value.get_array()) {
    if (!each.is_int64()) return object.error(name, "holds something other than integers");
    axis.values.push_back(each.get_int64());
  }
  return axis;
}

Result<Workload> read_workload(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"name", "types", "axes", "attributes"}));
  Workload workload;
  HALYARD_TRY_ASSIGN(workload.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(const JsonObject types, object.required_object("types"));
  HALYARD_TRY_ASSIGN(workload.types, read_types(types));
  HALYARD_TRY_ASSIGN(const JsonObject axes, object.required_object("axes"));
  for (const auto& member : axes.members()) {
    HALYARD_TRY_ASSIGN(workload.axes.emplace_back(), read_workload_axis(axes, member.key()));
  }
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> attributes,
                     object.optional_object("attributes"));
  if (attributes) {
    HALYARD_TRY_ASSIGN(workload.attributes, read_attribute_values(*attributes));
  }
  return workload;
}

// Reads each object of an array member with `read`.
template <typename Item>
Status read_each(const JsonObject& object, std::string_view member,
                 Result<Item> (*read)(const JsonObject&), std::vector<Item>& out) {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> items, object.required_objects(member));
  for (const JsonObject& item : items) {
    HALYARD_TRY_ASSIGN(Item value, read(item));
    out.push_back(std::move(value));
  }
  return base::ok();
}

Status read_identity(const JsonObject& object, ContractFields& fields) {
  static constexpr std::array<std::string_view, 1> kFormats{"halyard.contract/1"};
  HALYARD_TRY(object.required_choice("format", kFormats));
  HALYARD_TRY_ASSIGN(fields.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(fields.version, object.required_string("version"));
  HALYARD_TRY_ASSIGN(fields.summary, object.required_string("summary"));
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> onnx, object.optional_object("onnx"));
  if (!onnx) return base::ok();
  OnnxMapping& mapping = fields.onnx.emplace();
  HALYARD_TRY_ASSIGN(mapping.domain, onnx->required_string("domain"));
  HALYARD_TRY_ASSIGN(mapping.operator_name, onnx->required_string("operator"));
  HALYARD_TRY_ASSIGN(mapping.since, onnx->required_integer("since"));
  return onnx->refuse_unknown_keys({"domain", "operator", "since"});
}

Status read_numerics(const JsonObject& object, ContractFields& fields) {
  static constexpr std::array<std::string_view, 2> kDeterminism{"bitwise", "tolerance"};
  static constexpr std::array<std::string_view, 2> kKinds{"relative", "exact"};
  HALYARD_TRY_ASSIGN(fields.accumulation, read_type(object, "accumulation"));
  HALYARD_TRY_ASSIGN(const std::string determinism,
                     object.required_choice("determinism", kDeterminism));
  fields.bitwise = determinism == kDeterminism[0];
  HALYARD_TRY_ASSIGN(fields.flops, object.required_string("flops"));
  HALYARD_TRY_ASSIGN(fields.bytes, object.required_string("bytes"));
  HALYARD_TRY_ASSIGN(const JsonObject tolerance, object.required_object("tolerance"));
  HALYARD_TRY(tolerance.refuse_unknown_keys({"c", "reduction", "kind"}));
  HALYARD_TRY_ASSIGN(fields.tolerance.c, tolerance.required_number("c"));
  HALYARD_TRY_ASSIGN(fields.tolerance.reduction, tolerance.required_string("reduction"));
  HALYARD_TRY_ASSIGN(fields.tolerance.kind, read_enum<ToleranceKind>(tolerance, "kind", kKinds));
  HALYARD_TRY_ASSIGN(const JsonObject rules, object.required_object("rules"));
  for (const std::string_view name : {"nan", "infinity", "empty", "masked"}) {
    HALYARD_TRY(rules.required_string(name));
  }
  for (const auto& member : rules.members()) {
    HALYARD_TRY_ASSIGN(std::string sentence, rules.required_string(member.key()));
    fields.rules.emplace_back(std::string(member.key()), std::move(sentence));
  }
  return base::ok();
}

}  // namespace

Result<ContractFields> read_contract(const boost::json::value& document, std::string_view source) {
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(document, source));
  HALYARD_TRY(object.refuse_unknown_keys({"format", "name", "version", "summary", "onnx", "axes",
                                          "attributes", "where", "types", "tensors", "scalars",
                                          "accumulation", "determinism", "flops", "bytes",
                                          "tolerance", "rules", "golden", "workloads"}));
  ContractFields fields;
  HALYARD_TRY(read_identity(object, fields));
  HALYARD_TRY(read_each<ContractAxis>(object, "axes", read_axis, fields.axes));
  HALYARD_TRY(
      read_each<ContractAttribute>(object, "attributes", read_attribute, fields.attributes));
  HALYARD_TRY_ASSIGN(fields.where, object.optional_strings("where"));
  HALYARD_TRY(read_each<TypeBindings>(object, "types", read_types, fields.types));
  HALYARD_TRY(read_each<ContractTensor>(object, "tensors", read_tensor, fields.tensors));
  HALYARD_TRY(read_each<ContractScalar>(object, "scalars", read_scalar, fields.scalars));
  HALYARD_TRY(read_numerics(object, fields));
  HALYARD_TRY_ASSIGN(const JsonObject golden, object.required_object("golden"));
  HALYARD_TRY_ASSIGN(fields.golden, read_golden(golden));
  HALYARD_TRY(read_each<Workload>(object, "workloads", read_workload, fields.workloads));
  return fields;
}

}  // namespace halyard::operators
