// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/planned_shape.h"

#include "runtime/base/text.h"
#include "runtime/operators/axis_values.h"

#include <utility>

namespace halyard::verification {

std::optional<PlannedShape> ShapeMaker::make(const std::map<std::string, std::int64_t>& axes,
                                             const operators::Attributes& attributes,
                                             const ShapeLimits& limits) const {
  std::vector<operators::AxisValue> ordered;
  for (const operators::ContractAxis& axis : contract_->axes()) {
    const auto value = axes.find(axis.name);
    if (value == axes.end()) return std::nullopt;
    ordered.push_back({axis.name, value->second});
  }
  const auto split = operators::split_axes(*contract_, ordered);
  if (!split) return std::nullopt;
  auto problem = operators::Problem::create(contract_, types_, attributes, split->prepare);
  if (!problem) return std::nullopt;
  auto launch_axes = problem->launch_values(split->launch);
  if (!launch_axes) return std::nullopt;
  const auto shapes = problem->shapes(*launch_axes);
  const auto flops = problem->flops(*launch_axes);
  if (!shapes || !flops || *flops / 2 > limits.steps) return std::nullopt;
  PlannedShape shape{std::move(*problem), std::move(ordered), std::move(*launch_axes)};
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
