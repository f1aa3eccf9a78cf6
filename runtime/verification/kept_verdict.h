// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "runtime/base/result.h"
#include "runtime/verification/package_verification.h"

namespace halyard::verification {

// Keeps what was verified: the package, its binaries, evidence for each, and the state that
// follows: verified when accepted, quarantined when a stage found something; nothing when
// undecided. A promoted kernel that is accepted stays promoted. Errors: those of the store;
// kPermissionDenied for an accepted kernel that is retired. What was written before one stays.
base::Status keep_verdict(store::KernelStore& store, const VerificationReport& report);

}  // namespace halyard::verification
