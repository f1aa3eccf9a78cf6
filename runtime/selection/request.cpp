// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/request.h"

#include "runtime/base/text.h"
#include "runtime/operators/axis_values.h"
#include "runtime/selection/instance.h"

#include <utility>

namespace halyard::selection {
namespace {

base::Error invalid(std::string sentence) {
  return base::Error(base::ErrorCode::kInvalidArgument, std::move(sentence));
}

// A constant must have the shape that the prepare axes give its tensor.
base::Status check_constant(const operators::Problem& problem, std::uint32_t tensor,
                            const dispatch::Constant& constant) {
  const operators::ContractTensor& declared = problem.contract().tensors()[tensor];
  if (constant.type() != problem.tensor_type(tensor)) {
    return invalid(base::concat("The constant for tensor \"", declared.name, "\" is of type ",
                                base::data_type_name(constant.type()), ", the tensor of type ",
                                base::data_type_name(problem.tensor_type(tensor)), "."));
  }
  if (constant.shape().size() != declared.shape.size()) {
    return invalid(base::concat("The constant for tensor \"", declared.name, "\" has ",
                                constant.shape().size(), " dimensions, the tensor ",
                                declared.shape.size(), "."));
  }
  for (std::size_t d = 0; d < declared.shape.size(); ++d) {
    HALYARD_TRY_ASSIGN(const auto expression,
                       base::Expression::compile(declared.shape[d], problem.slots().resolver()));
    HALYARD_TRY_ASSIGN(const std::int64_t size, expression.evaluate(problem.slots().values()));
    if (constant.shape()[d] != size) {
      return invalid(base::concat("Dimension ", d, " of the constant for tensor \"", declared.name,
                                  "\" is ", constant.shape()[d], ", not ", declared.shape[d], " (",
                                  size, ")."));
    }
  }
  return base::ok();
}

base::Status bind_constants(const core::Device& device, const PrepareRequest& request,
                            BoundRequest& out) {
  for (const auto& [name, constant] : request.constants) {
    HALYARD_TRY_ASSIGN(const std::uint32_t tensor, out.problem.contract().tensor_index(name));
    if (!out.problem.contract().tensors()[tensor].constant) {
      return invalid(base::concat("Tensor \"", name,
                                  "\" is not one that the contract lets be "
                                  "constant."));
    }
    if (out.constants[tensor]) {
      return invalid(base::concat("Tensor \"", name, "\" is bound to two constants."));
    }
    if (&constant->device() != &device) {
      return invalid(base::concat("The constant for tensor \"", name, "\" is on device ",
                                  constant->device().info().id, ", the operation on ",
                                  device.info().id, "."));
    }
    HALYARD_TRY(check_constant(out.problem, tensor, *constant));
    out.constants[tensor] = constant;
  }
  return base::ok();
}

base::Status bind_bounds(std::span<const operators::AxisValue> launch, BoundRequest& out) {
  const operators::Contract& contract = out.problem.contract();
  for (const std::uint32_t axis : contract.launch_axes()) {
    out.bounds.push_back(contract.axes()[axis].max);
    out.hints.emplace_back();
  }
  for (const operators::AxisValue& value : launch) {
    HALYARD_TRY_ASSIGN(const std::uint32_t axis, contract.axis_index(value.name));
    HALYARD_TRY(operators::check_axis_value(contract, contract.axes()[axis], value.value));
    const auto& order = contract.launch_axes();
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (order[i] != axis) continue;
      if (out.hints[i]) return invalid(base::concat("Axis ", value.name, " is given twice."));
      out.bounds[i] = value.value;
      out.hints[i] = value.value;
    }
  }
  return base::ok();
}

}  // namespace

base::Result<BoundRequest> bind_request(Instance& instance, const core::Device& device,
                                        const PrepareRequest& request) {
  HALYARD_TRY_ASSIGN(auto contract, instance.contracts().find(request.contract));
  HALYARD_TRY_ASSIGN(operators::AxisSplit axes, operators::split_axes(*contract, request.axes));
  HALYARD_TRY_ASSIGN(
      operators::Problem problem,
      operators::Problem::create(contract, request.types, request.attributes, axes.prepare));
  BoundRequest bound{std::move(problem),      {}, {}, {}, request.kernel, request.allow_reference,
                     request.assume_constants};
  HALYARD_TRY(bind_constants(device, request, bound));
  HALYARD_TRY(bind_bounds(axes.launch, bound));
  return bound;
}

}  // namespace halyard::selection
