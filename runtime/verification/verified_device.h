// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/device.h"

#include "capability-descriptors/capability.h"
#include "runtime/base/result.h"
#include "runtime/evaluation/ceilings.h"
#include "runtime/operators/problem.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::verification {

// What is known of the device that the candidate runs on, from outside of this layer.
struct VerifiedDevice {
  std::string id;                    // "cpu:0"
  std::vector<std::string> targets;  // machine code it takes, best first
  std::string driver;
  std::string fingerprint;
  bool is_hardware = true;  // false for an emulator: its evidence never promotes
  descriptors::CapabilitySet capabilities;
  // The kernel that would run today, for types and prepare axes; nothing when there is none.
  std::function<std::optional<std::string>(const operators::Problem& problem)> incumbent_id;
  // Least times of physics, by measured ceilings; 0 where unknown.
  std::function<base::Result<double>(const operators::Problem&, std::span<const std::int64_t> axes,
                                     bool is_cold)>
      floor_ns;
};

// Gives the ceilings of the device; asked at the first time that is judged, since measuring them
// takes longer than refusing most packages.
using CeilingSource = std::function<base::Result<const services::Ceilings*>()>;

// The facts of a device of the library, which is borrowed for as long as the result is used.
// Without `ceilings` no time is faster than physics.
base::Result<VerifiedDevice> describe_device(halyard_device* device, CeilingSource ceilings);

}  // namespace halyard::verification
