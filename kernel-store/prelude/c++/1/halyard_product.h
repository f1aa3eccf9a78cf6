// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard_panel.h"

// C = A * B^T + bias over packed panels: B is packed once, A for each block of rows by the thread
// that multiplies it.

namespace halyard {

// One step of the transposition of 16 x 16 words: swaps the off-diagonal quarters of each block of
// 2 * Distance.
template <int Distance, int... Lane>
HALYARD_INLINE void exchange(Words& a, Words& b, Sequence<int, Lane...>) {
  const Words low =
      __builtin_shufflevector(a, b, ((Lane & Distance) ? 16 + Lane - Distance : Lane)...);
  const Words high =
      __builtin_shufflevector(a, b, ((Lane & Distance) ? 16 + Lane : Lane + Distance)...);
  a = low;
  b = high;
}

template <int Distance>
HALYARD_INLINE void transpose_from(Words (&words)[16]) {
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    if ((i & Distance) == 0) {
      exchange<Distance>(words[i], words[i + Distance], __make_integer_seq<Sequence, int, 16>{});
    }
  }
  if constexpr (Distance > 1) transpose_from<Distance / 2>(words);
}

// Loads by reference, since Words may be wider than the target's registers.
template <typename T>
HALYARD_INLINE void copy_words(const T* from, Words& to) {
  typedef Words Unaligned __attribute__((aligned(1), may_alias));
  to = *reinterpret_cast<const Unaligned*>(from);
}

// Reads the 16 words at column k of each of `count` rows (at most 16), zero past the last row and
// past column `width`, and turns rows into columns.
template <typename T>
HALYARD_INLINE void load_transposed(const T* from, int64_t stride, int64_t count, int64_t k,
                                    int64_t width, Words (&words)[16]) {
  constexpr int64_t kElements = 64 / sizeof(T);
  for (int64_t i = 0; i < 16; ++i) {
    words[i] = 0u;
    if (i >= count) continue;
    const T* row = from + i * stride + k;
    if (width - k >= kElements) {
      copy_words(row, words[i]);
    } else {
      T copy[kElements] = {};
      for (int64_t j = 0; j < width - k; ++j)
        copy[j] = row[j];
      copy_words(copy, words[i]);
    }
  }
  transpose_from<8>(words);
}

template <typename Format, typename T>
class PackedProduct {
 public:
  using Row = typename Format::Row;
  using Column = typename Format::Column;

  static constexpr int64_t kBlockRows = 144;    // Of one group, at most.
  static constexpr int64_t kGroupColumns = 64;  // Of one group.
  static constexpr int64_t kPartSteps = 512;    // Two column panels of a part: 64 KiB.
  static constexpr int64_t kElementsPerWord = 4 / sizeof(T);
  static constexpr int64_t kStepsPerWord = kElementsPerWord / Format::kDepth;

  const T* a;
  const Column* b;  // Column panels of `panel_elements()` each.
  const T* bias;    // Null without bias.
  T* c;
  int64_t m;
  int64_t n;
  int64_t k;
  int64_t a_stride;
  int64_t c_stride;

  int64_t words() const { return ceil_div(k, kElementsPerWord); }
  int64_t steps() const { return words() * kStepsPerWord; }
  int64_t panel_elements() const { return steps() * kPanelColumns; }

