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

base::Result<dispatch::KernelChoice> make_choice(Instance& instance, core::Device& device,
                                                 const BoundRequest& request) {
  HALYARD_TRY_ASSIGN(std::vector<Candidate> candidates, find_candidates(instance, device, request));
  HALYARD_TRY_ASSIGN(const Candidate* chosen, choose(instance, device, request, candidates));
  if (chosen == nullptr) {
    const auto noted = instance.store().requests().put_request(request_json(device, request));
    if (!noted) instance.log_store_failure(noted.error());
    if (!request.allow_reference) {
      return base::Error(base::ErrorCode::kNoKernel, refusal_sentence(device, request, candidates));
    }
    dispatch::KernelChoice reference;
    reference.kernel_name = "reference";
    reference.target = "f64";
    reference.state = "reference";
    reference.explanation = explanation_json(device, request, candidates, true);
    reference.asked_kernel = request.kernel;
    return reference;
  }
  HALYARD_TRY_ASSIGN(dispatch::KernelChoice choice,
                     load_choice(instance, device, *chosen, request.problem));
  choice.explanation = explanation_json(device, request, candidates, false);
  choice.asked_kernel = request.kernel;
  return choice;
}

}  // namespace

base::Result<base::Ref<dispatch::Operation>> prepare(Instance& instance, core::Device& device,
                                                     const PrepareRequest& request) {
  if (request.assume_constants) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       "HALYARD_OPERATION_ASSUME_CONSTANTS is for explaining, not for preparing.");
  }
  HALYARD_TRY_ASSIGN(BoundRequest bound, bind_request(instance, device, request));
  HALYARD_TRY_ASSIGN(dispatch::KernelChoice choice, make_choice(instance, device, bound));
  return dispatch::Operation::create(device, std::move(bound.problem), std::move(bound.constants),
                                     std::move(bound.bounds), std::move(choice));
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
  HALYARD_TRY_ASSIGN(dispatch::KernelChoice choice, make_choice(instance, device, bound));
  if (choice.kernel_id == operation.choice().kernel_id &&
      choice.target == operation.choice().target) {
    return false;
  }
  HALYARD_TRY(operation.adopt(std::move(choice)));
  return true;
}

}  // namespace halyard::selection
