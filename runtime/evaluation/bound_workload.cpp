// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/bound_workload.h"

#include "runtime/base/expression.h"
#include "runtime/base/text.h"
#include "runtime/operators/axis_values.h"
#include "runtime/operators/random_inputs.h"
#include "runtime/operators/slot_table.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace halyard::services {
namespace {

using operators::ContractTensor;
using operators::TensorRole;
using operators::TensorShape;

base::Error unfit(const std::string& path, const std::string& what) {
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("The workload's ", path, " ", what, "."));
}

base::Error at(const base::Error& error, const std::string& path) {
  return base::Error(error.code(), base::concat("The workload's ", path, ": ", error.message()));
}

class Binder {
 public:
  Binder(const Workload& workload, const ContractSource& contracts)
      : workload_(workload),
        contracts_(contracts) {}

  base::Status bind_axes(std::span<const operators::AxisValue> values);
  base::Status bind_operation(const WorkloadOperation& operation);
  base::Status bind_rules();

  BoundWorkload take() {
    bound_.name = workload_.name;
    return std::move(bound_);
  }

 private:
  base::Result<std::int64_t> evaluate(const std::string& text, const std::string& path) const;
  base::Result<std::size_t> rule_tensor(const InputRule& rule, const std::string& member,
                                        const std::string& name) const;
  base::Result<BoundOperation> bind_problem(const WorkloadOperation& operation) const;
  base::Status bind_scalars(const WorkloadOperation& operation, BoundOperation& bound) const;
  base::Status bind_tensors(const WorkloadOperation& operation, BoundOperation& bound);
  base::Status bind_use(const TensorUse& use, const std::string& path, std::size_t tensor,
                        BoundOperation& bound);
  base::Status place_view(const TensorUse& use, const std::string& path, const TensorShape& shape,
                          BoundUse& out) const;
  base::Status join(std::size_t index, const ContractTensor& declared, const TensorShape& shape,
                    const BoundUse& use, const std::string& path);

  const Workload& workload_;
  const ContractSource& contracts_;
  operators::SlotTable slots_;
  std::map<std::string, std::size_t> index_;
  std::set<std::size_t> sized_;  // Shared tensors whose size is final.
  BoundWorkload bound_;
};

base::Status Binder::bind_axes(std::span<const operators::AxisValue> values) {
  std::vector<std::string> names;
  for (const WorkloadAxis& axis : workload_.axes)
    names.push_back(axis.name);
  for (const operators::AxisValue& value : values) {
    if (std::find(names.begin(), names.end(), value.name) != names.end()) continue;
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("Workload \"", workload_.name, "\" has no axis \"", value.name,
                                    "\"; it has ", base::join(names), "."));
  }
  for (const WorkloadAxis& axis : workload_.axes) {
    std::int64_t number = axis.default_value;
    for (const operators::AxisValue& value : values) {
      if (value.name == axis.name) number = value.value;
    }
    if (number < axis.min || number > axis.max) {
      return base::Error(
          base::ErrorCode::kInvalidArgument,
          base::concat("Axis \"", axis.name, "\" (", number, ") of workload \"", workload_.name,
                       "\" is not between ", axis.min, " and ", axis.max, "."));
    }
    HALYARD_TRY(slots_.add(axis.name, number));
    bound_.axes.push_back({axis.name, number});
  }
  return base::ok();
}

base::Result<std::int64_t> Binder::evaluate(const std::string& text,
                                            const std::string& path) const {
  base::Result<base::Expression> compiled = base::Expression::compile(text, slots_.resolver());
  if (!compiled) return at(compiled.error(), path);
  base::Result<std::int64_t> value = compiled->evaluate(slots_.values());
  if (!value) return at(value.error(), path);
  return *value;
}

base::Result<BoundOperation> Binder::bind_problem(const WorkloadOperation& operation) const {
  base::Result<base::Ref<const operators::Contract>> contract = contracts_(operation.contract);
  if (!contract) return at(contract.error(), operation.path + "/contract");
  std::vector<operators::AxisValue> axes;
  for (const auto& [name, text] : operation.axes) {
    HALYARD_TRY_ASSIGN(const std::int64_t value, evaluate(text, operation.path + "/axes/" + name));
    axes.push_back({name, value});
  }
  base::Result<operators::AxisSplit> split = operators::split_axes(**contract, axes);
  if (!split) return at(split.error(), operation.path + "/axes");
  base::Result<operators::Problem> problem =
      operators::Problem::create(*contract, operation.types, operation.attributes, split->prepare);
  if (!problem) return at(problem.error(), operation.path);
  base::Result<std::vector<std::int64_t>> launch = problem->launch_values(split->launch);
  if (!launch) return at(launch.error(), operation.path + "/axes");
  base::Result<operators::ShapeTable> shapes = problem->shapes(*launch);
  if (!shapes) return at(shapes.error(), operation.path + "/axes");
  return BoundOperation{operation.name, std::move(*problem), std::move(*launch), *shapes, {}, {}};
}

