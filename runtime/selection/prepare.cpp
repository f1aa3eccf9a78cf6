// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/prepare.h"

#include "runtime/base/text.h"
#include "runtime/selection/candidate.h"
#include "runtime/selection/comparison.h"
#include "runtime/selection/explanation.h"
#include "runtime/selection/kernel_loading.h"
#include "runtime/selection/self_test.h"

#include <utility>
#include <vector>

namespace halyard::selection {
namespace {

void refuse(Candidate& candidate, std::string reason) {
  candidate.verdict = CandidateVerdict::kRefused;
  candidate.reason = std::move(reason);
}

std::string rank_reason(const Candidate& chosen) {
  return base::concat("It has the best target (", chosen.target,
                      ") of those that meet every condition, and its self-test passed.");
}

// The candidates of the best rank that pass their self-tests; failing ones are refused on the way.
base::Result<std::vector<Candidate*>> best_of(Instance& instance, core::Device& device,
                                              const BoundRequest& request,
                                              std::vector<Candidate>& candidates) {
  std::vector<Candidate*> best;
  for (Candidate& candidate : candidates) {
    if (candidate.verdict != CandidateVerdict::kEligible) continue;
    if (!best.empty() && !rank_alike(*best.front(), candidate)) break;
    auto status = require_self_test(instance, device, candidate, request.problem);
    if (!status && status.error().code() == base::ErrorCode::kDeviceLost) {
      return std::move(status.error());
    }
    if (!status) {
      refuse(candidate, status.error().message());
    } else {
      best.push_back(&candidate);
    }
  }
  return best;
}

// Marks one candidate as chosen; null when none can run.
base::Result<Candidate*> choose(Instance& instance, core::Device& device,
                                const BoundRequest& request, std::vector<Candidate>& candidates) {
  HALYARD_TRY_ASSIGN(std::vector<Candidate*> best, best_of(instance, device, request, candidates));
  if (best.empty()) return static_cast<Candidate*>(nullptr);
  Candidate* chosen = best.front();
  if (best.size() > 1) {
    HALYARD_TRY_ASSIGN(chosen, fastest(instance, device, request, best));
  } else {
    chosen->reason = rank_reason(*chosen);
  }
  for (Candidate& candidate : candidates) {
    if (candidate.verdict != CandidateVerdict::kEligible || &candidate == chosen) continue;
    candidate.verdict = CandidateVerdict::kOutranked;
    if (candidate.reason.empty()) {
      candidate.reason =
          base::concat("Target ", candidate.target, " or state ranks below ",
                       chosen->kernel->package.record.name, " (", chosen->target, ").");
    }
  }
  chosen->verdict = CandidateVerdict::kChosen;
  return chosen;
}

base::Result<base::Ref<const dispatch::KernelChoice>> make_choice(Instance& instance,
                                                                  core::Device& device,
                                                                  const BoundRequest& request) {
  HALYARD_TRY_ASSIGN(std::vector<Candidate> candidates, find_candidates(instance, device, request));
  HALYARD_TRY_ASSIGN(const Candidate* chosen, choose(instance, device, request, candidates));
  if (chosen == nullptr) {
    const auto& targets = device.info().targets;
    const auto noted = instance.store().requests().put_request(
        store::RequestKind::kKernel, targets.empty() ? "" : targets.front(),
        request_json(device, request));
    if (!noted) instance.log_store_failure(noted.error());
    if (!request.allow_reference) {
      return base::Error(base::ErrorCode::kNoKernel, refusal_sentence(device, request, candidates));
    }
    const auto reference = base::make_ref<dispatch::KernelChoice>();
    reference->kernel_name = "reference";
    reference->target = "f64";
    reference->state = "reference";
    reference->explanation = explanation_json(device, request, candidates, true);
    reference->asked_kernel = request.kernel;
    return base::Ref<const dispatch::KernelChoice>(reference);
  }
  HALYARD_TRY_ASSIGN(const auto choice, load_choice(instance, device, *chosen, request.problem));
  choice->explanation = explanation_json(device, request, candidates, false);
  choice->asked_kernel = request.kernel;
  return base::Ref<const dispatch::KernelChoice>(choice);
}

// The choice for a request that has not been made before, kept for the next time. The reference is
// not kept, so that each use of it asks for the missing kernel.
base::Result<base::Ref<const KnownChoice>> choose_anew(Instance& instance, core::Device& device,
                                                       const PrepareRequest& request,
                                                       std::string name) {
  const std::uint64_t generation = instance.choice_generation();
  HALYARD_TRY_ASSIGN(BoundRequest bound, bind_request(instance, device, request));
  const auto known = base::make_ref<KnownChoice>(bound.problem, bound.bounds);
  for (const auto& [tensor, constant] : request.constants) {
    HALYARD_TRY_ASSIGN(const std::uint32_t index, bound.problem.contract().tensor_index(tensor));
    known->constant_tensors.push_back(index);
  }
  HALYARD_TRY_ASSIGN(known->choice, make_choice(instance, device, bound));
  if (known->choice->plan) instance.choices().insert(std::move(name), generation, known);
  return base::Ref<const KnownChoice>(known);
}

}  // namespace

base::Result<base::Ref<dispatch::Operation>> prepare(Instance& instance, core::Device& device,
                                                     const PrepareRequest& request) {
  if (request.assume_constants) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       "HALYARD_OPERATION_ASSUME_CONSTANTS is for explaining, not for preparing.");
  }
  std::string name = choice_name(device, request);
  base::Ref<const KnownChoice> known = instance.choices().find(name, instance.choice_generation());
  if (!known) {
    HALYARD_TRY_ASSIGN(known, choose_anew(instance, device, request, std::move(name)));
  }
  dispatch::ConstantTable constants;
  for (std::size_t i = 0; i < request.constants.size(); ++i) {
    constants[known->constant_tensors[i]] = request.constants[i].second;
  }
  return dispatch::Operation::create(device, known->problem, std::move(constants), known->bounds,
                                     known->choice);
}

