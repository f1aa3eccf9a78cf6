// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/kernel_conditions.h"

#include "runtime/base/expression.h"
#include "runtime/base/text.h"
#include "runtime/dispatch/kernel_slots.h"
#include "runtime/dispatch/slot_value.h"

#include <algorithm>
#include <variant>

namespace halyard::selection {
namespace {

std::optional<std::string> attribute_reason(const store::KernelRecord& record,
                                            const operators::Problem& problem) {
  if (!record.attributes) return std::nullopt;
  for (const auto& [name, served] : *record.attributes) {
    if (!problem.contract().attribute_index(name)) {
      return base::concat("The contract has no attribute ", name, ".");
    }
    const auto* value = std::get_if<std::string>(&problem.attribute(name));
    if (value == nullptr || std::find(served.begin(), served.end(), *value) == served.end()) {
      return base::concat("The kernel serves ", name, " ", base::join(served, ", "), " only.");
    }
  }
  return std::nullopt;
}

// Whether each name of `text` has a value; launch axes come first in `names`.
bool is_decided(const std::string& text, const std::vector<std::string>& names,
                std::span<const std::optional<std::int64_t>> launch_axes) {
  const auto used = base::Expression::names_of(text);
  for (std::size_t i = 0; i < launch_axes.size(); ++i) {
    if (!launch_axes[i] && std::find(used.begin(), used.end(), names[i]) != used.end())
      return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> unserved_reason(const store::KernelRecord& record,
                                           const store::ParameterValues& parameters,
                                           const operators::Problem& problem,
                                           std::span<const std::optional<std::int64_t>> launch_axes,
                                           const core::Device& device) {
  if (auto reason = attribute_reason(record, problem)) return reason;
  auto slots = dispatch::make_kernel_slots(problem, record, parameters, device);
  if (!slots) return slots.error().message();
  for (std::size_t i = 0; i < launch_axes.size(); ++i) {
    if (launch_axes[i]) slots->set(static_cast<std::uint32_t>(i), *launch_axes[i]);
  }
  for (const std::string& text : record.where) {
    if (!is_decided(text, slots->names(), launch_axes)) continue;
    const auto predicate = dispatch::SlotValue::compile(text, *slots);
    if (!predicate) return predicate.error().message();
    const auto value = predicate->evaluate(slots->values());
    if (!value) return value.error().message();
    if (*value == 0) return base::concat("Its condition ", text, " is false here.");
  }
  return std::nullopt;
}

}  // namespace halyard::selection
