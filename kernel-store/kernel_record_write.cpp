// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_record.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <charconv>

namespace halyard::store {
namespace {

namespace json = boost::json;

json::string text_of(std::string_view text) {
  return json::string(text.data(), text.size());
}

json::value expression_to_json(const ExpressionText& expression) {
  if (!expression.is_literal) return text_of(expression.text);
  std::int64_t value = 0;
  std::from_chars(expression.text.data(), expression.text.data() + expression.text.size(), value);
  return value;
}

template <typename List>
json::array expressions_to_json(const List& expressions) {
  json::array array;
  for (const ExpressionText& expression : expressions) {
    array.push_back(expression_to_json(expression));
  }
  return array;
}

json::array texts_to_json(const std::vector<std::string>& texts) {
  json::array array;
  for (const std::string& text : texts)
    array.push_back(text_of(text));
  return array;
}

void set(json::object& object, std::string_view key, json::value value) {
  object[json::string_view(key.data(), key.size())] = std::move(value);
}

json::object tensor_map_to_json(const KernelArgument& argument) {
  const TensorMap& map = *argument.tensor_map;
  json::object object;
  set(object, "tensor", text_of(argument.name));
  set(object, "box", expressions_to_json(map.box));
  set(object, "element_strides", expressions_to_json(map.element_strides));
  set(object, "swizzle", text_of(word_of(map.swizzle)));
  set(object, "interleave", text_of(word_of(map.interleave)));
  set(object, "l2_promotion", text_of(word_of(map.l2_promotion)));
  set(object, "out_of_bounds", text_of(word_of(map.out_of_bounds)));
  return object;
}

json::object argument_to_json(const KernelArgument& argument) {
  json::object object;
  const std::string_view key = word_of(argument.kind);
  if (argument.kind == ArgumentKind::kTensorMap) {
    set(object, key, tensor_map_to_json(argument));
  } else if (argument.kind == ArgumentKind::kExpression) {
    set(object, key, expression_to_json(argument.expression));
  } else {
    set(object, key, text_of(argument.name));
  }
  if (is_value_argument(argument.kind)) {
    set(object, "type", text_of(base::data_type_name(argument.type)));
  }
  if (argument.kind == ArgumentKind::kStride) set(object, "dimension", argument.dimension);
  if (!argument.packed.empty()) set(object, "packed", text_of(argument.packed));
  if (argument.binding) set(object, "binding", *argument.binding);
  if (argument.push) set(object, "push", *argument.push);
  return object;
}

json::object cpu_to_json(const StageCpu& cpu) {
  json::object object;
  set(object, "partition", text_of(word_of(cpu.partition)));
  if (cpu.scratch_bytes) set(object, "scratch_bytes", expression_to_json(*cpu.scratch_bytes));
  return object;
}

json::object stage_to_json(const KernelStage& stage) {
  json::object object;
  set(object, "name", text_of(stage.name));
  set(object, "cadence", text_of(word_of(stage.cadence)));
  set(object, "entry", text_of(stage.entry));
  set(object, "grid", expressions_to_json(stage.grid));
  set(object, "block", expressions_to_json(stage.block));
  if (stage.cluster) set(object, "cluster", expressions_to_json(*stage.cluster));
  if (stage.cooperative) set(object, "cooperative", *stage.cooperative);
  if (stage.max_resident) set(object, "max_resident", expression_to_json(*stage.max_resident));
  if (stage.subgroup_size) set(object, "subgroup_size", *stage.subgroup_size);
  if (stage.shared_bytes) set(object, "shared_bytes", expression_to_json(*stage.shared_bytes));
  if (stage.split) {
    set(object, "split",
        json::object{{"axis", text_of(stage.split->axis)}, {"multiple", stage.split->multiple}});
  }
  if (stage.cpu) set(object, "cpu", cpu_to_json(*stage.cpu));
  json::array arguments;
  for (const KernelArgument& argument : stage.arguments) {
    arguments.push_back(argument_to_json(argument));
  }
  set(object, "arguments", std::move(arguments));
  return object;
}

json::object requirement_to_json(const Requirement& requirement) {
  static constexpr std::string_view kRelations[] = {"at_least", "at_most", "equals"};
  json::object object;
  set(object, "capability", text_of(requirement.capability));
  const std::string_view key = kRelations[static_cast<std::size_t>(requirement.relation)];
  std::visit(
      [&](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
          set(object, key, text_of(value));
        } else {
          set(object, key, value);
        }
      },
      requirement.value);
  return object;
}

json::object parameter_to_json(const KernelParameter& parameter) {
  json::object object;
  set(object, "name", text_of(parameter.name));
  set(object, "kind", text_of(word_of(parameter.kind)));
  if (parameter.kind == ParameterKind::kConstant) set(object, "id", parameter.constant_id);
  set(object, "domain", json::array(parameter.domain.begin(), parameter.domain.end()));
  set(object, "default", parameter.default_value);
  return object;
}

json::object workspace_to_json(const KernelWorkspace& workspace) {
  json::object object;
  set(object, "name", text_of(workspace.name));
  set(object, "bytes", expression_to_json(workspace.bytes));
  set(object, "alignment_bytes", workspace.alignment_bytes);
  set(object, "initial", text_of(word_of(workspace.initial)));
  return object;
}

json::object layout_to_json(const PackedLayout& layout) {
  json::object object;
  set(object, "name", text_of(layout.name));
  set(object, "tensor", text_of(layout.tensor));
  set(object, "bytes", expression_to_json(layout.bytes));
  set(object, "alignment_bytes", layout.alignment_bytes);
  set(object, "stage", text_of(layout.stage));
  return object;
}

json::object provenance_to_json(const KernelRecord& record) {
  json::object object;
  if (const auto* const project = std::get_if<ProjectProvenance>(&record.provenance)) {
    set(object, "project", text_of(project->project));
    return object;
  }
  const auto& model = std::get<ModelProvenance>(record.provenance);
  set(object, "model", text_of(model.model));
  set(object, "provider", text_of(model.provider));
  set(object, "request", text_of(model.request));
  set(object, "prompt_hash", text_of(model.prompt_hash));
  set(object, "time", text_of(model.time));
  return object;
}

// A list of objects, left out when it is empty.
template <typename List, typename Write>
void set_list(json::object& object, std::string_view key, const List& items, Write write) {
  if (items.empty()) return;
  json::array array;
  for (const auto& item : items)
    array.push_back(write(item));
  set(object, key, std::move(array));
}

}  // namespace

