// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace halyard::host {

// The numbers of the CPUs that this process may run on, lowest first; never empty.
std::vector<int> allowed_cpus();

// What is built in; 0 where the system does not tell.
std::uint64_t memory_bytes();

}  // namespace halyard::host
