// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/served_launches.h"

#include "runtime/base/expression.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

namespace halyard::verification {
namespace {

constexpr std::string_view kDevicePrefix = "device.";

struct Conditions {
  store::KernelRecord record;
  store::ParameterValues parameters;
  descriptors::CapabilitySet capabilities;

  bool attributes_fit(const operators::Problem& problem) const {
    if (!record.attributes) return true;
    for (const auto& [name, served] : *record.attributes) {
      if (!problem.contract().attribute_index(name)) return false;
      const auto* value = std::get_if<std::string>(&problem.attribute(name));
      if (value == nullptr || std::find(served.begin(), served.end(), *value) == served.end()) {
        return false;
      }
    }
    return true;
  }

  bool holds(const std::string& text, operators::SlotTable slots) const {
    for (const auto& [name, value] : parameters) {
      if (!slots.add(name, value)) return false;
    }
    for (const std::string& name : base::Expression::names_of(text)) {
      if (!name.starts_with(kDevicePrefix) || slots.slot_of(name)) continue;
      const descriptors::Capability* const capability =
          capabilities.find(std::string_view(name).substr(kDevicePrefix.size()));
      if (capability == nullptr || capability->kind == descriptors::CapabilityKind::kText) {
        return false;
      }
      if (!slots.add(name, std::llround(capability->number))) return false;
    }
    const auto condition = base::Expression::compile(text, slots.resolver());
    if (!condition) return false;
    const auto value = condition->evaluate(slots.values());
    return value && *value != 0;
  }

  bool serves(const operators::Problem& problem, std::span<const std::int64_t> axes) const {
    if (!attributes_fit(problem)) return false;
    operators::SlotTable slots = problem.slots();
    for (std::size_t i = 0; i < axes.size(); ++i)
      slots.set(static_cast<std::uint32_t>(i), axes[i]);
    return std::all_of(record.where.begin(), record.where.end(),
                       [&](const std::string& text) { return holds(text, slots); });
  }
};

}  // namespace

ServesLaunch served_launches(const store::KernelRecord& record,
                             const store::ParameterValues& parameters,
                             const descriptors::CapabilitySet& capabilities) {
  return [conditions = Conditions{record, parameters, capabilities}](
             const operators::Problem& problem, std::span<const std::int64_t> axes) {
    return conditions.serves(problem, axes);
  };
}

}  // namespace halyard::verification
