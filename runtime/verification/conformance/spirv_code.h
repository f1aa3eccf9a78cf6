// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"
#include "runtime/verification/conformance/launch_record.h"
#include "runtime/verification/verdict.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace halyard::verification {

struct SpirvExpectation {
  std::string_view kernel;  // its name, for messages
  std::string_view target;  // "spirv-1.5"
  std::vector<CodeStage> stages;
  std::map<std::uint32_t, std::int64_t> constants;  // what is specialised, by constant id
  // Of the device; null: what a device offers and its limits are not looked at.
  const descriptors::CapabilitySet* capabilities = nullptr;
  // Of someone else, and not to take addresses of the device's memory.
  bool is_foreign = true;
};

inline constexpr std::size_t kMostSpirvBytes = std::size_t{16} << 20;

// What speaks against handing `bytes`, which may be anything, to a driver. The module is validated
// by SPIRV-Tools first, which has had faults of its own: foreign modules are checked in the worker.
std::vector<Finding> check_spirv_code(std::string_view bytes, const SpirvExpectation& expectation);

}  // namespace halyard::verification