base::Status Binder::bind_scalars(const WorkloadOperation& operation, BoundOperation& bound) const {
  bound.scalars = operators::typical_scalars(bound.problem);
  for (const auto& [name, value] : operation.scalars) {
    base::Result<std::uint32_t> index = bound.problem.contract().scalar_index(name);
    if (!index) return at(index.error(), operation.path + "/scalars");
    bound.scalars[*index] = value;
  }
  return base::ok();
}

// The view of strided tensors; a packed one needs no strides.
base::Status Binder::place_view(const TensorUse& use, const std::string& path,
                                const TensorShape& shape, BoundUse& out) const {
  if (use.is_plain()) return base::ok();
  HALYARD_TRY_ASSIGN(out.offset, evaluate(use.offset, path + "/offset"));
  if (out.offset < 0) {
    return unfit(path + "/offset", base::concat("(", out.offset, ") is negative"));
  }
  if (use.strides.size() != shape.rank) {
    return unfit(path + "/strides",
                 base::concat("has ", use.strides.size(), " elements, and the tensor has ",
                              shape.rank, " dimensions"));
  }
  out.is_packed = false;
  for (std::size_t i = 0; i < use.strides.size(); ++i) {
    const std::string place = base::concat(path, "/strides/", i);
    HALYARD_TRY_ASSIGN(out.strides[i], evaluate(use.strides[i], place));
    if (out.strides[i] < 0) {
      return unfit(place, base::concat("(", out.strides[i], ") is negative"));
    }
  }
  return base::ok();
}

// The number of elements of the shared tensor that a view reaches; nothing on overflow.
std::optional<std::int64_t> reach_of(const TensorShape& shape, const BoundUse& use) {
  if (shape.element_count == 0) return 0;
  if (use.is_packed) return shape.element_count;
  std::int64_t last = use.offset;
  for (std::uint32_t i = 0; i < shape.rank; ++i) {
    std::int64_t step = 0;
    if (__builtin_mul_overflow(shape.sizes[i] - 1, use.strides[i], &step) ||
        __builtin_add_overflow(last, step, &last)) {
      return std::nullopt;
    }
  }
  return last + 1;
}

// Makes a use of a tensor agree with those before it. The first packed use says how large it is;
// until then it is as large as its views reach.
base::Status Binder::join(std::size_t index, const ContractTensor& declared,
                          const TensorShape& shape, const BoundUse& use, const std::string& path) {
  const std::optional<std::int64_t> reach = reach_of(shape, use);
  if (!reach) return unfit(path, "reaches past 2^63 - 1 elements");
  SharedTensor& shared = bound_.tensors[index];
  const std::string quoted = base::concat("(\"", shared.name, "\") ");
  if (shared.type != shape.type) {
    return unfit(path, base::concat(quoted, "is ", base::data_type_name(shape.type), " here and ",
                                    base::data_type_name(shared.type), " before"));
  }
  if (shared.is_constant != declared.constant) {
    return unfit(path, base::concat(quoted, shared.is_constant ? "is" : "is not",
                                    " a constant in the operations before, unlike here"));
  }
  const std::vector<std::int64_t> sizes(shape.sizes.begin(), shape.sizes.begin() + shape.rank);
  if (shared.is_constant && shared.shape != sizes) {
    return unfit(path, base::concat(quoted, "has shape [", base::join(sizes), "] here and [",
                                    base::join(shared.shape), "] before"));
  }
  const bool was_sized = sized_.count(index) != 0;
  const bool fits = was_sized && !use.is_packed ? *reach <= shared.element_count
                    : was_sized                 ? *reach == shared.element_count
                                                : !use.is_packed || *reach >= shared.element_count;
  if (!fits) {
    return unfit(path,
                 base::concat(quoted, "has ", shared.element_count,
                              " elements by the operations before, and this use takes ", *reach));
  }
  shared.element_count = std::max(shared.element_count, *reach);
  if (use.is_packed) sized_.insert(index);
  return base::ok();
}

base::Status Binder::bind_use(const TensorUse& use, const std::string& path, std::size_t tensor,
                              BoundOperation& bound) {
  const ContractTensor& declared = bound.problem.contract().tensors()[tensor];
  const TensorShape& shape = bound.shapes.tensors[tensor];
  BoundUse placed;
  HALYARD_TRY(place_view(use, path, shape, placed));
  if (declared.constant && !use.is_plain()) {
    return unfit(path, "is a view, and the contract takes a constant there");
  }
  const auto [entry, is_new] = index_.try_emplace(use.tensor, bound_.tensors.size());
  if (is_new) {
    SharedTensor shared;
    shared.name = use.tensor;
    shared.type = shape.type;
    shared.is_constant = declared.constant;
    shared.shape.assign(shape.sizes.begin(), shape.sizes.begin() + shape.rank);
    bound_.tensors.push_back(std::move(shared));
  }
  placed.shared = entry->second;
  HALYARD_TRY(join(placed.shared, declared, shape, placed, path));
  SharedTensor& shared = bound_.tensors[placed.shared];
  const std::size_t operation = bound_.operations.size();
  if (declared.role != TensorRole::kOutput && !shared.is_written && !shared.first_read) {
    shared.first_read = SharedTensor::FirstRead{operation, tensor, use.is_plain()};
  }
  shared.last_use = operation;
  bound.uses[tensor] = placed;
  return base::ok();
}

