// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/kernel_standing.h"

#include "kernel-store/trust/execution.h"
#include "runtime/base/expression.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::selection {
namespace {

using base::concat;
using store::KernelState;

// What could not be read is asked for again after this long.
constexpr std::int64_t kReadAgainMs = 1000;

std::int64_t unix_now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Whether every condition is known to hold at the request's axes.
bool hold_here(const std::vector<std::string>& where, const BoundRequest& request) {
  std::vector<std::string_view> names;
  std::vector<std::int64_t> values;
  for (const auto& axis : request.problem.prepare_axes()) {
    names.push_back(axis.name);
    values.push_back(axis.value);
  }
  const operators::Contract& contract = request.problem.contract();
  for (std::size_t i = 0; i < request.hints.size(); ++i) {
    if (!request.hints[i]) continue;
    names.push_back(contract.axes()[contract.launch_axes()[i]].name);
    values.push_back(*request.hints[i]);
  }
  const auto resolve = [&](std::string_view name) -> std::optional<std::uint32_t> {
    const auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end()) return std::nullopt;
    return static_cast<std::uint32_t>(place - names.begin());
  };
  return std::all_of(where.begin(), where.end(), [&](const std::string& condition) {
    const auto compiled = base::Expression::compile(condition, resolve);
    std::int64_t value = 0;
    return compiled && compiled->evaluate_into(values, &value) && value != 0;
  });
}

std::string difference_text(const store::EvidenceRecord& record, const core::Device& device,
                            const Candidate& candidate) {
  std::string text;
  if (record.driver != device.info().driver_id) text = concat("driver ", record.driver);
  if (record.toolchain != candidate.build->toolchain) {
    text += concat(text.empty() ? "" : " and ", "toolchain ", record.toolchain);
  }
  return text;
}

void note_unreadable(Instance& instance, const base::Error& failure) {
  instance.log_store_failure(failure);
  instance.choose_again_at(unix_now_ms() + kReadAgainMs);
}

// What the evidence of a state is of, where none is of this driver and toolchain; else empty.
base::Result<std::string> stale_text(Instance& instance, const core::Device& device,
                                     const store::StateChange& change, const Candidate& candidate) {
  if (!change.evidence || candidate.build == nullptr) return std::string();
  store::EvidenceQuery query;
  query.kernel = change.kernel;
  query.target = change.target;
  HALYARD_TRY_ASSIGN(const auto records, instance.store().find_evidence(query));
  std::string text = "a record that the store has no more";
  for (const store::EvidenceRecord& record : records) {
    const bool is_verification = record.kind == store::EvidenceKind::kHardware ||
                                 record.kind == store::EvidenceKind::kEmulated;
    if (!is_verification || record.verdict != store::Verdict::kPass) continue;
    std::string difference = difference_text(record, device, candidate);
    if (difference.empty()) return difference;
    if (store::evidence_id(record) == *change.evidence) text = std::move(difference);
  }
  return text;
}

// Sets state and staleness by the history; returns the entry in force, null without one.
const store::StateChange* take_state(Instance& instance, const core::Device& device,
                                     const BoundRequest& request,
                                     const std::vector<store::StateChange>& history,
                                     Candidate& candidate) {
  const store::StateChange* const change =
      store::last_change(history, {candidate.target, device.info().driver_id, instance.host()});
  if (change == nullptr) return nullptr;
  candidate.state = change->state;
  if (change->state == KernelState::kPromoted && !hold_here(change->where, request)) {
    candidate.state = KernelState::kVerified;
    candidate.note = concat("It is promoted where ", base::join(change->where, " and "), ".");
  }
  if (candidate.state == KernelState::kVerified || candidate.state == KernelState::kPromoted) {
    auto stale = stale_text(instance, device, *change, candidate);
    if (!stale) note_unreadable(instance, stale.error());
    candidate.stale = stale ? std::move(*stale) : "a record that cannot be read";
  }
  return change;
}

