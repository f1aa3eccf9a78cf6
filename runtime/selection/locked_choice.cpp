// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/locked_choice.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <optional>
#include <string>

namespace halyard::selection {
namespace {

using base::concat;

std::vector<const store::LockPin*> pins_for(const store::LockFile& lock, const core::Device& device,
                                            const BoundRequest& request) {
  const auto& targets = device.info().targets;
  const store::TypeBinding types(request.problem.types().begin(), request.problem.types().end());
  std::vector<const store::LockPin*> pins;
  for (const store::LockPin& pin : lock.pins) {
    if (pin.is_for(request.problem.contract().name(), types) &&
        std::find(targets.begin(), targets.end(), pin.target) != targets.end()) {
      pins.push_back(&pin);
    }
  }
  return pins;
}

std::string pin_text(const store::LockPin& pin) {
  const std::string id = store::digest_text(pin.kernel).substr(0, 16);
  return pin.name.empty() ? id : concat(pin.name, " (", id, ")");
}

base::Result<bool> is_here(Instance& instance, const store::LockPin& pin,
                           const std::vector<Candidate>& candidates) {
  const bool is_candidate = std::any_of(
      candidates.begin(), candidates.end(),
      [&](const Candidate& candidate) { return candidate.kernel->package.id == pin.kernel; });
  if (is_candidate) return true;
  HALYARD_TRY_ASSIGN(const store::BuiltKernel* bundled, instance.bundle().find_kernel(pin.kernel));
  if (bundled != nullptr) return true;
  HALYARD_TRY_ASSIGN(const auto stored, instance.store().get_kernel(pin.kernel));
  return stored.has_value();
}

std::optional<std::string> build_reason(const store::LockPin& pin, const Candidate& candidate) {
  if (!pin.build || candidate.build->sha256 == *pin.build) return std::nullopt;
  return concat("The lock file holds its build ", store::digest_text(*pin.build),
                ", and the one here is ", store::digest_text(candidate.build->sha256), ".");
}

// Why the lock does not let a candidate be taken.
std::optional<std::string> locked_out(const std::vector<const store::LockPin*>& pins,
                                      const std::string& path, const Candidate& candidate) {
  const auto pin = std::find_if(pins.begin(), pins.end(), [&](const store::LockPin* one) {
    return one->kernel == candidate.kernel->package.id && one->target == candidate.target;
  });
  if (pin != pins.end()) return build_reason(**pin, candidate);
  std::vector<std::string> names;
  for (const store::LockPin* const one : pins)
    names.push_back(concat(pin_text(*one), " on ", one->target));
  return concat("The lock file ", path, " pins ", base::join(names), ".");
}

}  // namespace

const store::KernelBuild* pinned_build(const ExecutionRules& rules, const BoundRequest& request,
                                       const Candidate& candidate) {
  if (!rules.lock || candidate.build == nullptr) return candidate.build;
  for (const store::LockPin& pin : rules.lock->pins) {
    if (!pin.build || pin.kernel != candidate.kernel->package.id ||
        pin.target != candidate.target ||
        !pin.is_for(request.problem.contract().name(), candidate.types))
      continue;
    const auto& builds = candidate.kernel->builds;
    const auto build = std::find_if(builds.begin(), builds.end(), [&](const auto& one) {
      return one.sha256 == *pin.build && one.target == candidate.target &&
             one.types == candidate.types && one.parameters == candidate.build->parameters;
    });
    if (build != builds.end()) return &*build;
  }
  return candidate.build;
}

base::Status hold_to_lock(Instance& instance, const core::Device& device,
                          const BoundRequest& request, const ExecutionRules& rules,
                          std::vector<Candidate>& candidates) {
  if (!rules.lock) return base::ok();
  const auto pins = pins_for(*rules.lock, device, request);
  if (pins.empty()) return base::ok();
  const std::string& path = instance.rules().lock_path();
  for (const store::LockPin* const pin : pins) {
    HALYARD_TRY_ASSIGN(const bool present, is_here(instance, *pin, candidates));
    if (present) continue;
    return base::Error(base::ErrorCode::kNoKernel,
                       concat("The lock file ", path, " pins ", pin_text(*pin), " for ",
                              pin->contract, " with ", store::type_binding_json(pin->types), " on ",
                              pin->target, ", which neither the store nor the bundle has."));
  }
  for (Candidate& candidate : candidates) {
    if (candidate.verdict == CandidateVerdict::kRefused) continue;
    if (auto reason = locked_out(pins, path, candidate)) {
      candidate.verdict = CandidateVerdict::kRefused;
      candidate.reason = std::move(*reason);
    }
  }
  return base::ok();
}

}  // namespace halyard::selection
