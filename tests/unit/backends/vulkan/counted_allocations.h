// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace halyard::vulkan {

// How often the calling thread has used operator new, which this program replaces to count.
std::uint64_t allocations_of_this_thread();

}  // namespace halyard::vulkan
