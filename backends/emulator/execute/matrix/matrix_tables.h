// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/semantics.h"

#include <span>

namespace halyard::emulator {

// The parts of matrix_semantics(), one file each.
std::span<const Semantic> wmma_semantics();
std::span<const Semantic> swmmac_semantics();
std::span<const Semantic> mfma_semantics();
std::span<const Semantic> mfma_double_semantics();
std::span<const Semantic> smfmac_semantics();

// Whether C and D of an operation are the same registers or have none in common, each of them
// `count` registers. Integers of C are read while D is written; what else would become of them is
// not defined.
inline bool result_is_apart(const Operand& source, const Operand& destination,
                            std::uint32_t count) {
  if (!source.is_vector() || source.index == destination.index) return true;
  return source.index + count <= destination.index || destination.index + count <= source.index;
}

}  // namespace halyard::emulator
