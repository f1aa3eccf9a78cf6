// SPDX-License-Identifier: Apache-2.0
#include "halyard_math.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

// FlashDecode on a CPU: one group is one key head of one sequence. The query heads that share it
// are worked on together, so that each key and value is read from memory once, in blocks of
// positions whose scores stay in the first-level cache. Groups of a range that belong to one
// sequence take turns at each block, because their rows lie side by side in the caches.

namespace {

constexpr int64_t kBlock = 64;  // Positions worked on at once.
constexpr int64_t kTile = 4;    // Query heads, positions or vectors of a register tile.
constexpr int64_t kTileDim = kTile * kLanes;
constexpr int64_t kPaddedDim = 64;  // Rows of the scratch are a multiple of this.
// Of one position, for the heads that take turns: two blocks of keys and values must fit a
// second-level cache.
constexpr int64_t kRunBytes = 2048;

// The tensors and sizes of the launch.
struct Launch {
  const T* q;
  const T* k_cache;
  const T* v_cache;
  const int32_t* kv_indptr;
  const int32_t* kv_indices;
  const int32_t* kv_lengths;
  T* output;
  float* lse;
  int64_t num_pages;
  int64_t num_indices;
  int64_t q_heads;
  int64_t kv_heads;
  int64_t head_dim;
  int64_t page_size;
  int64_t q_stride[2];
  int64_t output_stride[2];
  float sm_scale;
};

// Up to kBlock positions of a sequence: their offsets in the caches, masked ones left out. The last
// one is repeated to a whole register tile.
struct Block {
  int64_t count;
  int64_t offsets[kBlock];
};

// The state of one key head in the thread's scratch; rows are padded to whole register tiles.
struct HeadState {
  HeadState(void* memory, int64_t index, int64_t heads, int64_t head_dim)
      : rows(ceil_div(heads, kTile) * kTile),
        width(ceil_div(head_dim, kPaddedDim) * kPaddedDim),
        queries(static_cast<float*>(memory) + index * rows * (2 * width + kBlock + 2)),
        sums(queries + rows * width),
        scores(sums + rows * width),
        maxima(scores + rows * kBlock),
        totals(maxima + rows) {}

  int64_t rows;
  int64_t width;
  float* queries;  // rows x width, scaled.
  float* sums;     // rows x width: weighted values so far.
  float* scores;   // rows x kBlock: scores, then weights, in base 2.
  float* maxima;   // The largest score so far.
  float* totals;   // The sum of weights so far.
};

// Walks the positions of one sequence and leaves out the pages that do not exist.
class Positions {
 public:
  Positions(const Launch& launch, int64_t sequence) : launch_(launch) {
    page_ = max<int64_t>(launch.kv_indptr[sequence], 0);
    const int64_t end = min<int64_t>(launch.kv_indptr[sequence + 1], launch.num_indices);
    left_ = min<int64_t>(launch.kv_lengths[sequence], (end - page_) * launch.page_size);
  }

  void fill(Block& block) {
    int64_t* offsets = block.offsets;
    const int64_t position_stride = launch_.kv_heads * launch_.head_dim;
    int64_t count = 0;
    while (left_ > 0 && count < kBlock) {
      const int64_t run = min(min(launch_.page_size - in_page_, left_), kBlock - count);
      const int64_t page = launch_.kv_indices[page_];
      if (page >= 0 && page < launch_.num_pages) {
        const int64_t first = page * launch_.page_size + in_page_;
        for (int64_t i = 0; i < run; ++i) {
          offsets[count++] = (first + i) * position_stride;
        }
      }
      left_ -= run;
      in_page_ += run;
      if (in_page_ == launch_.page_size) {
        in_page_ = 0;
        ++page_;
      }
    }
    for (int64_t i = count; i % kTile != 0; ++i)
      offsets[i] = offsets[count - 1];
    block.count = count;
  }

 private:
  const Launch& launch_;
  int64_t page_;
  int64_t in_page_ = 0;
  int64_t left_;
};

// Fetches rows of the next block: pages lie anywhere, so the hardware does not see them coming. The
// rows of all heads of the run are one piece of memory; step `step` of `steps` takes its share.
struct Prefetcher {
  const Launch& launch;
  const Block& block;
  int64_t first_head;
  int64_t heads;

