// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/host_bytes.h"
#include "runtime/evaluation/bound_workload.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halyard::services {

using base::HostBytes;

// The values of one constant, the same for the same seed and name. Uses all processors.
// Errors: OUT_OF_MEMORY with the size.
base::Result<HostBytes> constant_data(const BoundWorkload& workload, std::size_t shared,
                                      std::uint64_t seed);

// The values of every input that is no constant, by tensor; empty for the others.
// Errors: INVALID_ARGUMENT for a rule whose tensors do not fit one another; OUT_OF_MEMORY with the
// size.
base::Result<std::vector<HostBytes>> input_data(const BoundWorkload& workload, std::uint64_t seed);

}  // namespace halyard::services
