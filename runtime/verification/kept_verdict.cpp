// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/kept_verdict.h"

#include "runtime/base/text.h"
#include "runtime/verification/verdict_document.h"

#include <optional>
#include <utility>

namespace halyard::verification {
namespace {

// Nothing where nothing is said about the package.
std::optional<store::KernelState> state_of(const VerificationReport& report) {
  switch (report.decision.verdict) {
    case VerdictClass::kAccept:
      if (report.promotion.answer == PromotionAnswer::kQuarantine) {
        return store::KernelState::kQuarantined;
      }
      return store::KernelState::kVerified;
    case VerdictClass::kUndecided:
      return std::nullopt;
    default:
      return store::KernelState::kQuarantined;
  }
}

}  // namespace

store::BuildInputs build_inputs_of(const VerificationReport& report, std::size_t build) {
  const store::KernelBuild& made = report.builds[build];
  store::BuildInputs inputs;
  inputs.kernel = report.package->id;
  inputs.parameters = made.parameters;
  inputs.target = made.target;
  inputs.types = made.types;
  inputs.toolchain = made.toolchain;
  inputs.flags = made.flags;
  return inputs;
}

std::vector<store::StateChange> states_of(const VerificationReport& report,
                                          std::span<const store::EvidenceRecord> evidence,
                                          std::string_view who) {
  std::vector<store::StateChange> states;
  const auto state = state_of(report);
  if (!state) return states;
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    store::StateChange change;
    change.kernel = report.package->id;
    change.target = report.builds[i].target;
    change.drivers = {report.device.driver, report.device.driver};
    change.state = *state;
    change.who = who;
    change.why = report.decision.finding ? report.decision.finding->sentence : "All stages passed.";
    change.evidence = store::evidence_id(evidence[i]);
    states.push_back(std::move(change));
  }
  return states;
}

base::Status keep_verdict(store::KernelStore& store, const VerificationReport& report) {
  if (!report.package) return base::ok();
  HALYARD_TRY(store.put_kernel(*report.package));
  for (std::size_t i = 0; i < report.builds.size(); ++i)
    HALYARD_TRY(store.put_build(build_inputs_of(report, i), report.codes[i]));
  if (!state_of(report)) return base::ok();
  const std::vector<store::EvidenceRecord> evidence = evidence_of(report);
  for (const store::EvidenceRecord& record : evidence)
    HALYARD_TRY(store.put_evidence(record));
  for (const store::StateChange& change : states_of(report, evidence, "halyard verify"))
    HALYARD_TRY(store.append_state(change));
  return base::ok();
}

}  // namespace halyard::verification
