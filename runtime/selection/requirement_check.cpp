// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/requirement_check.h"

#include "runtime/base/text.h"

#include <variant>

namespace halyard::selection {
namespace {

using Relation = store::Requirement::Relation;

std::string_view relation_text(Relation relation) {
  switch (relation) {
    case Relation::kAtLeast:
      return "at least";
    case Relation::kAtMost:
      return "at most";
    case Relation::kEquals:
      return "exactly";
  }
  return "";
}

bool holds(Relation relation, double have, double want) {
  switch (relation) {
    case Relation::kAtLeast:
      return have >= want;
    case Relation::kAtMost:
      return have <= want;
    case Relation::kEquals:
      return have == want;
  }
  return false;
}

}  // namespace

std::optional<std::string> unmet_reason(const store::Requirement& requirement,
                                        const core::Device& device) {
  const core::Capability* const capability = device.fact_for_kernels(requirement.capability);
  if (capability == nullptr && device.capabilities().find(requirement.capability) != nullptr) {
    return base::concat("Capability ", requirement.capability,
                        " is known of the hardware, and the driver does not report it.");
  }
  if (capability == nullptr) {
    return base::concat("Capability ", requirement.capability, " is unknown.");
  }
  if (const auto* text = std::get_if<std::string>(&requirement.value)) {
    if (capability->kind == core::CapabilityKind::kText && capability->text == *text) {
      return std::nullopt;
    }
    return base::concat("Capability ", requirement.capability, " is \"", capability->text,
                        "\", not \"", *text, "\".");
  }
  const double want = std::holds_alternative<double>(requirement.value)
                          ? std::get<double>(requirement.value)
                          : static_cast<double>(std::get<std::int64_t>(requirement.value));
  if (capability->kind != core::CapabilityKind::kText &&
      holds(requirement.relation, capability->number, want)) {
    return std::nullopt;
  }
  return base::concat("Capability ", requirement.capability, " is ", capability->number,
                      "; the kernel needs ", relation_text(requirement.relation), " ", want, ".");
}

}  // namespace halyard::selection
