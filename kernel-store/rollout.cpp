// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/rollout.h"

#include "kernel-store/state_rules.h"
#include "runtime/base/text.h"

#include <array>
#include <ctime>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace halyard::store {
namespace {

using base::concat;
using base::Result;

// As records hold it: "2026-02-03T04:05:06Z".
std::string utc_text(std::int64_t time_ms) {
  const auto seconds = static_cast<std::time_t>(time_ms / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), size};
}

// The promotion on its way: its entries in effect, the first share of hosts first.
using Rollout = std::vector<StateChange>;

Rollout newest_rollout(std::span<const StateChange> history) {
  Rollout entries;
  for (const StateChange* const change : changes_in_effect(history)) {
    const bool goes_on = !entries.empty() && change->state == KernelState::kPromoted &&
                         change->drivers == entries.back().drivers &&
                         change->where == entries.back().where;
    if (!goes_on) entries.clear();
    if (change->state == KernelState::kPromoted) entries.push_back(*change);
  }
  return entries;
}

// What devices said since a promotion began.
struct Findings {
  std::optional<EvidenceRecord> failure;  // The newest.
  std::optional<EvidenceId> passed;       // The newest.
  std::set<std::string> passed_devices;
};

Result<Findings> findings_since(KernelStore& store, const Rollout& rollout) {
  const StateChange& newest = rollout.back();
  EvidenceQuery query;
  query.kernel = newest.kernel;
  query.target = newest.target;
  HALYARD_TRY_ASSIGN(std::vector<EvidenceRecord> records, store.find_evidence(query));
  const std::string begin = utc_text(rollout.front().time_ms);
  const std::string newest_begin = utc_text(newest.time_ms);
  Findings findings;
  for (EvidenceRecord& record : records) {
    if (!is_of_hardware(record) || !newest.drivers.contains(record.driver)) continue;
    if (record.verdict == Verdict::kFail && record.time >= begin && !findings.failure) {
      findings.failure = std::move(record);
    } else if (record.verdict == Verdict::kPass && record.time >= newest_begin) {
      if (!findings.passed) findings.passed = evidence_id(record);
      findings.passed_devices.insert(std::move(record.device));
    }
  }
  return findings;
}

RolloutReport report(RolloutStep step, const Findings& findings, std::string sentence) {
  return {step, static_cast<std::uint32_t>(findings.passed_devices.size()), std::move(sentence)};
}

// Each share that the promotion reached is taken back, the widest first.
Result<RolloutReport> take_back(KernelStore& store, Rollout rollout, const Findings& findings,
                                std::string_view who) {
  const StateChange newest = rollout.back();
  const std::string why =
      concat("Device ", findings.failure->device, " with ", findings.failure->driver,
             " fails since the promotion to ", newest.share_percent,
             " % of the hosts: ", findings.failure->message);
  for (std::size_t left = rollout.size(); left > 0; --left) {
    HALYARD_TRY_ASSIGN(const std::vector<StateChange> history,
                       store.states(newest.kernel, newest.target));
    rollout = newest_rollout(history);
    if (rollout.empty()) break;
    HALYARD_TRY_ASSIGN(StateChange change, reverting_change(history, newest.drivers));
    change.who = who;
    change.why = why;
    HALYARD_TRY(store.append_state(change));
  }
  return report(RolloutStep::kTakenBack, findings, why);
}

Result<RolloutReport> widen(KernelStore& store, const StateChange& promotion,
                            const Findings& findings, std::string_view who) {
  StateChange change = promotion;
  change.share_percent = 100;
  change.who = who;
  change.why = concat(findings.passed_devices.size(), " devices pass since the promotion to ",
                      promotion.share_percent, " % of the hosts.");
  change.evidence = findings.passed;
  change.time_ms = 0;
  change.sequence = 0;
  HALYARD_TRY_ASSIGN(const bool is_added, store.append_state(change));
  if (is_added) return report(RolloutStep::kWidened, findings, change.why);
  return report(RolloutStep::kNone, findings, "Another process has widened the promotion.");
}

}  // namespace

Result<RolloutReport> advance_rollout(KernelStore& store, const KernelId& kernel,
                                      std::string_view target, const RolloutRules& rules,
                                      std::string_view who) {
  HALYARD_TRY_ASSIGN(const std::vector<StateChange> history, store.states(kernel, target));
  const Rollout rollout = newest_rollout(history);
  const bool is_whole = !rollout.empty() && rollout.back().share_percent >= 100;
  if (rollout.empty() || (is_whole && rollout.size() == 1)) {
    return report(RolloutStep::kNone, {}, "No promotion is on its way.");
  }
  HALYARD_TRY_ASSIGN(const Findings findings, findings_since(store, rollout));
  if (findings.failure) return take_back(store, rollout, findings, who);
  if (is_whole) {
    return report(RolloutStep::kNone, findings, "The promotion has reached all hosts.");
  }
  if (findings.passed && findings.passed_devices.size() >= rules.least_devices) {
    return widen(store, rollout.back(), findings, who);
  }
  return report(RolloutStep::kWaits, findings,
                concat(findings.passed_devices.size(), " of ", rules.least_devices,
                       " devices have passed since the promotion to ", rollout.back().share_percent,
                       " % of the hosts."));
}

}  // namespace halyard::store
