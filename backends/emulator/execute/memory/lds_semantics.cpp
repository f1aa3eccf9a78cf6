// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/program/semantics.h"

namespace halyard::emulator {

std::span<const Semantic> lds_semantics() {
  return {};
}

}  // namespace halyard::emulator
