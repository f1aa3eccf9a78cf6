// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/state_rules.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <string>
#include <vector>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

// The entries of a history that a next one meets.
struct Standing {
  const StateChange* in_force = nullptr;
  std::vector<const StateChange*> beside;
};

Standing standing_at(const std::vector<const StateChange*>& changes, const DriverRange& drivers) {
  Standing standing;
  for (const StateChange* const change : changes) {
    if (change->drivers.contains(drivers)) {
      // What is for a share of the hosts leaves the others what they had.
      if (change->share_percent >= 100) standing.beside.clear();
      standing.in_force = change;
    } else if (change->drivers.overlaps(drivers)) {
      std::erase_if(standing.beside, [&](const StateChange* earlier) {
        return change->share_percent >= 100 && change->drivers.contains(earlier->drivers);
      });
      standing.beside.push_back(change);
    }
  }
  return standing;
}

std::string state_text(const StateChange& change) {
  const std::string_view article = change.state == KernelState::kCandidate ? "a " : "";
  return concat("The kernel is ", article, kernel_state_name(change.state), " on ", change.target,
                " for ", driver_range_text(change.drivers));
}

Error refusal(const StateChange& held, std::string_view what_it_takes) {
  return Error(ErrorCode::kPermissionDenied, concat(state_text(held), "; ", what_it_takes));
}

Error nothing_known(const StateChange& next) {
  return Error(ErrorCode::kPermissionDenied,
               concat("The kernel is a candidate on ", next.target, " for ",
                      driver_range_text(next.drivers), "; it has to be verified first."));
}

// Why the state `held` cannot become `next`, for the two states that hold.
std::string_view way_out(KernelState held) {
  return held == KernelState::kRetired ? "a retirement ends by a rollback."
                                       : "a quarantine ends with new evidence.";
}

Status check_form(const StateChange& next) {
  if (next.share_percent < 1 || next.share_percent > 100) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("The share of hosts (", next.share_percent, " %) is not from 1 to 100."));
  }
  if (next.drivers.is_turned_round()) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("The range of drivers ends (", next.drivers.last, ") before it begins (",
                        next.drivers.first, ")."));
  }
  const bool is_limited = !next.where.empty() || next.share_percent != 100;
  if (is_limited && next.state != KernelState::kPromoted) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("Conditions and a share of hosts are for promoted kernels, not for ",
                        kernel_state_name(next.state), " ones."));
  }
  return base::ok();
}

Status check_evidence(const StateChange& next) {
  if (next.evidence) return base::ok();
  return Error(ErrorCode::kPermissionDenied, concat("The entry names no evidence, which the state ",
                                                    kernel_state_name(next.state), " takes."));
}

Status check_beside(const Standing& standing, const StateChange& next) {
  for (const StateChange* const change : standing.beside) {
    if (change->state <= next.state) continue;
    return refusal(*change, concat("that is a part of ", driver_range_text(next.drivers),
                                   ", which cannot become ", kernel_state_name(next.state), "."));
  }
  return base::ok();
}

// To candidate or self-tested.
Result<Transition> judge_low(const Standing& standing, const StateChange& next) {
  const StateChange* const held = standing.in_force;
  if (held != nullptr && held->state > KernelState::kPromoted) {
    return refusal(*held, way_out(held->state));
  }
  if (held != nullptr && held->state >= next.state) return Transition::kUnchanged;
  HALYARD_TRY(check_beside(standing, next));
  return Transition::kAppend;
}

Result<Transition> judge_verified(std::span<const StateChange> history, const Standing& standing,
                                  const StateChange& next) {
  HALYARD_TRY(check_evidence(next));
  HALYARD_TRY(check_beside(standing, next));
  const StateChange* const held = standing.in_force;
  if (held == nullptr) return Transition::kAppend;
  if (held->state == KernelState::kRetired) return refusal(*held, way_out(held->state));
  if (held->state == KernelState::kPromoted) return Transition::kUnchanged;
  if (held->state == KernelState::kVerified && held->evidence == next.evidence) {
    return Transition::kUnchanged;
  }
  const bool is_known = std::any_of(history.begin(), history.end(), [&](const StateChange& change) {
    return change.evidence == next.evidence;
  });
  if (held->state == KernelState::kQuarantined && is_known) {
    return refusal(*held, concat("evidence ", digest_text(*next.evidence),
                                 " is in its history already, and a quarantine ends with new "
                                 "evidence."));
  }
  return Transition::kAppend;
}

Result<Transition> judge_promoted(const Standing& standing, const StateChange& next) {
  HALYARD_TRY(check_evidence(next));
  HALYARD_TRY(check_beside(standing, next));
  const StateChange* const held = standing.in_force;
  if (held != nullptr && held->state > KernelState::kPromoted) {
    return refusal(*held, way_out(held->state));
  }
  if (held != nullptr && held->state == KernelState::kPromoted && held->where == next.where) {
    if (held->share_percent == next.share_percent) return Transition::kUnchanged;
    if (held->share_percent < next.share_percent) return Transition::kAppend;
    return refusal(*held, concat("a share of ", next.share_percent, " % after one of ",
                                 held->share_percent, " % takes a rollback first."));
  }
  const auto is_verified = [](const StateChange* change) {
    return change != nullptr && change->state >= KernelState::kVerified;
  };
  if (is_verified(held) ||
      std::any_of(standing.beside.begin(), standing.beside.end(), is_verified)) {
    return Transition::kAppend;
  }
  if (held == nullptr) return nothing_known(next);
  return refusal(*held, "it has to be verified first.");
}

