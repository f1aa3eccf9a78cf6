// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/state_order.h"

#include "kernel-store/state_rules.h"
#include "kernel-store/trust/approval_check.h"
#include "runtime/base/expression.h"
#include "runtime/base/text.h"
#include "runtime/stewardship/promotion_evidence.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace halyard::stewardship {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using store::KernelState;

Status check_target(const NamedKernel& kernel, const std::string& target) {
  if (std::find(kernel.targets.begin(), kernel.targets.end(), target) != kernel.targets.end()) {
    return base::ok();
  }
  return Error(ErrorCode::kInvalidArgument,
               concat("Kernel ", kernel.name, " is not for target \"", target, "\"; it is for ",
                      base::join(kernel.targets), "."));
}

// The conditions have to be such over the axes, which selection evaluates.
Status check_conditions(const StewardedStore& stewarded, const NamedKernel& kernel,
                        const std::vector<std::string>& where) {
  if (where.empty()) return base::ok();
  HALYARD_TRY_ASSIGN(const auto contract, stewarded.contracts().find(kernel.contract));
  for (const std::string& condition : where) {
    const auto compiled = base::Expression::compile(
        condition, [&](std::string_view name) -> std::optional<std::uint32_t> {
          const auto& axes = contract->axes();
          const auto axis = std::find_if(axes.begin(), axes.end(),
                                         [&](const auto& one) { return one.name == name; });
          if (axis == axes.end()) return std::nullopt;
          return static_cast<std::uint32_t>(axis - axes.begin());
        });
    if (!compiled) return Error(compiled.error());
  }
  return base::ok();
}

Result<store::StateChange> promotion(const StewardedStore& stewarded, const NamedKernel& kernel,
                                     const StateOrder& order) {
  HALYARD_TRY(check_conditions(stewarded, kernel, order.where));
  HALYARD_TRY_ASSIGN(
      const store::EvidenceRecord evidence,
      promotion_evidence(stewarded.store(), kernel.id, order.target,
                         order.drivers.value_or(store::DriverRange{}), order.evidence));
  store::StateChange change;
  change.state = KernelState::kPromoted;
  change.drivers = order.drivers.value_or(store::DriverRange{evidence.driver, evidence.driver});
  change.where = order.where;
  change.share_percent = order.share_percent;
  change.evidence = store::evidence_id(evidence);
  return change;
}

Result<store::StateChange> removal(const StewardedStore& stewarded, const NamedKernel& kernel,
                                   const StateOrder& order) {
  store::StateChange change;
  change.state =
      order.action == StateAction::kRetire ? KernelState::kRetired : KernelState::kQuarantined;
  change.drivers = order.drivers.value_or(store::DriverRange{});
  if (order.evidence) {
    HALYARD_TRY_ASSIGN(const store::EvidenceRecord evidence,
                       find_evidence(stewarded.store(), kernel.id, *order.evidence));
    change.evidence = store::evidence_id(evidence);
  }
  return change;
}

Result<store::StateChange> rollback(const StewardedStore& stewarded, const NamedKernel& kernel,
                                    const StateOrder& order) {
  HALYARD_TRY_ASSIGN(const auto history, stewarded.store().states(kernel.id, order.target));
  auto change = store::reverting_change(history, order.drivers);
  if (!change && change.error().code() == ErrorCode::kNotFound) {
    return Error(ErrorCode::kNotFound,
                 concat("Kernel ", kernel.name, " has no state on ", order.target,
                        order.drivers ? concat(" for ", store::driver_range_text(*order.drivers))
                                      : std::string(),
                        " that could be taken back."));
  }
  return change;
}

Result<store::StateChange> change_of(const StewardedStore& stewarded, const NamedKernel& kernel,
                                     const StateOrder& order) {
  if (order.action != StateAction::kPromote &&
      (!order.where.empty() || order.share_percent != 100)) {
    return Error(ErrorCode::kInvalidArgument,
                 "Conditions and a share of hosts are for promotions only.");
  }
  switch (order.action) {
    case StateAction::kPromote:
      return promotion(stewarded, kernel, order);
    case StateAction::kQuarantine:
    case StateAction::kRetire:
      return removal(stewarded, kernel, order);
    case StateAction::kRollBack:
      return rollback(stewarded, kernel, order);
  }
  return Error(ErrorCode::kInvalidArgument, "The order has no known action.");
}

Status check_approvable(const store::StateChange& change) {
  if (change.state >= KernelState::kVerified) return base::ok();
  return Error(ErrorCode::kPermissionDenied,
               concat("The kernel becomes ", store::kernel_state_name(change.state),
                      ", which no approval can say."));
}

// The binaries that lie here for the target, the newest first.
Result<std::vector<store::Digest>> blobs_for(const StewardedStore& stewarded,
                                             const store::StateChange& change) {
  HALYARD_TRY_ASSIGN(const auto builds, stewarded.store().find_builds(change.kernel));
  std::vector<store::Digest> blobs;
  for (const store::BuildRecord& build : builds) {
    const bool is_new = std::find(blobs.begin(), blobs.end(), build.blob) == blobs.end();
    if (build.inputs.target != change.target || !is_new) continue;
    if (blobs.size() == store::kMaxApprovedBuilds) break;
    blobs.push_back(build.blob);
  }
  std::sort(blobs.begin(), blobs.end());
  return blobs;
}

Result<store::Approval> approve(const StewardedStore& stewarded, const store::StateChange& change,
                                const StateOrder& order) {
  store::Approval approval;
  approval.kernel = change.kernel;
  approval.target = change.target;
  approval.drivers = change.drivers;
  approval.state = change.state;
  approval.evidence = change.evidence;
  if (change.state <= KernelState::kPromoted) {
    HALYARD_TRY_ASSIGN(approval.builds, blobs_for(stewarded, change));
  }
  approval.expires_ms = order.approval_expires_ms;
  return store::issue_approval(stewarded.store().approvals(), std::move(approval), *order.key,
                               unix_now_ms());
}

std::string user_name() {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 &&
      found != nullptr) {
    return found->pw_name;
  }
  return concat("uid ", ::getuid());
}

}  // namespace

Result<StateOutcome> carry_out(const StewardedStore& stewarded, const StateOrder& order) {
  if (store::is_key_name(order.who)) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("The name \"", order.who, "\" is one of a key, not of a person."));
  }
  StateOutcome outcome;
  HALYARD_TRY_ASSIGN(outcome.kernel, find_kernel(stewarded, order.kernel));
  HALYARD_TRY(check_target(outcome.kernel, order.target));
  HALYARD_TRY_ASSIGN(outcome.change, change_of(stewarded, outcome.kernel, order));
  store::StateChange& change = outcome.change;
  change.kernel = outcome.kernel.id;
  change.target = order.target;
  change.who = order.who.empty() ? this_person() : order.who;
  change.why = order.why;
  if (order.key != nullptr) HALYARD_TRY(check_approvable(change));
  HALYARD_TRY_ASSIGN(outcome.changed, stewarded.store().append_state(change));
  if (order.key != nullptr) {
    HALYARD_TRY_ASSIGN(outcome.approval, approve(stewarded, change, order));
  }
  return outcome;
}

std::string this_person() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) return user_name();
  return concat(user_name(), '@', host.data());
}

}  // namespace halyard::stewardship
