// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/problem.h"

#include "runtime/base/text.h"
#include "runtime/operators/axis_values.h"

#include <algorithm>
#include <utility>

namespace halyard::operators {
namespace {

// "M = 3, kv_length = 8" of the slots that an expression names.
std::string named_values(const base::Expression& expression, const SlotTable& slots,
                         std::span<const std::int64_t> values) {
  std::vector<std::string> parts;
  for (const std::string& name : expression.names()) {
    parts.push_back(base::concat(name, " = ", values[*slots.slot_of(name)]));
  }
  return base::join(parts);
}

}  // namespace

base::Result<Problem> Problem::create(base::Ref<const Contract> contract, TypeBindings types,
                                      Attributes attributes,
                                      std::span<const AxisValue> prepare_axes) {
  Problem problem;
  problem.content_->contract = std::move(contract);
  HALYARD_TRY(problem.bind_types(std::move(types)));
  HALYARD_TRY(problem.bind_attributes(std::move(attributes)));
  HALYARD_TRY(problem.bind_slots(prepare_axes));
  HALYARD_TRY(problem.check_conditions());
  HALYARD_TRY(problem.compile());
  return problem;
}

base::Status Problem::bind_slots(std::span<const AxisValue> prepare_axes) {
  HALYARD_TRY_ASSIGN(
      const std::vector<std::int64_t> values,
      order_axis_values(*content_->contract, content_->contract->prepare_axes(), prepare_axes));
  for (const std::uint32_t index : content_->contract->launch_axes()) {
    HALYARD_TRY(content_->slots.add(content_->contract->axes()[index].name, 0));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ContractAxis& axis = content_->contract->axes()[content_->contract->prepare_axes()[i]];
    HALYARD_TRY(content_->slots.add(axis.name, values[i]));
    content_->prepare_axes.push_back({axis.name, values[i]});
  }
  for (const auto& [name, value] : content_->attributes) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      HALYARD_TRY(content_->slots.add(name, *integer));
    }
  }
  for (const auto& [name, type] : content_->types) {
    HALYARD_TRY(content_->slots.add("sizeof." + name, base::data_type_size_bytes(type)));
  }
  return base::ok();
}

base::Status Problem::check_conditions() const {
  for (const std::string& text : content_->contract->fields().where) {
    HALYARD_TRY_ASSIGN(const base::Expression condition,
                       base::Expression::compile(text, content_->slots.resolver()));
    HALYARD_TRY_ASSIGN(const std::int64_t holds, condition.evaluate(content_->slots.values()));
    if (holds != 0) continue;
    return base::Error(
        base::ErrorCode::kInvalidArgument,
        base::concat("Contract \"", content_->contract->name(), "\" needs ", text, ", but ",
                     named_values(condition, content_->slots, content_->slots.values()), "."));
  }
  return base::ok();
}

base::Status Problem::compile() {
  const ContractFields& fields = content_->contract->fields();
  HALYARD_TRY(compile_tensors());
  const auto resolve = content_->slots.resolver();
  HALYARD_TRY_ASSIGN(content_->flops, base::Expression::compile(fields.flops, resolve));
  HALYARD_TRY_ASSIGN(content_->bytes, base::Expression::compile(fields.bytes, resolve));
  HALYARD_TRY_ASSIGN(content_->reduction,
                     base::Expression::compile(fields.tolerance.reduction, resolve));
  return base::ok();
}

base::Status Problem::compile_tensors() {
  const auto resolve = content_->slots.resolver();
  for (const ContractTensor& tensor : content_->contract->tensors()) {
    BoundTensor bound;
    const auto variable = content_->types.find(tensor.type);
    bound.type = variable != content_->types.end() ? variable->second
                                                   : *base::data_type_from_name(tensor.type);
    for (const std::string& size : tensor.shape) {
      HALYARD_TRY_ASSIGN(base::Expression expression, base::Expression::compile(size, resolve));
      bound.shape.push_back(std::move(expression));
    }
    if (!tensor.present.empty()) {
      HALYARD_TRY_ASSIGN(const base::Expression present,
                         base::Expression::compile(tensor.present, resolve));
      HALYARD_TRY_ASSIGN(const std::int64_t value, present.evaluate(content_->slots.values()));
      bound.present = value != 0;
    }
    content_->tensors.push_back(std::move(bound));
  }
  return base::ok();
}

base::Result<std::vector<std::int64_t>> Problem::launch_values(
    std::span<const AxisValue> axes) const {
  return order_axis_values(*content_->contract, content_->contract->launch_axes(), axes);
}

base::Status Problem::check_launch_axes(std::span<const std::int64_t> launch_axes) const {
  const std::vector<std::uint32_t>& wanted = content_->contract->launch_axes();
  if (launch_axes.size() != wanted.size()) {
    return base::Error(
        base::ErrorCode::kInvalidArgument,
        base::concat("Contract \"", content_->contract->name(), "\" has ", wanted.size(),
                     " launch axes, and ", launch_axes.size(), " values are given."));
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    HALYARD_TRY(check_axis_value(*content_->contract, content_->contract->axes()[wanted[i]],
                                 launch_axes[i]));
  }
  return base::ok();
}

