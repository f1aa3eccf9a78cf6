// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/results.h"
#include "runtime/evaluation/tensor_set.h"

#include <cstddef>
#include <span>
#include <vector>

namespace halyard::services {

// Compares what two runs of a workload left in the tensors that it writes, both by shared tensor.
// Floats may differ by what another order of additions explains, integers not at all.
ReplayCheck compare_runs(const BoundWorkload& workload, std::span<const HostBytes> expected,
                         std::span<const HostBytes> found);

// What the device holds in each tensor that the workload writes; empty for the others.
// Errors: DEVICE_LOST.
base::Result<std::vector<HostBytes>> read_written(const BoundWorkload& workload,
                                                  const TensorSet& tensors);

}  // namespace halyard::services
