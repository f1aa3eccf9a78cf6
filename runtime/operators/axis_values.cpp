// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/axis_values.h"

#include "runtime/base/expression.h"
#include "runtime/base/text.h"
#include "runtime/operators/slot_table.h"

#include <algorithm>
#include <optional>

namespace halyard::operators {
namespace {

base::Error invalid(std::string message) {
  return base::Error(base::ErrorCode::kInvalidArgument, std::move(message));
}

// Appends the values that an axis takes next to each set of values so far.
base::Status extend_cases(const Workload::Axis& axis, const SlotTable& names,
                          std::vector<std::vector<std::int64_t>>& cases) {
  const std::uint32_t slot = *names.slot_of(axis.name);
  if (axis.expression.empty()) {
    std::vector<std::vector<std::int64_t>> extended;
    for (const std::vector<std::int64_t>& values : cases) {
      for (const std::int64_t value : axis.values) {
        extended.push_back(values);
        extended.back()[slot] = value;
      }
    }
    cases = std::move(extended);
    return base::ok();
  }
  HALYARD_TRY_ASSIGN(const base::Expression expression,
                     base::Expression::compile(axis.expression, names.resolver()));
  for (std::vector<std::int64_t>& values : cases) {
    HALYARD_TRY_ASSIGN(values[slot], expression.evaluate(values));
  }
  return base::ok();
}

// Axes with values first, then each expression after those it names.
base::Result<std::vector<const Workload::Axis*>> evaluation_order(const Workload& workload) {
  std::vector<const Workload::Axis*> order;
  for (const Workload::Axis& axis : workload.axes) {
    if (axis.expression.empty()) order.push_back(&axis);
  }
  const auto is_known = [&order](const std::string& name) {
    return std::any_of(order.begin(), order.end(),
                       [&name](const Workload::Axis* axis) { return axis->name == name; });
  };
  while (order.size() < workload.axes.size()) {
    const std::size_t before = order.size();
    for (const Workload::Axis& axis : workload.axes) {
      const std::vector<std::string> names = base::Expression::names_of(axis.expression);
      if (is_known(axis.name) || !std::all_of(names.begin(), names.end(), is_known)) continue;
      order.push_back(&axis);
    }
    if (order.size() == before) {
      return invalid(base::concat("Workload \"", workload.name,
                                  "\" has axes whose expressions need one another or unknown "
                                  "axes."));
    }
  }
  return order;
}

}  // namespace

base::Result<AxisSplit> split_axes(const Contract& contract, std::span<const AxisValue> axes) {
  AxisSplit split;
  for (const AxisValue& axis : axes) {
    HALYARD_TRY_ASSIGN(const std::uint32_t index, contract.axis_index(axis.name));
    const bool is_prepare = contract.axes()[index].kind == AxisKind::kPrepare;
    (is_prepare ? split.prepare : split.launch).push_back(axis);
  }
  return split;
}

base::Status check_axis_value(const Contract& contract, const ContractAxis& axis,
                              std::int64_t value) {
  if (value < axis.min) {
    return invalid(base::concat("Axis \"", axis.name, "\" of contract \"", contract.name(),
                                "\" is ", value, ", below its minimum (", axis.min, ")."));
  }
  if (value > axis.max) {
    return invalid(base::concat("Axis \"", axis.name, "\" of contract \"", contract.name(),
                                "\" is ", value, ", above its maximum (", axis.max, ")."));
  }
  return base::ok();
}

base::Result<std::vector<std::int64_t>> order_axis_values(const Contract& contract,
                                                          std::span<const std::uint32_t> wanted,
                                                          std::span<const AxisValue> axes) {
  std::vector<std::optional<std::int64_t>> found(wanted.size());
  for (const AxisValue& given : axes) {
    HALYARD_TRY_ASSIGN(const std::uint32_t index, contract.axis_index(given.name));
    const ContractAxis& axis = contract.axes()[index];
    const auto position = std::find(wanted.begin(), wanted.end(), index);
    if (position == wanted.end()) {
      return invalid(base::concat("Axis \"", axis.name, "\" of contract \"", contract.name(),
                                  "\" is a ", axis_kind_name(axis.kind),
                                  " axis and has no place here."));
    }
    std::optional<std::int64_t>& value = found[static_cast<std::size_t>(position - wanted.begin())];
    if (value) {
      return invalid(base::concat("Axis \"", axis.name, "\" of contract \"", contract.name(),
                                  "\" is given twice (", *value, " and ", given.value, ")."));
    }
    HALYARD_TRY(check_axis_value(contract, axis, given.value));
    value = given.value;
  }
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const ContractAxis& axis = contract.axes()[wanted[i]];
    if (!found[i]) {
      return invalid(base::concat("The ", axis_kind_name(axis.kind), " axis \"", axis.name,
                                  "\" of contract \"", contract.name(), "\" is missing."));
    }
    values.push_back(*found[i]);
  }
  return values;
}

base::Result<std::vector<std::vector<AxisValue>>> expand_workload(const Contract& contract,
                                                                  const Workload& workload) {
  SlotTable names;
  for (const ContractAxis& axis : contract.axes())
    HALYARD_TRY(names.add(axis.name, 0));
  HALYARD_TRY_ASSIGN(const std::vector<const Workload::Axis*> order, evaluation_order(workload));
  std::vector<std::vector<std::int64_t>> cases{std::vector<std::int64_t>(names.size())};
  for (const Workload::Axis* axis : order)
    HALYARD_TRY(extend_cases(*axis, names, cases));

  std::vector<std::vector<AxisValue>> expanded;
  for (const std::vector<std::int64_t>& values : cases) {
    std::vector<AxisValue>& axes = expanded.emplace_back();
    for (std::size_t i = 0; i < values.size(); ++i)
      axes.push_back({names.names()[i], values[i]});
  }
  return expanded;
}

}  // namespace halyard::operators
