// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/memory/lane_addresses.h"
#include "backends/emulator/program/operation.h"
#include "backends/emulator/state/wave.h"

#include <cstdint>
#include <optional>
#include <string>

namespace halyard::emulator {

// Each stops the wave with a report; `lane` is nothing for a scalar access.
void stop_out_of_bounds(Wave& wave, const Operation& operation, const AccessKind& kind,
                        std::optional<std::uint32_t> lane, std::uint64_t address);
void stop_misaligned(Wave& wave, const Operation& operation, const AccessKind& kind,
                     std::optional<std::uint32_t> lane, std::uint64_t address);
void stop_store_to_constant(Wave& wave, const Operation& operation, const AccessKind& kind,
                            std::optional<std::uint32_t> lane, std::uint64_t address);
// For what a buffer's descriptor does not hold: `what` says it, one sentence.
void stop_outside_of_descriptor(Wave& wave, const Operation& operation,
                                std::optional<std::uint32_t> lane, std::uint64_t address,
                                std::string what);
// For a form of an instruction that shows only when it is executed.
void stop_not_executed(Wave& wave, const Operation& operation, std::string what);

}  // namespace halyard::emulator
