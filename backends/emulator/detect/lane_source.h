// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/operation.h"

#include <cstdint>
#include <optional>

namespace halyard::emulator {

// The lane whose value a DPP operand gives to `lane`; nothing where there is none, `exec` leaving
// out lanes that are no sources.
std::optional<unsigned> permuted_lane(const LanePermutation& permutation, unsigned lane,
                                      unsigned lanes, std::uint64_t exec);
// Whether ROW_MASK and BANK_MASK let an operation write `lane`.
bool writes_lane(const LanePermutation& permutation, unsigned lane);

}  // namespace halyard::emulator