  void fetch(const T* cache, int64_t step, int64_t steps) const {
    const int64_t bytes = heads * launch.head_dim * static_cast<int64_t>(sizeof(T));
    const int64_t end = min((step + 1) * kBlock / steps, block.count);
    for (int64_t position = step * kBlock / steps; position < end; ++position) {
      const auto* row = reinterpret_cast<const char*>(cache + block.offsets[position] +
                                                      first_head * launch.head_dim);
      for (int64_t i = 0; i < bytes; i += 64)
        __builtin_prefetch(row + i, 0, 2);
    }
  }
};

void load_queries(const Launch& launch, const T* q, int64_t heads, const HeadState& state) {
  // With log2(e) in the scale the weights are powers of two, and lse comes out in base 2.
  const F32v scale = launch.sm_scale * 1.4426950408889634f;
  const int64_t count = state.rows * state.width;
  for (int64_t i = 0; i < count; ++i)
    state.queries[i] = 0.0f;
  for (int64_t i = 0; i < count; ++i)
    state.sums[i] = 0.0f;
  for (int64_t head = 0; head < heads; ++head) {
    const T* from = q + head * launch.q_stride[1];
    float* to = state.queries + head * state.width;
    for_each_vector(launch.head_dim, [&](int64_t i, auto lanes) {
      store(to + i, load(from + i, lanes) * scale, lanes);
    });
  }
  for (int64_t row = 0; row < state.rows; ++row) {
    state.maxima[row] = -__builtin_inff();
    state.totals[row] = 0.0f;
  }
}

// The scores of kTile heads at kTile positions.
void score_tile(const Launch& launch, const HeadState& state, const T* k_cache,
                const int64_t* offsets, int64_t head, int64_t position) {
  const float* query = state.queries + head * state.width;
  F32v products[kTile * kTile] = {};
  for_each_vector(launch.head_dim, [&](int64_t i, auto lanes) {
    F32v keys[kTile];
#pragma unroll
    for (int64_t p = 0; p < kTile; ++p) {
      keys[p] = load(k_cache + offsets[p] + i, lanes);
    }
#pragma unroll
    for (int64_t h = 0; h < kTile; ++h) {
      const F32v values = load(query + h * state.width + i);
#pragma unroll
      for (int64_t p = 0; p < kTile; ++p) {
        products[h * kTile + p] = fma(values, keys[p], products[h * kTile + p]);
      }
    }
  });
  float tile[kTile * kTile];
  for (int64_t i = 0; i < kTile * kTile; i += kLanes) {
    F32v rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
      rows[lane] = products[i + lane];
    store(tile + i, reduce_rows(rows));
  }
#pragma unroll
  for (int64_t h = 0; h < kTile; ++h) {
    store_raw(state.scores + (head + h) * kBlock + position, load_raw<F32x4>(tile + h * kTile));
  }
}

// Turns the scores of one head into weights relative to the new maximum and rescales what the
// earlier blocks gave.
void weigh(const HeadState& state, int64_t row, int64_t count) {
  float* scores = state.scores + row * kBlock;
  for (int64_t i = count; i < kBlock; ++i)
    scores[i] = -__builtin_inff();
  F32v block_max = state.maxima[row];
  for (int64_t i = 0; i < kBlock; i += kLanes)
    block_max = max(block_max, load(scores + i));
  const float maximum = reduce_max(block_max);
  // While every score is minus infinity, 0 keeps their differences from being NaN.
  const float reference = maximum == -__builtin_inff() ? 0.0f : maximum;
  F32v total = 0.0f;
  for (int64_t i = 0; i < kBlock; i += kLanes) {
    const F32v weights = exp2(load(scores + i) - reference);
    store(scores + i, weights);
    total += weights;
  }
  const float correction = exp2(state.maxima[row] - reference);
  state.totals[row] = state.totals[row] * correction + reduce_add(total);
  state.maxima[row] = maximum;
  float* sums = state.sums + row * state.width;
  for (int64_t i = 0; i < state.width; i += kLanes) {
    store(sums + i, load(sums + i) * F32v(correction));
  }
}

// Adds the weighted values of the block to kTile heads x kTileDim elements.
template <typename Load>
HALYARD_INLINE void accumulate_tile(const HeadState& state, int64_t head, int64_t dim,
                                    int64_t count, Load load_values) {
  F32v sums[kTile][kTile];
#pragma unroll
  for (int64_t h = 0; h < kTile; ++h) {
#pragma unroll
    for (int64_t j = 0; j < kTile; ++j) {
      sums[h][j] = load(state.sums + (head + h) * state.width + dim + j * kLanes);
    }
  }
  for (int64_t p = 0; p < count; ++p) {
    F32v values[kTile];
#pragma unroll
    for (int64_t j = 0; j < kTile; ++j)
      values[j] = load_values(p, dim + j * kLanes);
#pragma unroll
    for (int64_t h = 0; h < kTile; ++h) {
      const F32v weight = state.scores[(head + h) * kBlock + p];
#pragma unroll
      for (int64_t j = 0; j < kTile; ++j)
        sums[h][j] = fma(weight, values[j], sums[h][j]);
    }
  }
#pragma unroll
  for (int64_t h = 0; h < kTile; ++h) {
#pragma unroll
    for (int64_t j = 0; j < kTile; ++j) {
      store(state.sums + (head + h) * state.width + dim + j * kLanes, sums[h][j]);
    }
  }
}

void accumulate(const Launch& launch, const HeadState& state, const T* v_cache, const Block& block,
                const Prefetcher& prefetcher, int64_t index) {
  for (int64_t dim = 0; dim < launch.head_dim; dim += kTileDim) {
    const bool whole = dim + kTileDim <= launch.head_dim;
    for (int64_t head = 0; head < state.rows; head += kTile) {
      const bool first = dim == 0 && head == 0;
      if (whole) {
        accumulate_tile(state, head, dim, block.count, [&](int64_t p, int64_t i) {
          if (first && i == 0) {
            prefetcher.fetch(launch.v_cache, index * kBlock + p, prefetcher.heads * kBlock);
          }
          return load(v_cache + block.offsets[p] + i);
        });
      } else {
        accumulate_tile(state, head, dim, block.count, [&](int64_t p, int64_t i) {
          const int64_t lanes = max<int64_t>(min<int64_t>(launch.head_dim - i, kLanes), 0);
          return load(v_cache + block.offsets[p] + i, FirstLanes{static_cast<int>(lanes)});
        });
      }
    }
  }
}

void write_results(const Launch& launch, const HeadState& state, int64_t heads, T* output,
                   float* lse) {
  for (int64_t head = 0; head < heads; ++head) {
    const float total = state.totals[head];
    const F32v inverse = total == 0.0f ? 0.0f : 1.0f / total;
    const float* sums = state.sums + head * state.width;
    T* to = output + head * launch.output_stride[1];
    for_each_vector(launch.head_dim,
                    [&](int64_t i, auto lanes) { store(to + i, load(sums + i) * inverse, lanes); });
    lse[head] = total == 0.0f ? -__builtin_inff() : state.maxima[head] + log2(total);
  }
}

// Key heads [first_head, first_head + head_count) of one sequence.
void attend(const Launch& launch, int64_t sequence, int64_t first_head, int64_t head_count,
            void* memory) {
  const int64_t shared = launch.q_heads / launch.kv_heads;
  const T* q = launch.q + sequence * launch.q_stride[0];
  T* output = launch.output + sequence * launch.output_stride[0];
  for (int64_t index = 0; index < head_count; ++index) {
    const HeadState state(memory, index, shared, launch.head_dim);
    load_queries(launch, q + (first_head + index) * shared * launch.q_stride[1], shared, state);
  }

  Positions positions(launch, sequence);
  Block blocks[2];
  positions.fill(blocks[0]);
  for (int64_t turn = 0; blocks[turn].count > 0; turn ^= 1) {
    const Block& block = blocks[turn];
    positions.fill(blocks[turn ^ 1]);
    const Prefetcher prefetcher{launch, blocks[turn ^ 1], first_head, head_count};
    for (int64_t index = 0; index < head_count; ++index) {
      const HeadState state(memory, index, shared, launch.head_dim);
      const int64_t offset = (first_head + index) * launch.head_dim;
      for (int64_t position = 0; position < block.count; position += kTile) {
        prefetcher.fetch(launch.k_cache, (index * kBlock + position) / kTile,
                         head_count * kBlock / kTile);
        for (int64_t head = 0; head < state.rows; head += kTile) {
          score_tile(launch, state, launch.k_cache + offset, block.offsets + position, head,
                     position);
        }
      }
      for (int64_t row = 0; row < state.rows; ++row)
        weigh(state, row, block.count);
      accumulate(launch, state, launch.v_cache + offset, block, prefetcher, index);
    }
  }

  for (int64_t index = 0; index < head_count; ++index) {
    const HeadState state(memory, index, shared, launch.head_dim);
    const int64_t head = (first_head + index) * shared;
    write_results(launch, state, shared, output + head * launch.output_stride[1],
                  launch.lse + sequence * launch.q_heads + head);
  }
}

}  // namespace

