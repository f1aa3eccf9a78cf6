// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard_vector.h"

// Products of packed panels: what a matrix product does once its operands lie in the order in which
// they are read.
//
// A row panel holds the rows of one register tile step by step, and a column panel holds
// kPanelColumns columns step by step. A step is one position of K or, for a format with kDepth 2, a
// pair of neighbours: their product with a column is one instruction or comes from one load.
//
// A *format* says what a step is:
//   using Row, Column;      the packed elements; a step of a panel has one for each row or column
//   kDepth                  how many positions of K a step covers
//   row(), columns()        the operands of one step: a row's, broadcast, and those of kLanes
//   columns multiply_add()          sum + row * columns pack_rows(), pack_columns()
//                           write one word, 32 bits along K, of 16 rows or columns; a panel has
//                           `rows` rows, and what is written past them is overwritten by the next

namespace halyard {

inline constexpr int kPanelColumns = 16;
inline constexpr int kPanelVectors = kPanelColumns / kLanes;

// The register tile: as many sums as the registers hold beside the operands of a step.
#if defined(__AVX512F__)
inline constexpr int kTileRows = 12;
inline constexpr int kTilePanels = 2;
#elif defined(__AVX__)
inline constexpr int kTileRows = 6;
inline constexpr int kTilePanels = 1;
#else
inline constexpr int kTileRows = 2;
inline constexpr int kTilePanels = 1;
#endif
inline constexpr int kTileColumns = kTilePanels * kPanelColumns;
inline constexpr int kTileVectors = kTilePanels * kPanelVectors;

// 32 bits along K of 16 rows or columns: one element or two.
using Words = uint32_t __attribute__((ext_vector_type(16)));
using HalfWords = uint16_t __attribute__((ext_vector_type(16)));

struct F32Format {
  using Row = float;
  using Column = float;
  static constexpr int kDepth = 1;

  HALYARD_INLINE F32v row(const Row* from) { return F32v(*from); }
  HALYARD_INLINE F32v columns(const Column* from) { return load(from); }
  HALYARD_INLINE F32v multiply_add(F32v row, F32v columns, F32v sum) {
    return fma(row, columns, sum);
  }
  HALYARD_INLINE void pack_rows(Row* to, int, const Words& words) { store_raw(to, words); }
  HALYARD_INLINE void pack_columns(Column* to, const Words& words) { store_raw(to, words); }
};

// f16 columns are widened as they are loaded, rows when they are packed.
struct F16Format {
  using Row = float;
  using Column = f16;
  static constexpr int kDepth = 1;

  HALYARD_INLINE F32v row(const Row* from) { return F32v(*from); }
  HALYARD_INLINE F32v columns(const Column* from) { return load(from); }
  HALYARD_INLINE F32v multiply_add(F32v row, F32v columns, F32v sum) {
    return fma(row, columns, sum);
  }
  HALYARD_INLINE void pack_rows(Row* to, int rows, const Words& words) {
    for (int i = 0; i < 16; ++i) {
      to[i] = to_f32(f16{static_cast<uint16_t>(words[i])});
    }
    for (int i = 0; i < 16; ++i) {
      to[rows + i] = to_f32(f16{static_cast<uint16_t>(words[i] >> 16)});
    }
  }
  HALYARD_INLINE void pack_columns(Column* to, const Words& words) {
    store_raw(to, __builtin_convertvector(words & 0xffffu, HalfWords));
    store_raw(to + kPanelColumns, __builtin_convertvector(words >> 16, HalfWords));
  }
};

struct Bf16Pair {
  bf16 even;
  bf16 odd;
};

// Pairs of bf16 in one 32-bit load: each half becomes f32 with one instruction.
struct Bf16Format {
  struct Row {
    float even;
    float odd;
  };
  using Column = Bf16Pair;
  static constexpr int kDepth = 2;
  struct Step {
    F32v even;
    F32v odd;
  };

  HALYARD_INLINE Step row(const Row* from) { return {F32v(from->even), F32v(from->odd)}; }
  HALYARD_INLINE Step columns(const Column* from) {
    const U32v pairs = load_raw<U32v>(from);
    return {__builtin_bit_cast(F32v, pairs << 16), __builtin_bit_cast(F32v, pairs & 0xffff0000u)};
  }
  HALYARD_INLINE F32v multiply_add(Step row, Step columns, F32v sum) {
    return fma(row.odd, columns.odd, fma(row.even, columns.even, sum));
  }
  HALYARD_INLINE void pack_rows(Row* to, int, const Words& words) {
    for (int i = 0; i < 16; ++i) {
      to[i].even = __builtin_bit_cast(float, words[i] << 16);
      to[i].odd = __builtin_bit_cast(float, words[i] & 0xffff0000u);
    }
  }
  HALYARD_INLINE void pack_columns(Column* to, const Words& words) { store_raw(to, words); }
};

#if defined(__AVX512BF16__)
// Pairs of bf16 multiplied and added by one instruction, with f32 sums.
struct Bf16DotFormat {
  using Row = Bf16Pair;
  using Column = Bf16Pair;
  static constexpr int kDepth = 2;
  typedef __bf16 Pairs __attribute__((vector_size(64)));
  typedef float Sums __attribute__((vector_size(64)));

  HALYARD_INLINE Pairs row(const Row* from) {
    typedef uint32_t Word __attribute__((aligned(2), may_alias));
    return __builtin_bit_cast(Pairs, U32v(*reinterpret_cast<const Word*>(from)));
  }
  HALYARD_INLINE Pairs columns(const Column* from) { return load_raw<Pairs>(from); }
  HALYARD_INLINE F32v multiply_add(Pairs row, Pairs columns, F32v sum) {
    return __builtin_bit_cast(
        F32v, __builtin_ia32_dpbf16ps_512(__builtin_bit_cast(Sums, sum), row, columns));
  }
  HALYARD_INLINE void pack_rows(Row* to, int, const Words& words) { store_raw(to, words); }
  HALYARD_INLINE void pack_columns(Column* to, const Words& words) { store_raw(to, words); }
};
#endif

struct NoPrefetch {
  NoPrefetch operator+(int64_t) const { return {}; }
};
HALYARD_INLINE void prefetch(NoPrefetch) {}
HALYARD_INLINE void prefetch(const void* line) {
  __builtin_prefetch(line, 0, 2);
}

// Adds `steps` steps to kRows x kVectors sums. The column panels lie `panel_stride` elements apart.
// `prefetched` is what to fetch meanwhile, a line of a panel for each step.
template <typename Format, int kRows, int kVectors, typename Prefetched>
HALYARD_INLINE void multiply_panels(const typename Format::Row* rows,
                                    const typename Format::Column* columns, int64_t panel_stride,
                                    int64_t steps, Prefetched prefetched,
                                    F32v (&sums)[kRows][kVectors]) {
  for (int64_t step = 0; step < steps; ++step) {
    prefetch(prefetched);
    prefetched = prefetched + kPanelColumns;
    decltype(Format::columns(columns)) operands[kVectors];
#pragma unroll
    for (int j = 0; j < kVectors; ++j) {
      operands[j] =
          Format::columns(columns + j / kPanelVectors * panel_stride + j % kPanelVectors * kLanes);
    }
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const auto row = Format::row(rows + i);
#pragma unroll
      for (int j = 0; j < kVectors; ++j) {
        sums[i][j] = Format::multiply_add(row, operands[j], sums[i][j]);
      }
    }
    rows += kRows;
    columns += kPanelColumns;
  }
}

}  // namespace halyard
