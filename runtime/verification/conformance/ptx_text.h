// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"
#include "runtime/verification/conformance/launch_record.h"
#include "runtime/verification/verdict.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace halyard::verification {

struct PtxExpectation {
  std::string_view kernel;  // its name, for messages
  std::string_view target;  // "ptx-8.0/sm_80"
  std::vector<CodeStage> stages;
  std::uint32_t newest_version = 0;  // that the driver takes, 10 × major + minor; 0: not known
  const descriptors::CapabilitySet* capabilities = nullptr;  // of the device; may be null
};

inline constexpr std::size_t kMostPtxBytes = std::size_t{16} << 20;

// What speaks against handing `text`, which may be anything, to NVIDIA's driver: a version or
// target beyond the build's, entries that are not those of kernel.json, what is defined elsewhere,
// directives that no kernel needs, calls through addresses, traps and breakpoints, and variables
// that outlive a launch. A `.global` with initial values is accepted, because compilers put tables
// of constants there, and `.extern .shared`, which is how dynamic shared memory is spelled.
std::vector<Finding> check_ptx_text(std::string_view text, const PtxExpectation& expectation);

}  // namespace halyard::verification