base::Result<std::string> explain(Instance& instance, core::Device& device,
                                  const PrepareRequest& request) {
  HALYARD_TRY_ASSIGN(const BoundRequest bound, bind_request(instance, device, request));
  HALYARD_TRY_ASSIGN(std::vector<Candidate> candidates, find_candidates(instance, device, bound));
  Candidate* first = nullptr;
  bool alike = false;
  for (Candidate& candidate : candidates) {
    if (candidate.verdict != CandidateVerdict::kEligible) continue;
    if (first == nullptr) {
      first = &candidate;
    } else if (rank_alike(*first, candidate)) {
      alike = true;
      candidate.reason = "It ranks like the first; a measurement at prepare decides.";
    } else {
      candidate.verdict = CandidateVerdict::kOutranked;
      candidate.reason =
          base::concat("Target ", candidate.target, " or state ranks below ",
                       first->kernel->package.record.name, " (", first->target, ").");
    }
  }
  if (first != nullptr && !alike) {
    first->verdict = CandidateVerdict::kChosen;
    first->reason = "It has the best target of those that meet every condition.";
  } else if (first != nullptr) {
    first->reason = "It ranks like others; a measurement at prepare decides.";
  }
  return explanation_json(device, bound, candidates, first == nullptr && bound.allow_reference);
}

base::Result<bool> refresh(Instance& instance, core::Device& device,
                           dispatch::Operation& operation) {
  BoundRequest bound{operation.problem(),
                     operation.constants(),
                     operation.bounds(),
                     {},
                     operation.choice().asked_kernel,
                     operation.is_reference(),
                     false};
  const operators::Contract& contract = operation.problem().contract();
  for (std::size_t i = 0; i < bound.bounds.size(); ++i) {
    const auto max = contract.axes()[contract.launch_axes()[i]].max;
    bound.hints.push_back(bound.bounds[i] < max ? std::optional(bound.bounds[i]) : std::nullopt);
  }
  HALYARD_TRY_ASSIGN(auto choice, make_choice(instance, device, bound));
  if (choice->kernel_id == operation.choice().kernel_id &&
      choice->target == operation.choice().target) {
    return false;
  }
  HALYARD_TRY(operation.adopt(std::move(choice)));
  return true;
}

}  // namespace halyard::selection
