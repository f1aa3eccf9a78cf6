// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/kept_verdict.h"

#include "runtime/base/text.h"
#include "runtime/verification/verdict_document.h"

#include <optional>
#include <utility>

namespace halyard::verification {
namespace {

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

base::Status keep_verdict(store::KernelStore& store, const VerificationReport& report) {
  if (!report.package) return base::ok();
  HALYARD_TRY(store.put_kernel(*report.package));
  const std::vector<store::EvidenceRecord> evidence = evidence_of(report);
  for (std::size_t i = 0; i < report.builds.size(); ++i) {
    const store::KernelBuild& build = report.builds[i];
    store::BuildInputs inputs;
    inputs.kernel = report.package->id;
    inputs.parameters = build.parameters;
    inputs.target = build.target;
    inputs.types = build.types;
    inputs.toolchain = build.toolchain;
    inputs.flags = build.flags;
    HALYARD_TRY(store.put_build(inputs, report.codes[i]));
    HALYARD_TRY_ASSIGN(const store::EvidenceId id, store.put_evidence(evidence[i]));
    const auto state = state_of(report);
    if (!state) continue;
    store::StateChange change;
    change.kernel = report.package->id;
    change.target = build.target;
    change.drivers = {report.device.driver, report.device.driver};
    change.state = *state;
    change.who = "halyard verify";
    change.why = report.decision.finding ? report.decision.finding->sentence : "All stages passed.";
    change.evidence = id;
    HALYARD_TRY(store.append_state(change));
  }
  return base::ok();
}

}  // namespace halyard::verification
