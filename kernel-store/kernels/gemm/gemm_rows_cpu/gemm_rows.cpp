// SPDX-License-Identifier: Apache-2.0
#include "halyard_vector.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

// The product for few rows of A: dot products along K, straight from the rows of B as they lie, so
// that B needs no packing and is read once. It serves any shape, but each kRows rows of A read B
// again.

namespace {

constexpr int64_t kRows = 16;  // Rows of A in one group.
constexpr int64_t kColumns =
    32;  // Rows of B in one group; the grid of kernel.json divides by both.
constexpr int64_t kPrefetchBytes = 1024;

struct Launch {
  const T* a;
  const T* b;
  const T* bias;  // Null without bias.
  T* c;
  int64_t m;
  int64_t n;
  int64_t k;
  int64_t a_stride;
  int64_t c_stride;
};

HALYARD_INLINE int64_t padded(int64_t k) {
  return ceil_div(k, 16) * 16;
}

// Widens rows [row, row + count) of A to f32; the tail of each row is zero up to padded(k).
void widen_rows(const Launch& launch, int64_t row, int64_t count, float* widened) {
  for (int64_t i = 0; i < count; ++i) {
    const T* from = launch.a + (row + i) * launch.a_stride;
    float* to = widened + i * padded(launch.k);
    for_each_vector(launch.k, [&](int64_t j, auto lanes) { store(to + j, load(from + j, lanes)); });
  }
}

// kM x kN dot products: rows of the widened A by rows of B. The pointers of rows that do not exist
// repeat others, so that the inner loop has no conditions.
template <int kM, int kN>
HALYARD_INLINE void dot_tile(const float* const (&a)[kM], const T* const (&b)[kN], int64_t k,
                             float* results) {
  F32v sums[kM * kN] = {};
  for_each_vector(k, [&](int64_t i, auto lanes) {
    F32v rows[kM];
    for (int j = 0; j < kM; ++j)
      rows[j] = load(a[j] + i);
    for (int n = 0; n < kN; ++n) {
      __builtin_prefetch(reinterpret_cast<const char*>(b[n] + i) + kPrefetchBytes, 0, 3);
      const F32v column = load(b[n] + i, lanes);
      for (int j = 0; j < kM; ++j)
        sums[j * kN + n] = fma(rows[j], column, sums[j * kN + n]);
    }
  });
  constexpr int kCount = kM * kN;
  for (int i = 0; i < kCount; i += kLanes) {
    F32v rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
      rows[lane] = sums[min(i + lane, kCount - 1)];
    store(results + i, reduce_rows(rows));
  }
}

template <int kM, int kN>
void tile(const Launch& launch, const float* widened, int64_t row, int64_t rows, int64_t column,
          int64_t columns) {
  const float* a[kM];
  const T* b[kN];
  for (int i = 0; i < kM; ++i)
    a[i] = widened + min<int64_t>(i, rows - 1) * padded(launch.k);
  for (int i = 0; i < kN; ++i)
    b[i] = launch.b + (column + min<int64_t>(i, columns - 1)) * launch.k;
  float results[max(kM * kN, kLanes)];
  dot_tile<kM, kN>(a, b, launch.k, results);
  for (int64_t i = 0; i < min<int64_t>(kM, rows); ++i) {
    T* to = launch.c + (row + i) * launch.c_stride + column;
    for (int64_t j = 0; j < min<int64_t>(kN, columns); ++j) {
      const float bias = launch.bias ? to_f32(launch.bias[column + j]) : 0.0f;
      to[j] = from_f32<T>(results[i * kN + j] + bias);
    }
  }
}

// All tiles of rows [row, row + rows) by columns [column, column + columns).
void group(const Launch& launch, const float* widened, int64_t row, int64_t rows, int64_t column,
           int64_t columns) {
  if (rows <= 2) {
    for (int64_t j = 0; j < columns; j += 8) {
      if (rows == 1) {
        tile<1, 8>(launch, widened, row, rows, column + j, columns - j);
      } else {
        tile<2, 8>(launch, widened, row, rows, column + j, columns - j);
      }
    }
    return;
  }
  for (int64_t j = 0; j < columns; j += 4) {
    for (int64_t i = 0; i < rows; i += 4) {
      tile<4, 4>(launch, widened + i * padded(launch.k), row + i, rows - i, column + j,
                 columns - j);
    }
  }
}

}  // namespace

// One group is kRows rows of A by kColumns rows of B; grid x runs along N.
HALYARD_ENTRY(gemm) {
  Arguments next(arguments);
  Launch launch;
  launch.a = next.pointer<const T>();
  launch.b = next.pointer<const T>();
  launch.bias = next.pointer<const T>();
  launch.c = next.pointer<T>();
  const bool has_bias = next.integer() != 0;
  launch.m = next.integer();
  launch.n = next.integer();
  launch.k = next.integer();
  launch.a_stride = next.integer();
  launch.c_stride = next.integer();
  if (!has_bias) launch.bias = nullptr;

  auto* widened = static_cast<float*>(range->scratch);
  int64_t widened_row = -1;
  for (uint64_t index = range->begin; index < range->end; ++index) {
    const int64_t row = static_cast<int64_t>(index / range->grid[0]) * kRows;
    const int64_t column = static_cast<int64_t>(index % range->grid[0]) * kColumns;
    const int64_t rows = min(kRows, launch.m - row);
    if (row != widened_row) {
      widen_rows(launch, row, rows, widened);
      widened_row = row;
    }
    group(launch, widened, row, rows, column, min(kColumns, launch.n - column));
  }
}
