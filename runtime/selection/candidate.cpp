// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/candidate.h"

#include "runtime/base/text.h"
#include "runtime/dispatch/launch_plan_compiler.h"
#include "runtime/selection/execution_rules.h"
#include "runtime/selection/kernel_conditions.h"
#include "runtime/selection/kernel_standing.h"
#include "runtime/selection/locked_choice.h"
#include "runtime/selection/requirement_check.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace halyard::selection {
namespace {

using store::KernelRecord;
using store::KernelState;

bool is_asked_for(const std::string& name, const store::KernelId& id, const std::string& asked) {
  return name == asked || (asked.size() >= 8 && store::digest_text(id).starts_with(asked));
}

std::optional<std::string> contract_reason(const KernelRecord& record,
                                           const operators::Contract& contract) {
  if (contract.version().starts_with(base::concat(record.contract_major, '.'))) return std::nullopt;
  return base::concat("It is of ", record.contract, "@", record.contract_major,
                      ", and the contract is ", contract.name(), "@", contract.version(), ".");
}

std::optional<std::string> type_reason(const KernelRecord& record,
                                       const store::TypeBinding& types) {
  for (const store::TypeBinding& served : record.types) {
    if (served == types) return std::nullopt;
  }
  return base::concat("The kernel does not serve ", store::type_binding_json(types), ".");
}

std::optional<std::string> capability_reason(const KernelRecord& record,
                                             const core::Device& device) {
  for (const store::Requirement& requirement : record.requirements) {
    if (auto reason = unmet_reason(requirement, device)) return reason;
  }
  return std::nullopt;
}

std::optional<std::string> constant_reason(const KernelRecord& record,
                                           const BoundRequest& request) {
  if (request.assume_constants) return std::nullopt;
  for (const store::PackedLayout& layout : record.packed_layouts) {
    const auto tensor = request.problem.contract().tensor_index(layout.tensor);
    if (!tensor) return tensor.error().message();
    if (!request.constants[*tensor]) {
      return base::concat("The kernel repacks tensor ", layout.tensor,
                          ", which is not bound to a constant.");
    }
  }
  return std::nullopt;
}

// A bound tensor whose size is known now and larger than one binding can be, unless the stage
// splits along its outermost dimension.
std::optional<std::string> binding_reason(const KernelRecord& record, const BoundRequest& request,
                                          const core::Device& device) {
  const auto range =
      device.capabilities().number(core::CapabilityKey::kLimitStorageBufferRangeBytes);
  if (!range || !record.is_vulkan()) return std::nullopt;
  const auto& problem = request.problem;
  std::vector<std::int64_t> axes;
  for (std::size_t i = 0; i < request.hints.size(); ++i) {
    const auto& axis = problem.contract().axes()[problem.contract().launch_axes()[i]];
    axes.push_back(request.hints[i].value_or(axis.min));
  }
  const auto shapes = problem.shapes(axes);
  if (!shapes) return std::nullopt;
  for (const store::KernelStage& stage : record.stages) {
    for (const store::KernelArgument& argument : stage.arguments) {
      if (argument.kind != store::ArgumentKind::kTensor || !argument.binding) continue;
      const auto tensor = problem.contract().tensor_index(argument.name);
      if (!tensor) continue;
      const auto bytes = static_cast<double>(shapes->tensors[*tensor].size_bytes);
      const auto& shape = problem.contract().tensors()[*tensor].shape;
      const bool splits = stage.split && !shape.empty() && shape[0] == stage.split->axis;
      if (bytes > *range && !splits) {
        return base::concat("Tensor ", argument.name, " (", bytes,
                            " bytes) is larger than one binding (", *range, " bytes).");
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> first_reason(const Candidate& candidate, const BoundRequest& request,
                                        const core::Device& device) {
  const KernelRecord& record = candidate.kernel->package.record;
  if (auto reason = contract_reason(record, request.problem.contract())) return reason;
  if (auto reason = type_reason(record, candidate.types)) return reason;
  if (auto reason = capability_reason(record, device)) return reason;
  const std::string feature = dispatch::unsupported_feature(record);
  if (!feature.empty()) {
    return base::concat("It uses ", feature, ", which this version does not launch.");
  }
  if (auto reason =
          unserved_reason(record, candidate.parameters, request.problem, request.hints, device)) {
    return reason;
  }
  if (auto reason = constant_reason(record, request)) return reason;
  return binding_reason(record, request, device);
}

std::optional<std::string> refusal_reason(Instance& instance, const core::Device& device,
                                          const BoundRequest& request, const ExecutionRules& rules,
                                          Candidate& candidate) {
  if (auto reason = first_reason(candidate, request, device)) return reason;
  if (auto reason = refusal_by_rules(instance, device, request, rules, candidate)) return reason;
  if (candidate.build == nullptr) return "There is no build for this target and these types.";
  return std::nullopt;
}

std::uint32_t state_rank(KernelState state) {
  if (state == KernelState::kPromoted) return 0;
  return state == KernelState::kVerified ? 1 : 2;
}

// Where candidates are looked for.
struct Place {
  Instance& instance;
  const core::Device& device;
  const BoundRequest& request;
  const ExecutionRules& rules;
};

void add_candidates(const Place& place, const store::BuiltKernel& kernel,
                    const base::Ref<const StoredKernel>& stored, std::vector<Candidate>& out) {
  const auto& [instance, device, request, rules] = place;
  const auto& targets = device.info().targets;
  for (const std::string& target : kernel.package.record.targets) {
    const auto rank = std::find(targets.begin(), targets.end(), target);
    if (rank == targets.end()) continue;
    Candidate candidate;
    candidate.kernel = &kernel;
    candidate.stored = stored;
    candidate.target = target;
    candidate.target_rank = static_cast<std::uint32_t>(rank - targets.begin());
    candidate.types = {request.problem.types().begin(), request.problem.types().end()};
    candidate.parameters = kernel.package.record.default_parameters();
    candidate.build = store::find_build(kernel, target, candidate.types, candidate.parameters);
    candidate.build = pinned_build(rules, request, candidate);
    if (auto reason = refusal_reason(instance, device, request, rules, candidate)) {
      candidate.verdict = CandidateVerdict::kRefused;
      candidate.reason = std::move(*reason);
    }
    out.push_back(std::move(candidate));
  }
}

bool ranks_before(const Candidate& a, const Candidate& b) {
  const auto key = [](const Candidate& c) { return std::pair(c.target_rank, state_rank(c.state)); };
  const bool a_refused = a.verdict == CandidateVerdict::kRefused;
  const bool b_refused = b.verdict == CandidateVerdict::kRefused;
  if (a_refused != b_refused) return b_refused;
  return key(a) < key(b);
}

// The kernels of the store that the request may take, but for those that are bundled too.
std::vector<base::Ref<const StoredKernel>> stored_kernels(Instance& instance,
                                                          const core::Device& device,
                                                          const BoundRequest& request,
                                                          const store::BundledContract& bundled) {
  std::vector<base::Ref<const StoredKernel>> found;
  std::vector<store::KernelSummary> listed;
  for (const std::string& target : device.info().targets) {
    auto of_target = instance.store().find_kernels(request.problem.contract().name(), target);
    if (!of_target) {
      instance.log_store_failure(of_target.error());
      return found;
    }
    for (store::KernelSummary& summary : *of_target) {
      const bool is_listed =
          std::any_of(listed.begin(), listed.end(),
                      [&](const store::KernelSummary& other) { return other.id == summary.id; });
      if (!is_listed) listed.push_back(std::move(summary));
    }
  }
  for (const store::KernelSummary& summary : listed) {
    const bool is_bundled = std::any_of(
        bundled.kernels.begin(), bundled.kernels.end(),
        [&](const store::BuiltKernel& kernel) { return kernel.package.id == summary.id; });
    if (is_bundled || (request.kernel && !is_asked_for(summary.name, summary.id, *request.kernel)))
      continue;
    auto kernel = load_stored_kernel(instance.store(), summary.id, device.info().driver_id);
    if (!kernel) {
      instance.log_store_failure(kernel.error());
    } else if (*kernel) {
      found.push_back(std::move(*kernel));
    }
  }
  return found;
}

}  // namespace

base::Result<std::vector<Candidate>> find_candidates(Instance& instance, const core::Device& device,
                                                     const BoundRequest& request) {
  HALYARD_TRY_ASSIGN(const store::BundledContract* bundled,
                     instance.bundle().kernels(request.problem.contract().name()));
  for (const base::Error& problem : bundled->problems)
    instance.log_once(problem.message());
  HALYARD_TRY_ASSIGN(const auto rules, instance.rules().current());
  const Place place{instance, device, request, *rules};
  std::vector<Candidate> candidates;
  for (const store::BuiltKernel& kernel : bundled->kernels) {
    if (request.kernel &&
        !is_asked_for(kernel.package.record.name, kernel.package.id, *request.kernel))
      continue;
    add_candidates(place, kernel, {}, candidates);
  }
  for (const auto& stored : stored_kernels(instance, device, request, *bundled)) {
    add_candidates(place, stored->kernel, stored, candidates);
  }
  HALYARD_TRY(hold_to_lock(instance, device, request, *rules, candidates));
  std::stable_sort(candidates.begin(), candidates.end(), ranks_before);
  return candidates;
}

bool rank_alike(const Candidate& a, const Candidate& b) {
  return a.target_rank == b.target_rank && state_rank(a.state) == state_rank(b.state);
}

std::string use_key(const Candidate& candidate, const core::Device& device) {
  return base::concat(store::digest_text(candidate.kernel->package.id), '/', candidate.target, '/',
                      store::type_binding_json(candidate.types), '/',
                      store::parameters_json(candidate.parameters), '/', device.info().fingerprint,
                      '/', device.info().driver_id);
}

}  // namespace halyard::selection
