// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/reproduction.h"

#include "runtime/base/text.h"
#include "runtime/operators/axis_values.h"
#include "runtime/verification/counter_example.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace halyard::verification {
namespace {

constexpr std::int64_t kCheckMultiplyAdds = 300'000'000;

base::Result<operators::Attributes> attributes_of(const boost::json::object& members) {
  operators::Attributes attributes;
  for (const auto& [key, value] : members) {
    const std::string name(key);
    if (value.is_string()) {
      attributes[name] = std::string(value.get_string());
    } else if (value.is_int64()) {
      attributes[name] = value.get_int64();
    } else if (value.is_double()) {
      attributes[name] = value.get_double();
    } else {
      return base::Error(base::ErrorCode::kInvalidArgument,
                         base::concat("Attribute ", name, " is no number or text."));
    }
  }
  return attributes;
}

base::Result<PlannedShape> shape_of(const base::Ref<const operators::Contract>& contract,
                                    const CounterExample& example) {
  std::vector<operators::AxisValue> axes;
  for (const auto& [name, value] : example.axes)
    axes.push_back({name, value});
  HALYARD_TRY_ASSIGN(const operators::AxisSplit split, operators::split_axes(*contract, axes));
  HALYARD_TRY_ASSIGN(operators::Attributes attributes, attributes_of(example.attributes));
  operators::TypeBindings types(example.types.begin(), example.types.end());
  HALYARD_TRY_ASSIGN(
      operators::Problem problem,
      operators::Problem::create(contract, std::move(types), std::move(attributes), split.prepare));
  HALYARD_TRY_ASSIGN(std::vector<std::int64_t> launch_axes, problem.launch_values(split.launch));
  PlannedShape shape{std::move(problem), std::move(axes), std::move(launch_axes)};
  shape.origin = example.is_held_out ? ShapeOrigin::kHeldOut : ShapeOrigin::kEdge;
  return shape;
}

base::Result<InputCase> inputs_of(const operators::Problem& problem, const std::string& name) {
  for (const InputCase& input : input_cases(problem)) {
    if (input_case_name(input, problem.contract()) == name) return input;
  }
  return base::Error(
      base::ErrorCode::kInvalidArgument,
      base::concat("Contract ", problem.contract().name(), " has no inputs \"", name, "\"."));
}

}  // namespace

base::Result<std::optional<Finding>> launch_counter_example(
    Runner& runner, const base::Ref<const operators::Contract>& contract,
    const CounterExample& example) {
  HALYARD_TRY_ASSIGN(const PlannedShape shape, shape_of(contract, example));
  HALYARD_TRY_ASSIGN(const InputCase input, inputs_of(shape.problem, example.inputs));
  HALYARD_TRY_ASSIGN(
      CheckedLaunch launch,
      CheckedLaunch::create(shape, input, example.seed, {kCheckMultiplyAdds, example.seed}));
  LaunchSession session(runner, example.seed);
  for (const Fence fence : {Fence::kAfter, Fence::kBefore, Fence::kApart}) {
    HALYARD_TRY(session.place(launch, fence));
    HALYARD_TRY_ASSIGN(std::optional<Mismatch> mismatch, session.run(launch));
    if (!mismatch) continue;
    return std::optional(make_finding(
        Stage::kNumerics, SmallerFailure{shape, input, example.seed, std::move(*mismatch)}));
  }
  return std::optional<Finding>();
}

}  // namespace halyard::verification
