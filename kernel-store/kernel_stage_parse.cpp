// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_json_reader.h"
#include "runtime/base/nearest_name.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace halyard::store::reader {
namespace {

using base::concat;
using base::JsonObject;
using base::Result;
using base::Status;

constexpr std::int64_t kMaxArguments = 128;

Result<ExpressionTriple> required_triple(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(std::vector<ExpressionText> list, required_expressions(object, key, 3, 3));
  return ExpressionTriple{std::move(list[0]), std::move(list[1]), std::move(list[2])};
}

// The kind of an argument is the one key of it that is a kind's word. "tensor_map" holds its tensor
// inside, so no argument has two.
Result<ArgumentKind> argument_kind(const JsonObject& object) {
  std::optional<ArgumentKind> kind;
  for (const auto& member : object.members()) {
    const std::string_view key(member.key().data(), member.key().size());
    const auto found = from_word<ArgumentKind>(key);
    if (!found) continue;
    if (kind) {
      return object.error_here(concat("holds both \"", word_of(*kind), "\" and \"", key,
                                      "\"; an argument is one thing"));
    }
    kind = found;
  }
  if (kind) return *kind;
  std::string clause;
  for (const auto& member : object.members()) {
    const std::string_view key(member.key().data(), member.key().size());
    clause = base::nearest_name_clause(key, words_of<ArgumentKind>());
    if (!clause.empty()) break;
  }
  return object.error_here(concat("is no argument: none of its keys is one of ",
                                  base::join(words_of<ArgumentKind>()), clause));
}

Result<TensorMap> parse_tensor_map(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"tensor", "box", "element_strides", "swizzle",
                                          "interleave", "l2_promotion", "out_of_bounds"}));
  TensorMap map;
  HALYARD_TRY_ASSIGN(map.box, required_expressions(object, "box", 1, 5));
  HALYARD_TRY_ASSIGN(map.element_strides, required_expressions(object, "element_strides",
                                                               map.box.size(), map.box.size()));
  HALYARD_TRY_ASSIGN(map.swizzle, required_word<TensorMapSwizzle>(object, "swizzle"));
  HALYARD_TRY_ASSIGN(map.interleave, required_word<TensorMapInterleave>(object, "interleave"));
  HALYARD_TRY_ASSIGN(map.l2_promotion, required_word<TensorMapPromotion>(object, "l2_promotion"));
  HALYARD_TRY_ASSIGN(map.out_of_bounds,
                     required_word<TensorMapOutOfBounds>(object, "out_of_bounds"));
  return map;
}

Status parse_argument_type(const JsonObject& object, KernelArgument& argument) {
  static constexpr std::string_view kTypes[] = {"f32", "f64", "i32", "i64", "u32", "u64"};
  HALYARD_TRY_ASSIGN(const std::string type, object.required_choice("type", kTypes));
  argument.type = *base::data_type_from_name(type);
  return base::ok();
}

Status parse_argument_subject(const JsonObject& object, KernelArgument& argument) {
  const std::string_view key = word_of(argument.kind);
  switch (argument.kind) {
    case ArgumentKind::kExpression: {
      HALYARD_TRY_ASSIGN(argument.expression, required_expression(object, key));
      return base::ok();
    }
    case ArgumentKind::kHidden: {
      HALYARD_TRY_ASSIGN(argument.hidden, required_word<HiddenArgument>(object, key));
      argument.name = word_of(argument.hidden);
      return base::ok();
    }
    case ArgumentKind::kTensorMap: {
      HALYARD_TRY_ASSIGN(const JsonObject map, object.required_object(key));
      HALYARD_TRY_ASSIGN(argument.name, required_name(map, "tensor"));
      HALYARD_TRY_ASSIGN(argument.tensor_map, parse_tensor_map(map));
      return base::ok();
    }
    default: {
      HALYARD_TRY_ASSIGN(argument.name, required_name(object, key));
      return base::ok();
    }
  }
}

