// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/environment.h"

#include <cstdint>
#include <optional>

namespace halyard::emulator {

// How launches are executed, from the configuration. Plain data.
struct EmulatorSettings {
  bool has_detectors = false;  // the mode "full"
  std::uint32_t threads = 1;   // 1 with detectors
  std::uint64_t instruction_budget = 0;
  std::optional<std::uint64_t> schedule_seed;  // of a device's first launch; the next has the next
};

EmulatorSettings make_settings(const base::Configuration& configuration);

}  // namespace halyard::emulator
