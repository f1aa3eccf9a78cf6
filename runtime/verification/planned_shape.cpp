// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/planned_shape.h"

#include "runtime/base/text.h"

#include <utility>
#include <variant>

namespace halyard::verification {

const std::optional<operators::Problem>& ShapeMaker::problem_of(
    const std::vector<operators::AxisValue>& prepare_axes,
    const operators::Attributes& attributes) const {
  std::string key = axes_text(prepare_axes);
  for (const auto& [name, value] : attributes) {
    std::visit(
        [&key, &name = name](const auto& each) { key += base::concat(';', name, '=', each); },
        value);
  }
  const auto [entry, is_new] = problems_.try_emplace(std::move(key));
  if (is_new) {
    auto problem = operators::Problem::create(contract_, types_, attributes, prepare_axes);
    if (problem) entry->second = std::move(*problem);
  }
  return entry->second;
}

std::optional<PlannedShape> ShapeMaker::make(const std::map<std::string, std::int64_t>& axes,
                                             const operators::Attributes& attributes,
                                             const ShapeLimits& limits) const {
  std::vector<operators::AxisValue> ordered;
  std::vector<operators::AxisValue> prepare_axes;
  std::vector<operators::AxisValue> named_launch_axes;
  for (const operators::ContractAxis& axis : contract_->axes()) {
    const auto value = axes.find(axis.name);
    if (value == axes.end()) return std::nullopt;
    if (axis.kind == operators::AxisKind::kLaunch && value->second > limits.launch_axis)
      return std::nullopt;
    ordered.push_back({axis.name, value->second});
    const bool is_prepare = axis.kind == operators::AxisKind::kPrepare;
    (is_prepare ? prepare_axes : named_launch_axes).push_back(ordered.back());
  }
  const std::optional<operators::Problem>& problem = problem_of(prepare_axes, attributes);
  if (!problem) return std::nullopt;
  auto launch_axes = problem->launch_values(named_launch_axes);
  if (!launch_axes) return std::nullopt;
  const auto shapes = problem->shapes(*launch_axes);
  const auto flops = problem->flops(*launch_axes);
  if (!shapes || !flops || *flops / 2 > limits.steps) return std::nullopt;
  PlannedShape shape{*problem, std::move(ordered), std::move(*launch_axes)};
  shape.steps = *flops / 2;
  for (std::size_t i = 0; i < shapes->tensor_count; ++i) {
    const operators::TensorShape& tensor = shapes->tensors[i];
    if (tensor.size_bytes > limits.bytes || tensor.element_count > limits.steps)
      return std::nullopt;
    shape.steps += tensor.element_count;
    shape.bytes += tensor.size_bytes;
    if (shape.bytes > limits.bytes || shape.steps > limits.steps) return std::nullopt;
  }
  if (serves_ && !serves_(shape.problem, shape.launch_axes)) return std::nullopt;
  return shape;
}

std::string axes_text(std::span<const operators::AxisValue> axes) {
  std::vector<std::string> texts;
  for (const operators::AxisValue& axis : axes)
    texts.push_back(base::concat(axis.name, " = ", axis.value));
  return base::join(texts);
}

}  // namespace halyard::verification
