// SPDX-License-Identifier: Apache-2.0
#include "halyard_math.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

// FlashDecode on a CPU: one group is one key head of one sequence. The query heads that share it
// are worked on together, so that each key and value is read from memory once, in blocks of
// positions whose scores stay in the first-level cache.

namespace {

constexpr int64_t kBlock = 64;  // Positions worked on at once.
constexpr int64_t kTile = 4;    // Query heads, positions or vectors of a register tile.
constexpr int64_t kTileDim = kTile * kLanes;
constexpr int64_t kPaddedDim = 64;  // Rows of the scratch are a multiple of this.

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
  int64_t* offsets;
};

// The state of one group in the thread's scratch; rows are padded to whole register tiles.
struct Scratch {
  Scratch(void* memory, int64_t heads, int64_t head_dim)
      : rows(ceil_div(heads, kTile) * kTile),
        width(ceil_div(head_dim, kPaddedDim) * kPaddedDim),
        blocks{{0, static_cast<int64_t*>(memory)}, {0, static_cast<int64_t*>(memory) + kBlock}},
        queries(reinterpret_cast<float*>(blocks[1].offsets + kBlock)),
        sums(queries + rows * width),
        scores(sums + rows * width),
        maxima(scores + rows * kBlock),
        totals(maxima + rows) {}

  int64_t rows;
  int64_t width;
  Block blocks[2];  // The present one and the next.
  float* queries;   // rows x width, scaled.
  float* sums;      // rows x width: weighted values so far.
  float* scores;    // rows x kBlock: scores, then weights, in base 2.
  float* maxima;    // The largest score so far.
  float* totals;    // The sum of weights so far.
};

