// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/worker/confinement_policy.h"
#include "runtime/worker/setup_failure.h"

namespace halyard::worker {

// Confines the calling process, of one thread, as `policy` says, and executes its program. Returns
// only with what has failed; the process is good for nothing then but to report that.
// `report_file` stays open until the program runs.
SetupFailure confine_and_execute(const ConfinementPolicy& policy, int report_file);

}  // namespace halyard::worker
