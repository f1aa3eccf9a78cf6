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

  static constexpr int64_t kGroupColumns = 64;
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
  int64_t steps() const { return ceil_div(k, Format::kDepth); }
  int64_t panel_elements() const { return words() * kStepsPerWord * kPanelColumns; }

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
      auto* rows = static_cast<Row*>(range.scratch);
      if (block != packed_block) {
        pack_block(row, height, rows);
        packed_block = block;
      }
      const int64_t end = min(n, column + kGroupColumns);
      for (int64_t j = column; j < end; j += kTileColumns)
        multiply_block(rows, row, height, j);
    }
  }

 private:
  // The height of all panels of a block but its last: nearly equal ones, at most kTileRows.
  static int64_t panel_height(int64_t height) {
    return ceil_div(height, ceil_div(height, kTileRows));
  }

  void pack_block(int64_t row, int64_t height, Row* to) const {
    const int64_t step = panel_height(height);
    for (int64_t i = 0; i < height; i += step) {
      const int64_t rows = min(step, height - i);
      Row* panel = to + i * words() * kStepsPerWord;
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

  void multiply_block(const Row* rows, int64_t row, int64_t height, int64_t column) const {
    const int64_t step = panel_height(height);
    for (int64_t i = 0; i < height; i += step) {
      multiply_tile<kTileRows>(rows + i * words() * kStepsPerWord, row + i, min(step, height - i),
                               column);
    }
  }

  // Finds the tile that is compiled for the number of rows.
  template <int kRows>
  HALYARD_INLINE void multiply_tile_of(const PackedProduct& product, const Row* rows, int64_t row,
                                       int64_t count, int64_t column) {
    if (count == kRows) {
      product.template tile<kRows>(rows, row, column);
    } else if constexpr (kRows > 1) {
      multiply_tile_of<kRows - 1>(product, rows, row, count, column);
    }
  }
  template <int kRows>
  void multiply_tile(const Row* rows, int64_t row, int64_t count, int64_t column) const {
    multiply_tile_of<kRows>(*this, rows, row, count, column);
  }

  template <int kRows>
  __attribute__((noinline)) void tile(const Row* rows, int64_t row, int64_t column) const {
    F32v sums[kRows][kTileVectors] = {};
    multiply_panels<Format>(rows, b + column / kPanelColumns * panel_elements(), panel_elements(),
                            steps(), sums);
#pragma unroll
    for (int j = 0; j < kTileVectors; ++j) {
      const int64_t first = column + j * kLanes;
      const int64_t left = n - first;
      if (left <= 0) break;
      if (left >= kLanes) {
        store_sums<kRows>(sums, j, row, first, AllLanes{});
      } else {
        store_sums<kRows>(sums, j, row, first, FirstLanes{static_cast<int>(left)});
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
