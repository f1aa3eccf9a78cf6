// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/prepared_operation.h"

#include "runtime/base/text.h"

#include <utility>
#include <variant>

namespace halyard::services {
namespace {

std::vector<halyard_axis> axes_of(const BoundOperation& bound) {
  std::vector<halyard_axis> axes;
  for (const operators::AxisValue& axis : bound.problem.prepare_axes()) {
    axes.push_back({axis.name.c_str(), axis.value});
  }
  const operators::Contract& contract = bound.problem.contract();
  for (std::size_t i = 0; i < bound.launch_axes.size(); ++i) {
    axes.push_back({contract.axes()[contract.launch_axes()[i]].name.c_str(), bound.launch_axes[i]});
  }
  return axes;
}

std::vector<halyard_attribute> attributes_of(const BoundOperation& bound) {
  std::vector<halyard_attribute> attributes;
  for (const auto& [name, value] : bound.problem.attributes()) {
    halyard_attribute attribute{name.c_str(), nullptr, 0};
    if (const auto* text = std::get_if<std::string>(&value)) attribute.text = text->c_str();
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      attribute.number = static_cast<double>(*integer);
    }
    if (const auto* number = std::get_if<double>(&value)) attribute.number = *number;
    attributes.push_back(attribute);
  }
  return attributes;
}

halyard_scalar scalar_of(base::DataType type, double value) {
  halyard_scalar scalar{};
  switch (type) {
    case base::DataType::kF64:
      scalar.f64 = value;
      break;
    case base::DataType::kF32:
      scalar.f32 = static_cast<float>(value);
      break;
    default:
      scalar.i64 = static_cast<std::int64_t>(value);
  }
  return scalar;
}

}  // namespace

base::Status PreparedOperation::prepare(halyard_device* device, const BoundOperation& bound,
                                        const TensorSet& tensors, const KernelWish& wish) {
  const operators::Contract& contract = bound.problem.contract();
  std::vector<halyard_type_binding> types;
  for (const auto& [variable, type] : bound.problem.types()) {
    types.push_back({variable.c_str(), static_cast<std::uint32_t>(type)});
  }
  std::vector<halyard_constant_binding> constants;
  for (std::size_t i = 0; i < bound.uses.size(); ++i) {
    halyard_constant* constant = bound.uses[i] ? tensors.constant(bound.uses[i]->shared) : nullptr;
    if (constant != nullptr) constants.push_back({contract.tensors()[i].name.c_str(), constant});
  }
  const std::vector<halyard_axis> axes = axes_of(bound);
  const std::vector<halyard_attribute> attributes = attributes_of(bound);
  halyard_operation_desc desc = HALYARD_OPERATION_DESC_INIT;
  desc.flags = wish.allow_reference ? HALYARD_OPERATION_ALLOW_REFERENCE : 0;
  desc.contract = contract.name().c_str();
  desc.kernel = wish.kernel;
  desc.type_count = static_cast<std::uint32_t>(types.size());
  desc.types = types.data();
  desc.axis_count = static_cast<std::uint32_t>(axes.size());
  desc.axes = axes.data();
  desc.attribute_count = static_cast<std::uint32_t>(attributes.size());
  desc.attributes = attributes.data();
  desc.constant_count = static_cast<std::uint32_t>(constants.size());
  desc.constants = constants.data();
  halyard_operation* operation = nullptr;
  HALYARD_TRY(library_status(halyard_operation_prepare(device, &desc, &operation)));
  operation_ = Operation(operation);
  return base::ok();
}

void PreparedOperation::place_views(const BoundOperation& bound, const TensorSet& tensors) {
  for (std::size_t i = 0; i < bound.uses.size(); ++i) {
    halyard_view view{};
    const std::optional<BoundUse>& use = bound.uses[i];
    if (use && tensors.buffer(use->shared) != nullptr) {
      const auto size_bytes =
          static_cast<std::int64_t>(base::data_type_size_bytes(bound.shapes.tensors[i].type));
      view.buffer = tensors.buffer(use->shared);
      view.offset_bytes = static_cast<std::uint64_t>(use->offset * size_bytes);
      if (!use->is_packed) view.strides = use->strides.data();
    }
    views_.push_back(view);
  }
}

base::Status PreparedOperation::make_workspace(halyard_device* device) {
  HALYARD_TRY(library_status(
      halyard_operation_workspace_bytes(operation_.get(), static_cast<std::uint32_t>(axes_.size()),
                                        axes_.data(), &workspace_bytes_)));
  if (workspace_bytes_ == 0) return base::ok();
  halyard_buffer_desc desc = HALYARD_BUFFER_DESC_INIT;
  desc.size_bytes = workspace_bytes_;
  halyard_buffer* buffer = nullptr;
  HALYARD_TRY(library_status(halyard_buffer_create(device, &desc, &buffer)));
  workspace_ = Buffer(buffer);
  return base::ok();
}

base::Result<PreparedOperation> PreparedOperation::create(halyard_device* device,
                                                          const BoundOperation& operation,
                                                          const TensorSet& tensors,
                                                          const KernelWish& wish) {
  PreparedOperation prepared;
  const auto prepare = [&]() -> base::Status {
    HALYARD_TRY(prepared.prepare(device, operation, tensors, wish));
    prepared.axes_ = operation.launch_axes;
    const auto axis_count = static_cast<std::uint32_t>(prepared.axes_.size());
    HALYARD_TRY(library_status(halyard_operation_cost(prepared.operation_.get(), axis_count,
                                                      prepared.axes_.data(), &prepared.flops_,
                                                      &prepared.bytes_)));
    return prepared.make_workspace(device);
  };
  base::Status done = prepare();
  if (!done) {
    return std::move(done.error()).with_context(base::concat("preparing \"", operation.name, "\""));
  }
  prepared.place_views(operation, tensors);
  const auto& scalars = operation.problem.contract().scalars();
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    prepared.scalars_.push_back(scalar_of(scalars[i].type, operation.scalars[i]));
  }
  return prepared;
}

halyard_launch PreparedOperation::launch() const {
  halyard_launch launch = HALYARD_LAUNCH_INIT;
  launch.view_count = static_cast<std::uint32_t>(views_.size());
  launch.views = views_.data();
  launch.axis_count = static_cast<std::uint32_t>(axes_.size());
  launch.axes = axes_.data();
  launch.scalar_count = static_cast<std::uint32_t>(scalars_.size());
  launch.scalars = scalars_.data();
  if (workspace_bytes_ != 0) launch.workspace = {workspace_.get(), 0, workspace_bytes_, nullptr};
  return launch;
}

base::Status PreparedOperation::enqueue(halyard_queue* queue) const {
  const halyard_launch now = launch();
  return library_status(halyard_operation_enqueue(operation_.get(), queue, &now));
}

base::Status PreparedOperation::append_to(halyard_sequence* sequence) const {
  const halyard_launch now = launch();
  return library_status(halyard_sequence_add(sequence, operation_.get(), &now, nullptr));
}

halyard_operation_info PreparedOperation::info() const {
  halyard_operation_info info = HALYARD_OPERATION_INFO_INIT;
  halyard_operation_get_info(operation_.get(), &info);
  return info;
}

}  // namespace halyard::services
