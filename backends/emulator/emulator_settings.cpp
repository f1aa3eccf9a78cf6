// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_settings.h"

#include "backends/host/host_machine.h"

namespace halyard::emulator {

EmulatorSettings make_settings(const base::Configuration& configuration) {
  EmulatorSettings settings;
  settings.has_detectors = configuration.emulator_mode.value == base::EmulatorMode::kFull;
  settings.instruction_budget = configuration.emulator_budget.value;
  settings.schedule_seed = configuration.emulator_schedule.value;
  if (settings.has_detectors) return settings;
  const std::uint32_t asked = configuration.emulator_threads.value;
  settings.threads = asked != 0 ? asked : static_cast<std::uint32_t>(host::allowed_cpus().size());
  return settings;
}

}  // namespace halyard::emulator
