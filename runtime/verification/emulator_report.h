// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/verdict.h"

#include <string_view>

namespace halyard::verification {

// What it says of a package that the emulator has stopped its kernel with this report, which begins
// with its kind: "race: …". Undecided where the emulator does not know an instruction, and for a
// kind that is not known here.
VerdictClass verdict_of_report(std::string_view report);

}  // namespace halyard::verification
