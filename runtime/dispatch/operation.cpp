// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/operation.h"

#include "runtime/base/text.h"
#include "runtime/dispatch/view_check.h"

#include <utility>

namespace halyard::dispatch {
namespace {

base::Error invalid(std::string sentence) {
  return base::Error(base::ErrorCode::kInvalidArgument, std::move(sentence));
}

base::Error outside_guards(std::string sentence) {
  return base::Error(base::ErrorCode::kOutsideGuards, std::move(sentence));
}

bool has_no_output_elements(const operators::Contract& contract,
                            const operators::ShapeTable& shapes) {
  for (std::size_t i = 0; i < contract.tensors().size(); ++i) {
    const bool is_output = contract.tensors()[i].role != operators::TensorRole::kInput;
    if (is_output && shapes.tensors[i].present && shapes.tensors[i].element_count > 0) return false;
  }
  return true;
}

}  // namespace

Operation::Operation(core::Device& device, operators::Problem problem, ConstantTable constants,
                     AxisBounds bounds)
    : device_(base::Ref<core::Device>::share(&device)),
      problem_(std::move(problem)),
      constants_(std::move(constants)),
      bounds_(std::move(bounds)) {}

base::Result<base::Ref<Operation>> Operation::create(core::Device& device,
                                                     operators::Problem problem,
                                                     ConstantTable constants, AxisBounds bounds,
                                                     base::Ref<const KernelChoice> choice) {
  auto operation = base::Ref<Operation>::adopt(
      new Operation(device, std::move(problem), std::move(constants), std::move(bounds)));
  HALYARD_TRY(operation->adopt(std::move(choice)));
  return operation;
}

base::Status Operation::adopt(base::Ref<const KernelChoice> choice) {
  PackedSet packed;
  if (choice->plan) {
    HALYARD_TRY_ASSIGN(packed, pack_constants(*choice->plan));
  }
  choice_ = std::move(choice);
  packed_ = std::move(packed);
  return base::ok();
}

base::Result<Operation::PackedSet> Operation::pack_constants(const LaunchPlan& plan) const {
  PackedSet packed;
  for (std::size_t i = 0; i < plan.packings().size(); ++i) {
    const LaunchPlan::Packing& packing = plan.packings()[i];
    Constant* constant = constants_[packing.tensor].get();
    if (constant == nullptr) {
      return invalid(base::concat("The kernel repacks tensor \"",
                                  problem_.contract().tensors()[packing.tensor].name,
                                  "\", which is not bound to a constant."));
    }
    HALYARD_TRY_ASSIGN(base::Ref<core::Buffer> buffer,
                       constant->packed(packing.key, [&] { return plan.pack(i, *constant); }));
    packed.buffers[i] = buffer.get();
    packed.references.push_back(std::move(buffer));
  }
  return packed;
}

base::Status Operation::check_axes(std::span<const std::int64_t> axes) const {
  const auto& contract = problem_.contract();
  const auto& order = contract.launch_axes();
  if (axes.size() != order.size()) {
    return invalid(base::concat("The launch has ", axes.size(), " axes; contract ", contract.name(),
                                " has ", order.size(), "."));
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const operators::ContractAxis& axis = contract.axes()[order[i]];
    if (axes[i] < axis.min || axes[i] > axis.max) {
      return outside_guards(base::concat("Axis ", axis.name, " (", axes[i], ") is not between ",
                                         axis.min, " and ", axis.max, "."));
    }
    if (axes[i] > bounds_[i]) {
      return outside_guards(base::concat(
          "Axis ", axis.name, " (", axes[i],
          ") is above the bound that the operation was prepared for (", bounds_[i], ")."));
    }
  }
  return base::ok();
}

base::Status Operation::check_counts(const Launch& launch) const {
  const auto& contract = problem_.contract();
  if (launch.views.size() != contract.tensors().size()) {
    return invalid(base::concat("The launch has ", launch.views.size(), " views; contract ",
                                contract.name(), " has ", contract.tensors().size(), " tensors."));
  }
  if (launch.scalars.size() != contract.scalars().size()) {
    return invalid(base::concat("The launch has ", launch.scalars.size(), " scalars; contract ",
                                contract.name(), " has ", contract.scalars().size(), "."));
  }
  return base::ok();
}

base::Status Operation::bind(const Launch& launch, BoundLaunch& bound) const {
  HALYARD_TRY(check_counts(launch));
  HALYARD_TRY(check_axes(launch.axes));
  if (!problem_.shapes_into(launch.axes, bound.shapes)) {
    return outside_guards(problem_.shapes(launch.axes).error().message());
  }
  const auto& tensors = problem_.contract().tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    TensorView view = launch.views[i];
    if (Constant* constant = constants_[i].get()) {
      if (view.buffer != nullptr) {
        return invalid(base::concat("Tensor \"", tensors[i].name,
                                    "\": A view is given, but the tensor is bound to a constant."));
      }
      view = {&constant->source(), 0, 0, nullptr};
    }
    HALYARD_TRY(bind_view(*device_, tensors[i], bound.shapes.tensors[i], view, bound.tensors[i]));
  }
  return check_overlaps(problem_.contract(), bound);
}

base::Status Operation::emit(CommandSink& sink, const Launch& launch) const {
  BoundLaunch bound;
  HALYARD_TRY(bind(launch, bound));
  if (has_no_output_elements(problem_.contract(), bound.shapes)) return base::ok();
  return choice_->plan->launch(
      sink, {bound, launch.axes, launch.scalars, launch.workspace, packed_.buffers});
}

base::Status Operation::check(const Launch& launch) const {
  BoundLaunch bound;
  HALYARD_TRY(bind(launch, bound));
  if (is_reference() || has_no_output_elements(problem_.contract(), bound.shapes)) {
    return base::ok();
  }
  return choice_->plan->check(
      {bound, launch.axes, launch.scalars, launch.workspace, packed_.buffers});
}

base::Status Operation::enqueue(core::Queue& queue, const Launch& launch) const {
  if (&queue.device() != device_.get()) {
    return invalid(base::concat("The queue is on device ", queue.device().info().id,
                                ", the operation on ", device_->info().id, "."));
  }
  if (is_reference()) return run_reference(queue, launch);
  QueueSink sink(queue);
  return emit(sink, launch);
}

base::Result<std::uint64_t> Operation::workspace_bytes(std::span<const std::int64_t> axes) const {
  HALYARD_TRY(check_axes(axes));
  if (is_reference()) return std::uint64_t{0};
  return choice_->plan->workspace_bytes(axes);
}

}  // namespace halyard::dispatch