  // Packs the column panels [begin, end) of B; columns past n are zero.
  void pack(const T* from, Column* to, int64_t begin, int64_t end) const {
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t column = panel * kPanelColumns;
      Column* panel_to = to + panel * panel_elements();
      for (int64_t word = 0; word < words(); word += 16) {
        Words transposed[16];
        load_transposed(from + column * k, k, n - column, word * kElementsPerWord, k, transposed);
        for (int64_t i = 0; i < min<int64_t>(16, words() - word); ++i) {
          Format::pack_columns(panel_to + (word + i) * kStepsPerWord * kPanelColumns,
                               transposed[i]);
        }
      }
    }
  }

  // One group is a block of rows by kGroupColumns columns; grid x runs along N and grid y over the
  // blocks, which are made equally high.
  void run(const halyard_range& range) const {
    const int64_t block_height = ceil_div(m, range.grid[1]);
    int64_t packed_block = -1;
    for (uint64_t group = range.begin; group < range.end; ++group) {
      const int64_t block = static_cast<int64_t>(group / range.grid[0]);
      const int64_t column = static_cast<int64_t>(group % range.grid[0]) * kGroupColumns;
      const int64_t row = block * block_height;
      const int64_t height = min(block_height, m - row);
      if (height <= 0) continue;
      auto* sums = static_cast<float*>(range.scratch);
      auto* rows = reinterpret_cast<Row*>(sums + kBlockRows * kTileColumns);
      if (block != packed_block) {
        pack_block(row, height, rows);
        packed_block = block;
      }
      const int64_t end = min(n, column + kGroupColumns);
      for (int64_t j = column; j < end; j += kTileColumns)
        multiply_block(rows, row, height, j, sums);
    }
  }

 private:
  // The height of all row panels of a block but its last: nearly equal ones, as few as possible.
  static int64_t panel_height(int64_t height) {
    return ceil_div(height, ceil_div(height, kTileRows));
  }

  void pack_block(int64_t row, int64_t height, Row* to) const {
    const int64_t step = panel_height(height);
    for (int64_t i = 0; i < height; i += step) {
      const int64_t rows = min(step, height - i);
      Row* panel = to + i * steps();
      for (int64_t word = 0; word < words(); word += 16) {
        Words transposed[16];
        load_transposed(a + (row + i) * a_stride, a_stride, rows, word * kElementsPerWord, k,
                        transposed);
        for (int64_t w = 0; w < min<int64_t>(16, words() - word); ++w) {
          Format::pack_rows(panel + (word + w) * kStepsPerWord * rows, static_cast<int>(rows),
                            transposed[w]);
        }
      }
    }
  }

  // The part of K that a tile multiplies, and where its sums stay between the parts.
  struct Part {
    int64_t step;
    int64_t steps;
    bool first;
    bool last;
    float* sums;
    const Column* prefetched;  // One line for each step, or null.
  };

  // All rows of the block by the columns [column, column + kTileColumns). Where several row panels
  // use the columns, K is cut into parts so that the columns stay in a near cache, and the
  // first passes over a part fetch the next one: the need for memory bandwidth stays even.
  void multiply_block(const Row* rows, int64_t row, int64_t height, int64_t column,
                      float* sums) const {
    const int64_t panel_rows = panel_height(height);
    const int64_t part_steps = height > panel_rows ? kPartSteps : max<int64_t>(steps(), 1);
    const Column* columns = b + column / kPanelColumns * panel_elements();
    Part part = {};
    do {
      part.steps = min(part_steps, steps() - part.step);
      part.first = part.step == 0;
      part.last = part.step + part.steps == steps();
      part.sums = sums;
      const Column* next = columns + (part.step + part.steps) * kPanelColumns;
      if (part.last) next = columns + kTilePanels * panel_elements();
      for (int64_t i = 0; i < height; i += panel_rows) {
        const int64_t panel = i / panel_rows;
        part.prefetched =
            height > panel_rows && panel < kTilePanels ? next + panel * panel_elements() : nullptr;
        find_tile<kTileRows>(rows + i * steps(), columns, row + i, min(panel_rows, height - i),
                             column, part);
        part.sums += panel_rows * kTileColumns;
      }
      part.step += part.steps;
    } while (part.step < steps());
  }

  // Runs the tile that is compiled for `count` rows.
  template <int kRows>
  __attribute__((always_inline)) void find_tile(const Row* rows, const Column* columns, int64_t row,
                                                int64_t count, int64_t column,
                                                const Part& part) const {
    if (count == kRows) {
      tile<kRows>(rows + part.step * kRows, columns + part.step * kPanelColumns, row, column, part);
    } else if constexpr (kRows > 1) {
      find_tile<kRows - 1>(rows, columns, row, count, column, part);
    }
  }

  template <int kRows>
  __attribute__((noinline)) void tile(const Row* rows, const Column* columns, int64_t row,
                                      int64_t column, const Part& part) const {
    F32v sums[kRows][kTileVectors] = {};
    if (!part.first) {
#pragma unroll
      for (int i = 0; i < kRows * kTileVectors; ++i) {
        sums[i / kTileVectors][i % kTileVectors] = load(part.sums + i * kLanes);
      }
    }
    if (part.prefetched) {
      multiply_panels<Format>(rows, columns, panel_elements(), part.steps, part.prefetched, sums);
    } else {
      multiply_panels<Format>(rows, columns, panel_elements(), part.steps, NoPrefetch{}, sums);
    }
    if (!part.last) {
#pragma unroll
      for (int i = 0; i < kRows * kTileVectors; ++i) {
        store(part.sums + i * kLanes, sums[i / kTileVectors][i % kTileVectors]);
      }
      return;
    }
#pragma unroll
    for (int j = 0; j < kTileVectors; ++j) {
      const int64_t first = column + j * kLanes;
      const int64_t left = n - first;
      if (left <= 0) break;
      if (left >= kLanes) {
        store_sums(sums, j, row, first, AllLanes{});
      } else {
        store_sums(sums, j, row, first, FirstLanes{static_cast<int>(left)});
      }
    }
  }

  template <int kRows, typename Lanes>
  __attribute__((always_inline)) void store_sums(const F32v (&sums)[kRows][kTileVectors], int j,
                                                 int64_t row, int64_t column, Lanes lanes) const {
    const F32v added = bias ? load(bias + column, lanes) : F32v(0.0f);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      store(c + (row + i) * c_stride + column, sums[i][j] + added, lanes);
    }
  }
};

}  // namespace halyard
