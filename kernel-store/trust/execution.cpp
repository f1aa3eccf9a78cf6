// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/execution.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;

const ApprovalStanding& standing_of(const ExecutionFacts& facts) {
  static const ApprovalStanding none;
  return facts.approvals == nullptr ? none : *facts.approvals;
}

// Whether the approval that stands is of the binary that is to run.
bool covers_build(const ExecutionFacts& facts) {
  const std::optional<Approval>& approval = standing_of(facts).approval;
  if (!approval || approval->builds.empty() || facts.build == nullptr) return true;
  return std::binary_search(approval->builds.begin(), approval->builds.end(), *facts.build);
}

bool holds(ExecutionBasis basis, const ExecutionFacts& facts) {
  using Weight = ApprovalStanding::Weight;
  const Weight weight = covers_build(facts) ? standing_of(facts).weight : Weight::kNone;
  switch (basis) {
    case ExecutionBasis::kBundled:
      return facts.bundled;
    case ExecutionBasis::kVerified:
      return facts.verified_here;
    case ExecutionBasis::kTrustedKey:
      return weight != Weight::kNone;
    case ExecutionBasis::kLocalKey:
      return weight == Weight::kLocalKey;
    case ExecutionBasis::kUnverified:
      return !facts.bundled;
  }
  return false;
}

std::string basis_text(ExecutionBasis basis, const ExecutionFacts& facts) {
  switch (basis) {
    case ExecutionBasis::kBundled:
      return "it comes with the library";
    case ExecutionBasis::kVerified:
      return "it is verified here";
    case ExecutionBasis::kTrustedKey:
    case ExecutionBasis::kLocalKey:
      return concat("key \"", standing_of(facts).label, "\" approves it");
    case ExecutionBasis::kUnverified:
      return "the policy lets unverified kernels run";
  }
  return {};
}

// What is known for the kernel, for a refusal.
std::string present_text(const ExecutionFacts& facts) {
  if (facts.bundled) return "comes with the library";
  const ApprovalStanding& standing = standing_of(facts);
  const std::string verified = facts.verified_here ? "is verified here" : "is not verified here";
  if (standing.weight == ApprovalStanding::Weight::kNone) {
    return concat(verified, " and no trusted key approves it");
  }
  if (!covers_build(facts)) {
    return concat(verified, " and key \"", standing.label, "\" approves other builds than ",
                  digest_text(*facts.build));
  }
  return concat(verified, " and is approved by key \"", standing.label,
                standing.weight == ApprovalStanding::Weight::kLocalKey ? "\", a local one"
                                                                       : "\", which is not local");
}

std::string place_text(CodePlace place) {
  return place == CodePlace::kThisProcess ? "in this process" : "on a device";
}

ExecutionDecision refuse(const ExecutionFacts& facts, std::string_view why) {
  return {ExecutionOutcome::kRefused, concat("Kernel \"", facts.kernel_name, "\" does not run ",
                                             place_text(facts.place), ": ", why, '.')};
}

ExecutionDecision decide_stale(const Policy& policy, const ExecutionFacts& facts) {
  const std::string about =
      concat("Kernel \"", facts.kernel_name, "\" rests on evidence of ", facts.stale);
  switch (policy.stale) {
    case StalePolicy::kSelfTest:
      return {ExecutionOutcome::kSelfTestFirst,
              concat(about, ", and runs once its self-test has passed again.")};
    case StalePolicy::kReverify:
      return {ExecutionOutcome::kVerifyFirst,
              concat(about, ", and does not run until it is verified again.")};
    case StalePolicy::kRefuse:
      break;
  }
  return {ExecutionOutcome::kRefused, concat(about, ", which the policy refuses.")};
}

}  // namespace

ExecutionDecision decide_execution(const Policy& policy, const ExecutionFacts& facts) {
  if (facts.state == KernelState::kQuarantined || facts.state == KernelState::kRetired) {
    return refuse(facts, concat("it is ", kernel_state_name(facts.state)));
  }
  if (const std::string& objection = standing_of(facts).objection; !objection.empty()) {
    return refuse(facts, std::string_view(objection).substr(0, objection.size() - 1));
  }
  const std::vector<ExecutionBasis>& bases = policy.bases(facts.place);
  const auto found = std::find_if(bases.begin(), bases.end(),
                                  [&](ExecutionBasis basis) { return holds(basis, facts); });
  if (found == bases.end()) {
    std::vector<std::string_view> words;
    for (const ExecutionBasis basis : bases)
      words.push_back(execution_basis_name(basis));
    return refuse(facts, words.empty()
                             ? concat("the policy lets no kernel run there")
                             : concat("it ", present_text(facts), ", and the policy asks for ",
                                      base::join(words, " or ")));
  }
  if (!facts.stale.empty()) return decide_stale(policy, facts);
  return {ExecutionOutcome::kRun,
          concat("Kernel \"", facts.kernel_name, "\" runs ", place_text(facts.place), ": ",
                 basis_text(*found, facts), '.')};
}

}  // namespace halyard::store
