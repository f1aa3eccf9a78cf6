// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core/backend.h"

#include <memory>

namespace halyard::emulator {

// The backend "emulator": AMD processors whose machine code is interpreted on the CPU. Its devices
// are named by their processor ("emulator:gfx1100") and are never picked by default. It needs the
// instruction sets of the data directory, of which enumerating reads the bytes, and AVX2, FMA and
// F16C. HALYARD_EMULATOR_* say how launches are executed; with HALYARD_LOG=debug each launch tells
// its statistics.
std::unique_ptr<core::Backend> create_emulator_backend(const core::BackendSettings& settings);

}  // namespace halyard::emulator
