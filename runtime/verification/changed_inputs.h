// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/launch_session.h"

#include <cstdint>
#include <optional>

namespace halyard::verification {

// A shape's launch with one input changed after another, far behind its beginning and at its very
// end: answers must follow. Inputs that the contract calls constant stay.
// Errors: the runner's; as CheckedLaunch::check().
base::Result<std::optional<Mismatch>> run_changed_inputs(LaunchSession& session,
                                                         const CheckedLaunch& original,
                                                         std::uint64_t seed);

// `count` launches in one process with inputs that take turns, of which the last and a few chosen
// ones are checked. Errors: as above.
base::Result<std::optional<Mismatch>> run_late_launches(LaunchSession& session,
                                                        const CheckedLaunch& original,
                                                        std::uint64_t count, std::uint64_t seed);

}  // namespace halyard::verification
