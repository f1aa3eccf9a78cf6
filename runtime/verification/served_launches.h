// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"
#include "kernel-store/kernel_record.h"
#include "runtime/verification/planned_shape.h"

#include <string>

namespace halyard::verification {

// Which launches the kernel says that it serves: by the attributes and the conditions of its
// record, with its parameters, on a device with these capabilities. A condition that cannot be
// evaluated is not met.
ServesLaunch served_launches(const store::KernelRecord& record,
                             const store::ParameterValues& parameters,
                             const descriptors::CapabilitySet& capabilities);

}  // namespace halyard::verification
