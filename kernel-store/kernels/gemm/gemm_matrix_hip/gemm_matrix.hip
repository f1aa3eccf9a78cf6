// SPDX-License-Identifier: Apache-2.0
#include "halyard_matrix.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;
using Tile = MatrixTile<T>;

namespace {

// A workgroup computes 128 x 128 elements of C, in tiles of 16 x 16 that its waves share. Slices of
// A and B, 64 bytes deep, go through shared memory; the next ones are on their way meanwhile.
constexpr int kLanes = 256;
constexpr int kTile = 128;
constexpr int kDepth = 64 / static_cast<int>(sizeof(T));
constexpr int kPack = kPackElements<T>;
constexpr int kStride = kDepth + kPack;  // Keeps neighbouring rows out of each other's banks.

// The waves stand in a rectangle; each has kRowTiles x kColumnTiles of the tiles.
constexpr int kWaves = kLanes / kWaveLanes;
constexpr int kWaveRows = 2;
constexpr int kWaveColumns = kWaves / kWaveRows;
constexpr int kRowTiles = kTile / 16 / kWaveRows;
constexpr int kColumnTiles = kTile / 16 / kWaveColumns;

constexpr int kPacksInRow = kDepth / kPack;
constexpr int kLoads = kTile * kPacksInRow / kLanes;  // Packs of a slice that a lane loads.

struct alignas(16) Slice {
  T at[kTile][kStride];
};

struct Packs {
  Pack<T, kPack> at[kLoads];
};

// Rows past the end are the last one again; elements past the depth are 0.
HALYARD_DEVICE Packs load(const T* matrix, int64_t stride, uint32_t first_row, uint32_t row_count,
                          uint32_t first_k, uint32_t depth, bool is_packed) {
  Packs packs = {};
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    const auto place = static_cast<uint32_t>(thread_index() + i * kLanes);
    const uint32_t row = min(first_row + place / kPacksInRow, row_count - 1);
    const uint32_t k = first_k + place % kPacksInRow * kPack;
    const T* from = matrix + row * stride + k;
    if (is_packed) {
      if (k < depth) packs.at[i] = load_pack<kPack>(from);
    } else {
#pragma unroll
      for (int j = 0; j < kPack; ++j) {
        if (k + j < depth) packs.at[i].at[j] = from[j];
      }
    }
  }
  return packs;
}

HALYARD_DEVICE void put(const Packs& packs, Slice& slice) {
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    const int place = thread_index() + i * kLanes;
    store_pack<kPack>(&slice.at[place / kPacksInRow][place % kPacksInRow * kPack], packs.at[i]);
  }
}

using Sums = Tile::Sums[kRowTiles][kColumnTiles];

HALYARD_DEVICE void multiply(const Slice& left, const Slice& right, int first_row, int first_column,
                             Sums& sums) {
#pragma unroll
  for (int k = 0; k < kDepth; k += 16) {
    Tile::Operand a[kRowTiles];
#pragma unroll
    for (int r = 0; r < kRowTiles; ++r)
      a[r] = Tile::load(&left.at[first_row + 16 * r][k], kStride);
#pragma unroll
    for (int c = 0; c < kColumnTiles; ++c) {
      const Tile::Operand b = Tile::load(&right.at[first_column + 16 * c][k], kStride);
#pragma unroll
      for (int r = 0; r < kRowTiles; ++r)
        Tile::multiply_add(a[r], b, sums[r][c]);
    }
  }
}

struct Result {
  T* c;
  const T* bias;  // null: none
  int64_t stride;
  uint32_t rows;
  uint32_t columns;
};

HALYARD_DEVICE void store(const Sums& sums, const Result& to, uint32_t row, uint32_t column) {
  row += Tile::first_row();
  column += Tile::column();
  T* const c = to.c + row * to.stride + column;
#pragma unroll
  for (int j = 0; j < kColumnTiles; ++j) {
    if (column + 16 * j >= to.columns) continue;
    const float addend = to.bias != nullptr ? to_f32(to.bias[column + 16 * j]) : 0.0f;
#pragma unroll
    for (int i = 0; i < kRowTiles; ++i) {
#pragma unroll
      for (int s = 0; s < Tile::kSums; ++s) {
        const int down = 16 * i + s * Tile::kRowStep;
        if (row + down < to.rows)
          c[down * to.stride + 16 * j] = from_f32<T>(sums[i][j][s] + addend);
      }
    }
  }
}

}  // namespace

HALYARD_ENTRY(gemm_matrix, kLanes)
(const T* a, const T* b, const T* bias, T* c, int64_t a_stride, int64_t c_stride, uint32_t rows,
 uint32_t columns, uint32_t depth, uint32_t has_bias) {
  HALYARD_SHARED Slice left;
  HALYARD_SHARED Slice right;
  const Result result = {c, has_bias != 0 ? bias : nullptr, c_stride, rows, columns};
  const bool a_is_packed = (a_stride | depth) % kPack == 0;
  const bool b_is_packed = depth % kPack == 0;
  const int wave_row = wave_index() / kWaveColumns * (16 * kRowTiles);
  const int wave_column = wave_index() % kWaveColumns * (16 * kColumnTiles);

  for (uint32_t first_row = group_y() * kTile; first_row < rows;
       first_row += group_count(1) * kTile) {
    for (uint32_t first_column = group_x() * kTile; first_column < columns;
         first_column += group_count(0) * kTile) {
      Sums sums = {};
      Packs a_packs = load(a, a_stride, first_row, rows, 0, depth, a_is_packed);
      Packs b_packs = load(b, depth, first_column, columns, 0, depth, b_is_packed);
      for (uint32_t k = 0; k < depth; k += kDepth) {
        barrier();  // All waves are done with the slices before.
        put(a_packs, left);
        put(b_packs, right);
        barrier();
        if (k + kDepth < depth) {
          a_packs = load(a, a_stride, first_row, rows, k + kDepth, depth, a_is_packed);
          b_packs = load(b, depth, first_column, columns, k + kDepth, depth, b_is_packed);
        }
        multiply(left, right, wave_row, wave_column, sums);
      }
      store(sums, result, opaque(first_row) + wave_row, opaque(first_column) + wave_column);
    }
  }
}
