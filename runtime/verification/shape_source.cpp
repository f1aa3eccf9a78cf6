// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/shape_source.h"

#include "runtime/operators/axis_values.h"

#include <algorithm>
#include <utility>

namespace halyard::verification {
namespace {

AxisMap map_of(const std::vector<operators::AxisValue>& axes) {
  AxisMap map;
  for (const operators::AxisValue& axis : axes)
    map[axis.name] = axis.value;
  return map;
}

bool has_empty_axis(const AxisMap& axes) {
  return std::any_of(axes.begin(), axes.end(), [](const auto& axis) { return axis.second == 0; });
}

}  // namespace

base::Result<ShapeSource> ShapeSource::create(const operators::Contract& contract) {
  ShapeSource source(contract);
  source.read_golden();
  HALYARD_TRY(source.read_workloads());
  source.read_known_values();
  return source;
}

void ShapeSource::read_golden() {
  for (const auto& axes : contract_->fields().golden.axes) {
    golden_.push_back(map_of(axes));
    if (!has_empty_axis(golden_.back())) bases_.push_back(golden_.back());
  }
  attributes_ = contract_->fields().golden.attributes;
}

base::Status ShapeSource::read_workloads() {
  for (const operators::Workload& workload : contract_->fields().workloads) {
    for (const operators::Workload::Axis& axis : workload.axes) {
      if (!axis.expression.empty()) expressions_.emplace(axis.name, axis.expression);
    }
    HALYARD_TRY_ASSIGN(const auto cases, operators::expand_workload(*contract_, workload));
    for (const std::vector<operators::AxisValue>& axes : cases) {
      visible_.push_back(map_of(axes));
      visible_attributes_.push_back(workload.attributes);
    }
    if (std::find(attributes_.begin(), attributes_.end(), workload.attributes) ==
        attributes_.end()) {
      attributes_.push_back(workload.attributes);
    }
  }
  constexpr std::int64_t kShort = 3;
  for (AxisMap axes : visible_) {
    for (const std::uint32_t index : contract_->launch_axes()) {
      std::int64_t& value = axes[contract_->axes()[index].name];
      value = std::min(value, kShort);
    }
    if (!derive(axes)) continue;
    if (std::find(bases_.begin(), bases_.end(), axes) == bases_.end()) bases_.push_back(axes);
  }
  return base::ok();
}

void ShapeSource::read_known_values() {
  const auto add = [this](const AxisMap& axes) {
    for (const auto& [name, value] : axes) {
      std::vector<std::int64_t>& values = known_values_[name];
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
  };
  std::for_each(bases_.begin(), bases_.end(), add);
  std::for_each(visible_.begin(), visible_.end(), add);
}

const std::vector<std::int64_t>& ShapeSource::known_values(const std::string& axis) const {
  static const std::vector<std::int64_t> none;
  const auto found = known_values_.find(axis);
  return found == known_values_.end() ? none : found->second;
}

bool ShapeSource::derive(AxisMap& axes) const {
  if (expressions_.empty()) return true;
  operators::Workload workload;
  workload.name = "derived";
  for (const operators::ContractAxis& axis : contract_->axes()) {
    const auto expression = expressions_.find(axis.name);
    if (expression == expressions_.end()) {
      workload.axes.push_back({axis.name, {axes[axis.name]}, {}});
    } else {
      workload.axes.push_back({axis.name, {}, expression->second});
    }
  }
  const auto cases = operators::expand_workload(*contract_, workload);
  if (!cases || cases->empty()) return false;
  axes = map_of(cases->front());
  return true;
}

}  // namespace halyard::verification
