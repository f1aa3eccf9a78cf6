// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/semantics.h"

namespace halyard::emulator {

// Handlers around that of an instruction, which is operation.wrapped; null for a form that is not
// executed.

// DPP: source[0] takes the values of other lanes.
Handler choose_permuted(const Operation& operation, const SemanticContext& context);
// The lane whose value `lane` takes; negative where there is none, and -2 where the control is
// none of the generation.
int permuted_lane(const LanePermutation& permutation, std::uint32_t lane, std::uint32_t lanes,
                  Generation generation);

// SDWA: parts of registers.
Handler choose_sub_dword(const Operation& operation, const SemanticContext& context);

// VOPD: the halves read before either writes.
Handler choose_pair(const Operation& operation);

}  // namespace halyard::emulator
