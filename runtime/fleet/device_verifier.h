// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/device.h"

#include "runtime/base/result.h"
#include "runtime/fleet/fleet_worker.h"
#include "runtime/verification/package_verification.h"

#include <string>

namespace halyard::fleet {

// A device of the library that verifies as `halyard verify` does; it is borrowed. `worker_program`:
// that which is installed when empty. Errors: kNotFound without that program; those of the library.
base::Result<FleetDevice> make_fleet_device(halyard_device* device, std::string worker_program,
                                            verification::VerificationOptions options);

}  // namespace halyard::fleet