HALYARD_ENTRY(attention_decode_paged) {
  Arguments next(arguments);
  Launch launch;
  launch.q = next.pointer<const T>();
  launch.k_cache = next.pointer<const T>();
  launch.v_cache = next.pointer<const T>();
  launch.kv_indptr = next.pointer<const int32_t>();
  launch.kv_indices = next.pointer<const int32_t>();
  launch.kv_lengths = next.pointer<const int32_t>();
  launch.output = next.pointer<T>();
  launch.lse = next.pointer<float>();
  launch.num_pages = next.integer();
  launch.num_indices = next.integer();
  launch.q_heads = next.integer();
  launch.kv_heads = next.integer();
  launch.head_dim = next.integer();
  launch.page_size = next.integer();
  for (int64_t& stride : launch.q_stride)
    stride = next.integer();
  for (int64_t& stride : launch.output_stride)
    stride = next.integer();
  launch.sm_scale = next.f32();

  const int64_t row_bytes = launch.head_dim * static_cast<int64_t>(sizeof(T));
  const int64_t together = max<int64_t>(kRunBytes / row_bytes, 1);
  int64_t group = static_cast<int64_t>(range->begin);
  const int64_t end = static_cast<int64_t>(range->end);
  while (group < end) {
    const int64_t head = group % launch.kv_heads;
    const int64_t count = min(min(launch.kv_heads - head, end - group), together);
    attend(launch, group / launch.kv_heads, head, count, range->scratch);
    group += count;
  }
}
