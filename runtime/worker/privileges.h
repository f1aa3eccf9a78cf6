// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/worker/confinement_policy.h"
#include "runtime/worker/setup_failure.h"

#include <cstdint>
#include <optional>

namespace halyard::worker {

// Gives up what the calling process, of one thread, could do beyond an ordinary user: becomes
// `user` when that is not 0, and drops all capabilities for good. A process that becomes another
// user keeps CAP_DAC_OVERRIDE, without which it could not reach the private folders of root that
// its policy names; what it reaches at all is Landlock's to say.
std::optional<SetupFailure> drop_privileges(std::uint32_t user);

// Keeps the right to kill processes of other users, and nothing else.
std::optional<SetupFailure> keep_only_kill();

// All limits but that of memory, which comes last, since confinement itself takes some.
std::optional<SetupFailure> set_process_limits(const ProcessLimits& limits);
std::optional<SetupFailure> set_memory_limit(const ProcessLimits& limits);

}  // namespace halyard::worker
