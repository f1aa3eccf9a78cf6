// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/device_verifier.h"

#include "runtime/base/text.h"
#include "runtime/fleet/package_folder.h"
#include "runtime/verification/device_verification.h"
#include "runtime/verification/kept_verdict.h"
#include "runtime/verification/verdict_document.h"
#include "runtime/verification/worker_program.h"

#include <utility>

namespace halyard::fleet {
namespace {

using base::concat;
using base::Result;
using verification::VerdictClass;
using verification::VerificationReport;

std::string outcome_of(const VerificationReport& report) {
  const std::string name(verification::verdict_class_name(report.decision.verdict));
  if (!report.decision.finding) return name;
  return concat(name, ": ", report.decision.finding->sentence);
}

KernelVerdict verdict_of(const VerificationReport& report, const store::KernelId& asked) {
  KernelVerdict verdict;
  verdict.outcome = outcome_of(report);
  if (!report.package || report.package->id != asked) {
    verdict.is_decided = false;
    if (report.package) {
      verdict.outcome = "The prelude that the kernel names is another one on this machine.";
    }
    return verdict;
  }
  verdict.is_decided = report.decision.verdict != VerdictClass::kUndecided;
  if (!verdict.is_decided) return verdict;
  verdict.evidence = verification::evidence_of(report);
  for (std::size_t i = 0; i < report.builds.size(); ++i)
    verdict.builds.push_back({verification::build_inputs_of(report, i), report.codes[i]});
  verdict.states = verification::states_of(report, verdict.evidence, "halyard worker");
  return verdict;
}

}  // namespace

Result<FleetDevice> make_fleet_device(halyard_device* device, std::string worker_program,
                                      verification::VerificationOptions options) {
  if (worker_program.empty()) {
    HALYARD_TRY_ASSIGN(worker_program, verification::find_worker_program());
  }
  HALYARD_TRY_ASSIGN(const verification::VerifiedDevice described,
                     verification::describe_device(device, nullptr));
  HALYARD_TRY_ASSIGN(const verification::Surroundings surroundings,
                     verification::surroundings_of(device));
  FleetDevice made;
  made.id = described.id;
  made.targets = described.targets;
  made.verify =
      [device, surroundings, program = std::move(worker_program),
       options = std::move(options)](const store::KernelPackage& package) -> Result<KernelVerdict> {
    HALYARD_TRY_ASSIGN(const PackageFolder folder, PackageFolder::make(package));
    HALYARD_TRY_ASSIGN(
        const VerificationReport report,
        verification::verify_for_device(device, folder.path(), surroundings, program, options));
    return verdict_of(report, package.id);
  };
  return made;
}

}  // namespace halyard::fleet