base::Status Binder::bind_tensors(const WorkloadOperation& operation, BoundOperation& bound) {
  const operators::Contract& contract = bound.problem.contract();
  const std::string path = operation.path + "/tensors";
  for (const auto& [name, use] : operation.tensors) {
    base::Result<std::uint32_t> index = contract.tensor_index(name);
    if (!index) return at(index.error(), path);
    if (!bound.shapes.tensors[*index].present) {
      return unfit(base::concat(path, "/", name),
                   "is given, but the attributes leave this tensor out");
    }
  }
  bound.uses.resize(contract.tensors().size());
  for (std::size_t i = 0; i < contract.tensors().size(); ++i) {
    if (!bound.shapes.tensors[i].present) continue;
    if (operation.tensors.empty()) {
      const std::string& own = contract.tensors()[i].name;
      HALYARD_TRY(bind_use(TensorUse{own, "", {}}, base::concat(path, "/", own), i, bound));
      continue;
    }
    const auto use = operation.tensors.find(contract.tensors()[i].name);
    if (use == operation.tensors.end()) {
      return unfit(path, base::concat("lacks \"", contract.tensors()[i].name,
                                      "\", a tensor of contract ", contract.name()));
    }
    HALYARD_TRY(bind_use(use->second, base::concat(path, "/", use->first), i, bound));
  }
  for (std::size_t i = 0; i < contract.tensors().size(); ++i) {
    if (!bound.uses[i] || contract.tensors()[i].role == TensorRole::kInput) continue;
    bound_.tensors[bound.uses[i]->shared].is_written = true;
  }
  return base::ok();
}

base::Status Binder::bind_operation(const WorkloadOperation& operation) {
  HALYARD_TRY_ASSIGN(BoundOperation bound, bind_problem(operation));
  HALYARD_TRY(bind_scalars(operation, bound));
  HALYARD_TRY(bind_tensors(operation, bound));
  bound_.operations.push_back(std::move(bound));
  return base::ok();
}

base::Result<std::size_t> Binder::rule_tensor(const InputRule& rule, const std::string& member,
                                              const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end()) {
    return unfit(rule.path + "/" + member, base::concat("(\"", name, "\") is no tensor of it"));
  }
  return found->second;
}

base::Status Binder::bind_rules() {
  for (const auto& [name, rule] : workload_.inputs) {
    BoundRule bound;
    bound.generator = rule.generator;
    bound.scale = rule.scale;
    const auto found = index_.find(name);
    if (found == index_.end() || !bound_.tensors[found->second].first_read) {
      return unfit(rule.path, found == index_.end() ? "names no tensor of it"
                                                    : "names a tensor that is no input");
    }
    bound.shared = found->second;
    const SharedTensor& shared = bound_.tensors[bound.shared];
    if (base::data_type_is_float(shared.type) != (rule.generator == InputGenerator::kNormal)) {
      return unfit(rule.path, base::concat("fills a tensor of ", base::data_type_name(shared.type),
                                           " with values of another kind"));
    }
    if (!rule.value.empty()) {
      HALYARD_TRY_ASSIGN(bound.value, evaluate(rule.value, rule.path));
    }
    if (!rule.kv_lengths.empty()) {
      HALYARD_TRY_ASSIGN(bound.kv_lengths, rule_tensor(rule, "kv_lengths", rule.kv_lengths));
    }
    if (rule.generator == InputGenerator::kDecodeSlots) {
      HALYARD_TRY_ASSIGN(bound.kv_indptr, rule_tensor(rule, "kv_indptr", rule.kv_indptr));
      HALYARD_TRY_ASSIGN(bound.kv_indices, rule_tensor(rule, "kv_indices", rule.kv_indices));
      if (bound.value < 1) {
        return unfit(rule.path + "/page_size", base::concat("(", bound.value, ") is below 1"));
      }
    }
    bound_.rules.push_back(bound);
  }
  // Rules that read other inputs come after those that fill them.
  std::stable_sort(
      bound_.rules.begin(), bound_.rules.end(),
      [](const BoundRule& a, const BoundRule& b) { return a.generator < b.generator; });
  return base::ok();
}

}  // namespace

base::Result<BoundWorkload> BoundWorkload::bind(const Workload& workload,
                                                std::span<const operators::AxisValue> values,
                                                const ContractSource& contracts) {
  Binder binder(workload, contracts);
  HALYARD_TRY(binder.bind_axes(values));
  for (const WorkloadOperation& operation : workload.operations) {
    HALYARD_TRY(binder.bind_operation(operation));
  }
  HALYARD_TRY(binder.bind_rules());
  return binder.take();
}

}  // namespace halyard::services
