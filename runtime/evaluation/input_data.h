// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/bound_workload.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halyard::services {

using HostBytes = std::vector<std::byte>;

// The values of one constant, the same for the same seed and name. Uses all processors.
HostBytes constant_data(const BoundWorkload& workload, std::size_t shared, std::uint64_t seed);

// The values of every input that is no constant, by tensor; empty for the others.
// Errors: INVALID_ARGUMENT for a rule whose tensors do not fit one another.
base::Result<std::vector<HostBytes>> input_data(const BoundWorkload& workload, std::uint64_t seed);

}  // namespace halyard::services
