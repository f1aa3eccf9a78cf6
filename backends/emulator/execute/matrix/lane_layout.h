// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace halyard::emulator {

// Where the items of each lane lie in a matrix. Lanes form groups of `size`; a lane's number within
// its group is the row of A, the column of B and D. The other coordinate and the block follow from
// the item and the group.
struct LaneLayout {
  std::uint32_t size = 16;   // lanes of a group: rows of A, columns of B and D
  std::uint32_t groups = 1;  // that are read or written
  std::uint32_t items = 1;   // of a lane
  // Items of a block lie in runs: the first of each is `run_stride` behind that of the one before,
  // its others `step` apart.
  std::uint32_t per_block = 1;
  std::uint32_t run = 1;
  std::uint32_t run_stride = 0;
  std::uint32_t step = 1;
  // What the group adds: `odd` for each odd one, `pair` for each two.
  std::uint32_t odd = 0;
  std::uint32_t pair = 0;
  bool group_is_block = false;

  constexpr std::uint32_t position(std::uint32_t item, std::uint32_t group) const {
    const std::uint32_t in_block = item % per_block;
    const std::uint32_t base = in_block / run * run_stride + in_block % run * step;
    return group_is_block ? base : base + group % 2 * odd + group / 2 * pair;
  }
  constexpr std::uint32_t block(std::uint32_t item, std::uint32_t group) const {
    return group_is_block ? group : item / per_block;
  }
};

// Items that follow one another.
constexpr LaneLayout consecutive(std::uint32_t size, std::uint32_t groups, std::uint32_t items,
                                 std::uint32_t odd, std::uint32_t pair) {
  return {size, groups, items, items, items, 0, 1, odd, pair, false};
}

// gfx9: A or B with blocks, or the K of one block dealt to the groups in turn.
constexpr LaneLayout mfma_operand(std::uint32_t size, std::uint32_t blocks, std::uint32_t items) {
  LaneLayout layout = consecutive(size, 64 / size, items, items, 2 * items);
  layout.group_is_block = blocks > 1;
  return layout;
}

// gfx9: C and D, in runs of four rows.
constexpr LaneLayout mfma_result(std::uint32_t size, std::uint32_t blocks) {
  const std::uint32_t items = size * size * blocks / 64;
  LaneLayout layout = {size, 64 / size, items, items, 4, 8, 1, 4, 8, false};
  if (size == 4) {
    layout.group_is_block = true;
  } else {
    layout.per_block = items / blocks;
  }
  return layout;
}

// gfx11: each half of a wave holds all of A and B; one of them is read.
constexpr LaneLayout wmma11_operand() {
  return consecutive(16, 1, 16, 0, 0);
}

constexpr LaneLayout wmma11_result(std::uint32_t lanes) {
  LaneLayout layout = consecutive(16, lanes / 16, 256 / lanes, 1, 2);
  layout.step = lanes / 16;
  return layout;
}

// gfx12: `k` numbers of 16 rows or columns. In 32 lanes 16-bit numbers alternate between the halves
// in runs of `run`; in 64 lanes, and narrower ones, each lane's are consecutive.
constexpr LaneLayout wmma12_operand(std::uint32_t lanes, std::uint32_t k, std::uint32_t bits,
                                    std::uint32_t run) {
  const std::uint32_t items = 16 * k / lanes;
  if (bits == 16 && lanes == 32) return {16, 2, items, items, run, 2 * run, 1, run, 0, false};
  if (bits == 16) return consecutive(16, 4, items, items, 2 * items);
  if (lanes == 32) return consecutive(16, 2, items, items, 0);
  return consecutive(16, 4, items, 2 * items, items);
}

constexpr LaneLayout wmma12_result(std::uint32_t lanes) {
  return lanes == 32 ? consecutive(16, 2, 8, 8, 0) : consecutive(16, 4, 4, 8, 4);
}

}  // namespace halyard::emulator
