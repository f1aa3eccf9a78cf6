// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/matrix/lane_layout.h"

#include <cstdint>

namespace halyard::emulator {

// Fills which row of B each number of a sparse A is multiplied by. Of every four numbers of a row
// of A two are there; two bits for each, from bit `shift` of its lane's dword in `indices` on, say
// which.
template <LaneLayout layout, std::uint32_t rows>
inline void unpack_indices(const std::uint32_t* indices, std::uint32_t shift,
                           std::uint8_t (*rows_of_b)[rows]) {
  for (std::uint32_t lane = 0; lane < layout.size * layout.groups; ++lane) {
    const std::uint32_t bits = indices[lane] >> shift;
    for (std::uint32_t item = 0; item < layout.items; ++item) {
      const std::uint32_t k = layout.position(item, lane / layout.size);
      const std::uint32_t index = bits >> 2 * item & 3;
      rows_of_b[k][lane % layout.size] = static_cast<std::uint8_t>(4 * (k / 2) + index);
    }
  }
}

// How many bits of a dword the indices of a lane take.
constexpr std::uint32_t index_bits(const LaneLayout& layout) {
  return 2 * layout.items;
}

}  // namespace halyard::emulator