json::value kernel_record_to_json(const KernelRecord& record) {
  json::object object;
  set(object, "format", "halyard.kernel/1");
  set(object, "name", text_of(record.name));
  set(object, "version", text_of(record.version));
  set(object, "contract", text_of(base::concat(record.contract, '@', record.contract_major)));
  set(object, "language", text_of(word_of(record.language)));
  set(object, "source", text_of(record.source));
  if (record.files) set(object, "files", texts_to_json(*record.files));
  if (record.prelude) set(object, "prelude", text_of(*record.prelude));
  set(object, "targets", texts_to_json(record.targets));
  set_list(object, "types", record.types, [](const TypeBinding& types) {
    json::object binding;
    for (const auto& [name, type] : types)
      set(binding, name, text_of(base::data_type_name(type)));
    return binding;
  });
  if (record.attributes) {
    json::object attributes;
    for (const auto& [name, values] : *record.attributes) {
      set(attributes, name, texts_to_json(values));
    }
    set(object, "attributes", std::move(attributes));
  }
  set_list(object, "requires", record.requirements, requirement_to_json);
  if (!record.where.empty()) set(object, "where", texts_to_json(record.where));
  set_list(object, "parameters", record.parameters, parameter_to_json);
  set_list(object, "workspace", record.workspace, workspace_to_json);
  set_list(object, "packed_layouts", record.packed_layouts, layout_to_json);
  set_list(object, "stages", record.stages, stage_to_json);
  set(object, "provenance", provenance_to_json(record));
  set(object, "license", text_of(record.license));
  return object;
}

}  // namespace halyard::store