Result<KernelArgument> parse_argument(const JsonObject& object) {
  KernelArgument argument;
  HALYARD_TRY_ASSIGN(argument.kind, argument_kind(object));
  std::vector<std::string_view> known = {word_of(argument.kind), "binding", "push"};
  if (is_value_argument(argument.kind)) known.emplace_back("type");
  if (argument.kind == ArgumentKind::kTensor) known.emplace_back("packed");
  if (argument.kind == ArgumentKind::kStride) known.emplace_back("dimension");
  HALYARD_TRY(object.refuse_unknown_keys(known));
  HALYARD_TRY(parse_argument_subject(object, argument));
  if (is_value_argument(argument.kind)) HALYARD_TRY(parse_argument_type(object, argument));
  if (object.has("packed")) {
    HALYARD_TRY_ASSIGN(argument.packed, required_name(object, "packed"));
  }
  if (argument.kind == ArgumentKind::kStride) {
    HALYARD_TRY_ASSIGN(const std::int64_t dimension, object.required_integer("dimension", {0, 15}));
    argument.dimension = static_cast<std::uint32_t>(dimension);
  }
  HALYARD_TRY_ASSIGN(argument.binding, optional_count(object, "binding", {0, 255}));
  HALYARD_TRY_ASSIGN(argument.push, optional_count(object, "push", {0, 4092}));
  if (argument.push && *argument.push % 4 != 0) {
    return object.error("push", concat("is ", *argument.push, ", not a multiple of 4"));
  }
  return argument;
}

Status parse_stage_options(const JsonObject& object, KernelStage& stage) {
  if (object.has("cluster")) {
    HALYARD_TRY_ASSIGN(stage.cluster, required_triple(object, "cluster"));
  }
  if (object.has("cooperative")) {
    HALYARD_TRY_ASSIGN(stage.cooperative, object.required_boolean("cooperative"));
  }
  HALYARD_TRY_ASSIGN(stage.max_resident, optional_expression(object, "max_resident"));
  HALYARD_TRY_ASSIGN(stage.shared_bytes, optional_expression(object, "shared_bytes"));
  HALYARD_TRY_ASSIGN(stage.subgroup_size, optional_count(object, "subgroup_size", {1, 128}));
  if (stage.subgroup_size && (*stage.subgroup_size & (*stage.subgroup_size - 1)) != 0) {
    return object.error("subgroup_size", concat("is ", *stage.subgroup_size, ", no power of two"));
  }
  if (object.has("split")) {
    HALYARD_TRY_ASSIGN(const JsonObject split, object.required_object("split"));
    HALYARD_TRY(split.refuse_unknown_keys({"axis", "multiple"}));
    HALYARD_TRY_ASSIGN(std::string axis, required_name(split, "axis"));
    HALYARD_TRY_ASSIGN(const std::int64_t multiple,
                       split.required_integer("multiple", {1, 1 << 30}));
    stage.split = StageSplit{std::move(axis), static_cast<std::uint64_t>(multiple)};
  }
  if (object.has("cpu")) {
    HALYARD_TRY_ASSIGN(const JsonObject cpu, object.required_object("cpu"));
    HALYARD_TRY(cpu.refuse_unknown_keys({"partition", "scratch_bytes"}));
    StageCpu settings;
    HALYARD_TRY_ASSIGN(settings.partition, required_word<CpuPartition>(cpu, "partition"));
    HALYARD_TRY_ASSIGN(settings.scratch_bytes, optional_expression(cpu, "scratch_bytes"));
    stage.cpu = std::move(settings);
  }
  return base::ok();
}

}  // namespace

Result<KernelStage> parse_stage(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"name", "cadence", "entry", "grid", "block", "cluster",
                                          "cooperative", "max_resident", "subgroup_size",
                                          "shared_bytes", "split", "cpu", "arguments"}));
  KernelStage stage;
  HALYARD_TRY_ASSIGN(stage.name, required_name(object, "name"));
  HALYARD_TRY_ASSIGN(stage.cadence, required_word<StageCadence>(object, "cadence"));
  HALYARD_TRY_ASSIGN(stage.entry, object.required_string("entry"));
  const auto in_symbol = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
  };
  if (stage.entry.empty() || stage.entry.size() > 256 ||
      (stage.entry[0] >= '0' && stage.entry[0] <= '9') ||
      !std::all_of(stage.entry.begin(), stage.entry.end(), in_symbol)) {
    return object.error("entry", "is not the name of a symbol (at most 256 bytes)");
  }
  HALYARD_TRY_ASSIGN(stage.grid, required_triple(object, "grid"));
  HALYARD_TRY_ASSIGN(stage.block, required_triple(object, "block"));
  HALYARD_TRY(parse_stage_options(object, stage));
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> arguments, object.required_objects("arguments"));
  if (arguments.size() > kMaxArguments) {
    return object.error("arguments",
                        concat("has ", arguments.size(), " elements, above ", kMaxArguments));
  }
  for (const JsonObject& argument : arguments) {
    HALYARD_TRY_ASSIGN(KernelArgument parsed, parse_argument(argument));
    stage.arguments.push_back(std::move(parsed));
  }
  return stage;
}

}  // namespace halyard::store::reader
