// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "runtime/base/result.h"
#include "runtime/verification/package_verification.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace halyard::verification {

// What a binary of the report was made of.
store::BuildInputs build_inputs_of(const VerificationReport& report, std::size_t build);

// What follows from a report with its evidence_of(), one entry for each record: verified when
// accepted, quarantined when a stage found something; none when undecided.
std::vector<store::StateChange> states_of(const VerificationReport& report,
                                          std::span<const store::EvidenceRecord> evidence,
                                          std::string_view who);

// Keeps what was verified: the package, its binaries, evidence for each, and the state that
// follows: verified when accepted, quarantined when a stage found something; nothing when
// undecided. A promoted kernel that is accepted stays promoted. Errors: those of the store;
// kPermissionDenied for an accepted kernel that is retired. What was written before one stays.
base::Status keep_verdict(store::KernelStore& store, const VerificationReport& report);

}  // namespace halyard::verification
