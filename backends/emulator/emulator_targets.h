// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/emulated_target.h"

#include <span>

namespace halyard::emulator {

// The processors that there is a device for, in the order in which devices are listed.
std::span<const EmulatedTarget> emulated_targets();

}  // namespace halyard::emulator