bool Problem::launch_axes_fit(std::span<const std::int64_t> launch_axes) const noexcept {
  const std::vector<std::uint32_t>& wanted = content_->contract->launch_axes();
  if (launch_axes.size() != wanted.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const ContractAxis& axis = content_->contract->axes()[wanted[i]];
    if (launch_axes[i] < axis.min || launch_axes[i] > axis.max) return false;
  }
  return true;
}

void Problem::fill_slots(std::span<const std::int64_t> launch_axes,
                         SlotValues& out) const noexcept {
  const std::span<const std::int64_t> values = content_->slots.values();
  std::copy(values.begin(), values.end(), out.begin());
  std::copy(launch_axes.begin(), launch_axes.end(), out.begin());
}

bool Problem::shape_into(const BoundTensor& bound, const SlotValues& slots,
                         TensorShape& out) const noexcept {
  out = TensorShape{};
  out.type = bound.type;
  out.present = bound.present;
  out.rank = static_cast<std::uint32_t>(bound.shape.size());
  const std::span<const std::int64_t> values(slots.data(), content_->slots.size());
  std::int64_t count = 1;
  bool is_empty = false;
  for (std::size_t i = 0; i < bound.shape.size(); ++i) {
    if (!bound.shape[i].evaluate_into(values, &out.sizes[i]) || out.sizes[i] < 0) return false;
    if (out.sizes[i] == 0) is_empty = true;
  }
  for (std::size_t i = 0; i < bound.shape.size() && !is_empty; ++i) {
    if (__builtin_mul_overflow(count, out.sizes[i], &count)) return false;
  }
  if (is_empty || !bound.present) return true;
  out.element_count = count;
  const std::int64_t element_bytes = base::data_type_size_bytes(bound.type);
  return !__builtin_mul_overflow(count, element_bytes, &out.size_bytes);
}

bool Problem::shapes_into(std::span<const std::int64_t> launch_axes,
                          ShapeTable& out) const noexcept {
  if (!launch_axes_fit(launch_axes)) return false;
  SlotValues slots;
  fill_slots(launch_axes, slots);
  out.tensor_count = static_cast<std::uint32_t>(content_->tensors.size());
  for (std::size_t i = 0; i < content_->tensors.size(); ++i) {
    if (!shape_into(content_->tensors[i], slots, out.tensors[i])) return false;
  }
  return true;
}

base::Result<ShapeTable> Problem::shapes(std::span<const std::int64_t> launch_axes) const {
  ShapeTable table;
  if (shapes_into(launch_axes, table)) return table;
  HALYARD_TRY(check_launch_axes(launch_axes));
  return shape_error(launch_axes);
}

base::Error Problem::shape_error(std::span<const std::int64_t> launch_axes) const {
  SlotValues slots;
  fill_slots(launch_axes, slots);
  const std::span<const std::int64_t> values(slots.data(), content_->slots.size());
  for (std::size_t i = 0; i < content_->tensors.size(); ++i) {
    TensorShape shape;
    if (shape_into(content_->tensors[i], slots, shape)) continue;
    const std::string& name = content_->contract->tensors()[i].name;
    std::vector<std::string> sizes;
    for (const base::Expression& expression : content_->tensors[i].shape) {
      base::Result<std::int64_t> size = expression.evaluate(values);
      if (!size) return std::move(size.error()).with_context("shaping tensor \"" + name + "\"");
      sizes.push_back(base::concat(*size));
    }
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("Tensor \"", name, "\" of shape [", base::join(sizes),
                                    "] has a negative size or more than ", INT64_MAX, " bytes."));
  }
  return base::Error(base::ErrorCode::kInternal, "Every tensor has a shape.");
}

base::Result<std::int64_t> Problem::value_of(const base::Expression& expression,
                                             std::span<const std::int64_t> launch_axes) const {
  HALYARD_TRY(check_launch_axes(launch_axes));
  SlotValues slots;
  fill_slots(launch_axes, slots);
  return expression.evaluate(std::span<const std::int64_t>(slots.data(), content_->slots.size()));
}

base::Result<std::int64_t> Problem::flops(std::span<const std::int64_t> launch_axes) const {
  return value_of(*content_->flops, launch_axes);
}

base::Result<std::int64_t> Problem::bytes(std::span<const std::int64_t> launch_axes) const {
  return value_of(*content_->bytes, launch_axes);
}

base::Result<std::int64_t> Problem::reduction_length(
    std::span<const std::int64_t> launch_axes) const {
  return value_of(*content_->reduction, launch_axes);
}

std::int64_t Problem::prepare_axis(std::string_view name) const {
  const std::optional<std::uint32_t> slot = content_->slots.slot_of(name);
  return slot ? content_->slots.values()[*slot] : 0;
}

const AttributeValue& Problem::attribute(std::string_view name) const {
  static const AttributeValue none{};
  const auto found = content_->attributes.find(name);
  return found == content_->attributes.end() ? none : found->second;
}

}  // namespace halyard::operators
