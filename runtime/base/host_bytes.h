// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halyard::base {

using HostBytes = std::vector<std::byte>;

// `size_bytes` bytes of the host, each of them `value`. OUT_OF_MEMORY names the size; more than the
// machine has is refused at once, since the system would promise it and then kill who uses it.
Result<HostBytes> make_host_bytes(std::uint64_t size_bytes, std::byte value = std::byte{0});

}  // namespace halyard::base