// Walks the positions of one sequence and leaves out the pages that do not exist.
class Positions {
 public:
  Positions(const Launch& launch, int64_t sequence, int64_t kv_head)
      : launch_(launch),
        head_offset_(kv_head * launch.head_dim) {
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
          offsets[count++] = (first + i) * position_stride + head_offset_;
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
  int64_t head_offset_;
  int64_t page_;
  int64_t in_page_ = 0;
  int64_t left_;
};

// Fetches the rows of one position of the next block: pages lie anywhere, so the hardware does not
// see them coming.
HALYARD_INLINE void prefetch_row(const Launch& launch, const T* cache, const Block& block,
                                 int64_t position) {
  if (position >= block.count) return;
  const auto* row = reinterpret_cast<const char*>(cache + block.offsets[position]);
  const int64_t bytes = launch.head_dim * static_cast<int64_t>(sizeof(T));
  for (int64_t i = 0; i < bytes; i += 64)
    __builtin_prefetch(row + i, 0, 2);
}

void load_queries(const Launch& launch, const T* q, int64_t heads, Scratch& scratch) {
  // With log2(e) in the scale the weights are powers of two, and lse comes out in base 2.
  const F32v scale = launch.sm_scale * 1.4426950408889634f;
  const int64_t count = scratch.rows * scratch.width;
  for (int64_t i = 0; i < count; ++i)
    scratch.queries[i] = 0.0f;
  for (int64_t i = 0; i < count; ++i)
    scratch.sums[i] = 0.0f;
  for (int64_t head = 0; head < heads; ++head) {
    const T* from = q + head * launch.q_stride[1];
    float* to = scratch.queries + head * scratch.width;
    for_each_vector(launch.head_dim, [&](int64_t i, auto lanes) {
      store(to + i, load(from + i, lanes) * scale, lanes);
    });
  }
  for (int64_t row = 0; row < scratch.rows; ++row) {
    scratch.maxima[row] = -__builtin_inff();
    scratch.totals[row] = 0.0f;
  }
}

// The scores of kTile heads at kTile positions.
void score_tile(const Launch& launch, const Scratch& scratch, const Block& block, int64_t head,
                int64_t position) {
  const float* query = scratch.queries + head * scratch.width;
  F32v products[kTile * kTile] = {};
  for_each_vector(launch.head_dim, [&](int64_t i, auto lanes) {
    F32v keys[kTile];
#pragma unroll
    for (int64_t p = 0; p < kTile; ++p) {
      keys[p] = load(launch.k_cache + block.offsets[position + p] + i, lanes);
    }
#pragma unroll
    for (int64_t h = 0; h < kTile; ++h) {
      const F32v values = load(query + h * scratch.width + i);
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
    store_raw(scratch.scores + (head + h) * kBlock + position, load_raw<F32x4>(tile + h * kTile));
  }
}

// Turns the scores of one head into weights relative to the new maximum and rescales what the
// earlier blocks gave.
void weigh(const Scratch& scratch, int64_t row, int64_t count) {
  float* scores = scratch.scores + row * kBlock;
  for (int64_t i = count; i < kBlock; ++i)
    scores[i] = -__builtin_inff();
  F32v block_max = scratch.maxima[row];
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
  const float correction = exp2(scratch.maxima[row] - reference);
  scratch.totals[row] = scratch.totals[row] * correction + reduce_add(total);
  scratch.maxima[row] = maximum;
  float* sums = scratch.sums + row * scratch.width;
  for (int64_t i = 0; i < scratch.width; i += kLanes) {
    store(sums + i, load(sums + i) * F32v(correction));
  }
}

// Adds the weighted values of the block to kTile heads x kTileDim elements.
template <typename Load>
HALYARD_INLINE void accumulate_tile(const Scratch& scratch, int64_t head, int64_t dim,
                                    int64_t count, Load load_values) {
  F32v sums[kTile][kTile];
#pragma unroll
  for (int64_t h = 0; h < kTile; ++h) {
#pragma unroll
    for (int64_t j = 0; j < kTile; ++j) {
      sums[h][j] = load(scratch.sums + (head + h) * scratch.width + dim + j * kLanes);
    }
  }
  for (int64_t p = 0; p < count; ++p) {
    F32v values[kTile];
#pragma unroll
    for (int64_t j = 0; j < kTile; ++j)
      values[j] = load_values(p, dim + j * kLanes);
#pragma unroll
    for (int64_t h = 0; h < kTile; ++h) {
      const F32v weight = scratch.scores[(head + h) * kBlock + p];
#pragma unroll
      for (int64_t j = 0; j < kTile; ++j)
        sums[h][j] = fma(weight, values[j], sums[h][j]);
    }
  }
#pragma unroll
  for (int64_t h = 0; h < kTile; ++h) {
#pragma unroll
    for (int64_t j = 0; j < kTile; ++j) {
      store(scratch.sums + (head + h) * scratch.width + dim + j * kLanes, sums[h][j]);
    }
  }
}

void accumulate(const Launch& launch, const Scratch& scratch, const Block& block,
                const Block& next) {
  for (int64_t dim = 0; dim < launch.head_dim; dim += kTileDim) {
    const bool whole = dim + kTileDim <= launch.head_dim;
    for (int64_t head = 0; head < scratch.rows; head += kTile) {
      if (whole) {
        accumulate_tile(scratch, head, dim, block.count, [&](int64_t p, int64_t i) {
          if (i == 0 && head == 0) prefetch_row(launch, launch.v_cache, next, p);
          return load(launch.v_cache + block.offsets[p] + i);
        });
      } else {
        accumulate_tile(scratch, head, dim, block.count, [&](int64_t p, int64_t i) {
          const int64_t lanes = max<int64_t>(min<int64_t>(launch.head_dim - i, kLanes), 0);
          return load(launch.v_cache + block.offsets[p] + i, FirstLanes{static_cast<int>(lanes)});
        });
      }
    }
  }
}

void write_results(const Launch& launch, const Scratch& scratch, int64_t heads, T* output,
                   float* lse) {
  for (int64_t head = 0; head < heads; ++head) {
    const float total = scratch.totals[head];
    const F32v inverse = total == 0.0f ? 0.0f : 1.0f / total;
    const float* sums = scratch.sums + head * scratch.width;
    T* to = output + head * launch.output_stride[1];
    for_each_vector(launch.head_dim,
                    [&](int64_t i, auto lanes) { store(to + i, load(sums + i) * inverse, lanes); });
    lse[head] = total == 0.0f ? -__builtin_inff() : scratch.maxima[head] + log2(total);
  }
}

void attend(const Launch& launch, int64_t sequence, int64_t kv_head, void* memory) {
  const int64_t heads = launch.q_heads / launch.kv_heads;
  const int64_t first_head = kv_head * heads;
  Scratch scratch(memory, heads, launch.head_dim);
  load_queries(launch, launch.q + sequence * launch.q_stride[0] + first_head * launch.q_stride[1],
               heads, scratch);
  Positions positions(launch, sequence, kv_head);
  positions.fill(scratch.blocks[0]);
  for (int64_t turn = 0; scratch.blocks[turn].count > 0; turn ^= 1) {
    const Block& block = scratch.blocks[turn];
    const Block& next = scratch.blocks[turn ^ 1];
    positions.fill(scratch.blocks[turn ^ 1]);
    for (int64_t position = 0; position < block.count; position += kTile) {
      for (int64_t i = 0; i < kTile; ++i)
        prefetch_row(launch, launch.k_cache, next, position + i);
      for (int64_t head = 0; head < scratch.rows; head += kTile) {
        score_tile(launch, scratch, block, head, position);
      }
    }
    for (int64_t row = 0; row < scratch.rows; ++row)
      weigh(scratch, row, block.count);
    accumulate(launch, scratch, block, next);
  }
  write_results(
      launch, scratch, heads,
      launch.output + sequence * launch.output_stride[0] + first_head * launch.output_stride[1],
      launch.lse + sequence * launch.q_heads + first_head);
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

  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t index = static_cast<int64_t>(group);
    attend(launch, index / launch.kv_heads, index % launch.kv_heads, range->scratch);
  }
}
