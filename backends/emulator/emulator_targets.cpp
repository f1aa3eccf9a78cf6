// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_targets.h"

#include <array>

namespace halyard::emulator {

std::span<const EmulatedTarget> emulated_targets() {
  static const std::array<EmulatedTarget, 3> kTargets = {{
      {"gfx1100", "amd/rdna3", Generation::kGfx11, 65536},
      {"gfx1201", "amd/rdna4", Generation::kGfx12, 65536},
      {"gfx942", "amd/cdna3", Generation::kGfx9, 65536},
  }};
  return kTargets;
}

}  // namespace halyard::emulator