// Whether this store has a verification of its own in effect. A promotion is none: it may rest on
// the word of a key, which must not outlive the trust in that key.
bool is_verified_here(const std::vector<store::StateChange>& history, const core::Device& device,
                      const std::string& target) {
  bool verified = false;
  for (const store::StateChange* const change : store::changes_in_effect(history)) {
    if (change->target != target || !change->drivers.contains(device.info().driver_id)) continue;
    if (change->state > KernelState::kPromoted) verified = false;
    if (change->state == KernelState::kVerified && !store::is_key_name(change->who))
      verified = true;
  }
  return verified;
}

base::Result<store::ApprovalStanding> approvals_of(Instance& instance, const core::Device& device,
                                                   const ExecutionRules& rules,
                                                   const Candidate& candidate) {
  if (rules.trust.keys().empty()) return store::ApprovalStanding();
  const store::KernelId& kernel = candidate.kernel->package.id;
  HALYARD_TRY_ASSIGN(const auto approvals, instance.store().approvals().find_approvals(kernel));
  const std::int64_t now_ms = unix_now_ms();
  for (const store::SignedApproval& one : approvals) {
    const auto approval = store::parse_approval(one.document, "approval");
    if (approval && approval->expires_ms > now_ms) instance.choose_again_at(approval->expires_ms);
  }
  for (const store::TrustedKey& key : rules.trust.keys()) {
    for (const std::int64_t moment_ms : {key.not_before_ms, key.expires_ms}) {
      if (moment_ms > now_ms) instance.choose_again_at(moment_ms);
    }
  }
  return store::approval_standing(approvals, kernel, candidate.target, device.info().driver_id,
                                  rules.trust, now_ms);
}

store::CodePlace place_of(const core::Device& device) {
  return device.info().kind == core::DeviceKind::kCpu ? store::CodePlace::kThisProcess
                                                      : store::CodePlace::kDevice;
}

// Of a kernel from the store, which what cannot be read may keep from running.
std::string unreadable_text(std::string_view what, const base::Error& failure) {
  return concat("Its ", what, " cannot be read from the store: ", failure.message());
}

}  // namespace

std::optional<std::string> refusal_by_rules(Instance& instance, const core::Device& device,
                                            const BoundRequest& request,
                                            const ExecutionRules& rules, Candidate& candidate) {
  const store::KernelPackage& package = candidate.kernel->package;
  const auto history = instance.store().states(package.id, candidate.target);
  const store::StateChange* change = nullptr;
  if (history) {
    change = take_state(instance, device, request, *history, candidate);
  } else {
    note_unreadable(instance, history.error());
    if (candidate.stored) return unreadable_text("history", history.error());
  }
  if (candidate.state == KernelState::kQuarantined || candidate.state == KernelState::kRetired) {
    return concat("It is ", store::kernel_state_name(candidate.state), ": ", change->why);
  }
  const auto approvals = approvals_of(instance, device, rules, candidate);
  if (!approvals) {
    note_unreadable(instance, approvals.error());
    if (candidate.stored) return unreadable_text("approvals", approvals.error());
  }
  store::ExecutionFacts facts;
  facts.kernel_name = package.record.name;
  facts.bundled = !candidate.stored;
  facts.place = place_of(device);
  facts.state = candidate.state;
  facts.verified_here = candidate.state >= KernelState::kVerified &&
                        is_verified_here(*history, device, candidate.target);
  if (approvals) facts.approvals = &*approvals;
  if (candidate.build != nullptr) facts.build = &candidate.build->sha256;
  facts.stale = candidate.stale;
  store::ExecutionDecision decision = store::decide_execution(rules.policy, facts);
  if (decision.outcome == store::ExecutionOutcome::kRun) return std::nullopt;
  // Each use of a kernel is gated by a self-test under its driver and toolchain anyway.
  if (decision.outcome == store::ExecutionOutcome::kSelfTestFirst) {
    candidate.note = std::move(decision.reason);
    return std::nullopt;
  }
  return std::move(decision.reason);
}

}  // namespace halyard::selection