Result<Transition> judge_quarantined(const Standing& standing) {
  const StateChange* const held = standing.in_force;
  if (held == nullptr) return Transition::kAppend;
  if (held->state == KernelState::kRetired) return refusal(*held, way_out(held->state));
  if (held->state == KernelState::kQuarantined && standing.beside.empty()) {
    return Transition::kUnchanged;
  }
  return Transition::kAppend;
}

Result<Transition> judge_retired(const Standing& standing) {
  const StateChange* const held = standing.in_force;
  const bool is_retired = held != nullptr && held->state == KernelState::kRetired;
  return is_retired && standing.beside.empty() ? Transition::kUnchanged : Transition::kAppend;
}

// What takes back `entry`, which is in force among `changes`.
StateChange taking_back(const std::vector<const StateChange*>& changes, const StateChange& entry) {
  StateChange change;
  change.kernel = entry.kernel;
  change.target = entry.target;
  change.drivers = entry.drivers;
  change.reverts = entry.sequence;
  for (const StateChange* const before : changes) {
    if (before == &entry) break;
    if (!before->drivers.contains(entry.drivers)) continue;
    change.state = before->state;
    change.where = before->where;
    change.share_percent = before->share_percent;
    change.evidence = before->evidence;
  }
  return change;
}

Status check_revertible(const StateChange& entry) {
  if (entry.state != KernelState::kQuarantined) return base::ok();
  return refusal(entry, way_out(entry.state));
}

Result<Transition> judge_reverting(std::span<const StateChange> history, const StateChange& next) {
  const auto entry = std::find_if(history.begin(), history.end(), [&](const StateChange& change) {
    return change.sequence == *next.reverts;
  });
  if (entry == history.end()) {
    return Error(ErrorCode::kPermissionDenied,
                 concat("The history on ", next.target, " has no entry ", *next.reverts,
                        ", which is to be taken back."));
  }
  const bool is_taken_back =
      std::any_of(history.begin(), history.end(),
                  [&](const StateChange& change) { return change.reverts == next.reverts; });
  if (is_taken_back) return Transition::kUnchanged;
  const auto changes = changes_in_effect(history);
  const StateChange* const in_force = standing_at(changes, next.drivers).in_force;
  if (in_force != &*entry || entry->drivers != next.drivers) {
    const std::string sentence = concat("entry ", *next.reverts, " is not the one in force for ",
                                        driver_range_text(next.drivers), ".");
    return in_force != nullptr ? refusal(*in_force, sentence) : refusal(*entry, sentence);
  }
  HALYARD_TRY(check_revertible(*entry));
  const StateChange expected = taking_back(changes, *entry);
  if (next.state != expected.state || next.where != expected.where ||
      next.share_percent != expected.share_percent) {
    return Error(ErrorCode::kPermissionDenied,
                 concat("Taking back entry ", *next.reverts, " gives the state ",
                        kernel_state_name(expected.state), ", and the new entry says ",
                        kernel_state_name(next.state), "."));
  }
  return Transition::kAppend;
}

}  // namespace

Result<Transition> judge_transition(std::span<const StateChange> history, const StateChange& next) {
  HALYARD_TRY(check_form(next));
  if (next.reverts) return judge_reverting(history, next);
  const Standing standing = standing_at(changes_in_effect(history), next.drivers);
  switch (next.state) {
    case KernelState::kCandidate:
    case KernelState::kSelfTested:
      return judge_low(standing, next);
    case KernelState::kVerified:
      return judge_verified(history, standing, next);
    case KernelState::kPromoted:
      return judge_promoted(standing, next);
    case KernelState::kQuarantined:
      return judge_quarantined(standing);
    case KernelState::kRetired:
      return judge_retired(standing);
  }
  return Error(ErrorCode::kInvalidArgument, "The entry has no known state.");
}

Result<StateChange> reverting_change(std::span<const StateChange> history,
                                     const std::optional<DriverRange>& drivers) {
  const auto changes = changes_in_effect(history);
  const StateChange* entry = nullptr;
  if (drivers) {
    entry = standing_at(changes, *drivers).in_force;
  } else if (!changes.empty()) {
    entry = changes.back();
  }
  if (entry == nullptr) {
    return Error(ErrorCode::kNotFound, concat("Nothing is in force for ",
                                              driver_range_text(drivers.value_or(DriverRange{})),
                                              " that could be taken back."));
  }
  HALYARD_TRY(check_revertible(*entry));
  return taking_back(changes, *entry);
}

}  // namespace halyard::store
