// SPDX-License-Identifier: Apache-2.0
#include "halyard_wave.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;
constexpr int kWaves = kLanes / kWaveLanes;
constexpr int kHeads = 4;           // Query heads of one key head that a wave computes at once.
constexpr int kElementsOfLane = 8;  // Of a head; kernel.json bounds head_dim by it.

struct Attention {
  const T* q;
  const T* k_cache;
  const T* v_cache;
  const int32_t* kv_indptr;
  const int32_t* kv_indices;
  const int32_t* kv_lengths;
  T* output;
  float* lse;
  int64_t q_stride_0;
  int64_t q_stride_1;
  int64_t output_stride_0;
  int64_t output_stride_1;
  uint32_t num_pages;
  uint32_t q_heads;
  uint32_t kv_heads;
  uint32_t head_dim;
  uint32_t page_size;
  float sm_scale;
};

// What a wave computes: some query heads of one sequence that share a key head.
struct Unit {
  uint32_t sequence;
  uint32_t kv_head;
  uint32_t first_head;
  uint32_t head_end;
};

struct Softmax {
  float largest = -kInfinity;  // In units of log2, as all scores.
  float sum = 0.0f;

  // Adds a score: gives the weight of its value, and what the sums so far are to be multiplied by.
  HALYARD_MEMBER float add(float score, float& correction) {
    const float difference = score == largest ? 0.0f : score - largest;
    const float power = fast_exp2(-abs(difference));
    const bool is_larger = score > largest;
    float weight = is_larger ? 1.0f : power;
    if (abs(score) == kInfinity) weight = is_larger ? __builtin_nanf("") : 0.0f;
    correction = is_larger ? power : 1.0f;
    largest = is_larger ? score : largest;
    sum = fma(sum, correction, weight);
    return weight;
  }
};

// A lane has `Chunks` times N neighbouring elements of a head.
template <int N>
struct Wave {
  static constexpr int kChunks = kElementsOfLane / N;

  const Attention& a;
  const uint32_t lane;
  float query[kHeads][kElementsOfLane];
  float sums[kHeads][kElementsOfLane] = {};
  Softmax softmax[kHeads] = {};

  HALYARD_MEMBER uint32_t element(int chunk) const { return (lane + chunk * kWaveLanes) * N; }

  HALYARD_MEMBER void load_queries(const Unit& unit) {
#pragma unroll
    for (int h = 0; h < kHeads; ++h) {
      const uint32_t head = min(unit.first_head + h, unit.head_end - 1);
      const T* row = a.q + unit.sequence * a.q_stride_0 + head * a.q_stride_1;
#pragma unroll
      for (int i = 0; i < kElementsOfLane; ++i) {
        const uint32_t at = element(i / N) + i % N;
        query[h][i] = at < a.head_dim ? to_f32(row[at]) * (a.sm_scale * kLog2E) : 0.0f;
      }
    }
  }

  HALYARD_MEMBER void load_row(const T* row, float (&values)[kElementsOfLane]) {
#pragma unroll
    for (int c = 0; c < kChunks; ++c) {
      Pack<T, N> pack = {};
      if (element(c) < a.head_dim) pack = load_pack<N>(row + element(c));
#pragma unroll
      for (int j = 0; j < N; ++j)
        values[c * N + j] = to_f32(pack.at[j]);
    }
  }

  HALYARD_MEMBER void add_position(int64_t offset) {
    float values[kElementsOfLane];
    load_row(a.k_cache + offset, values);
    float weights[kHeads];
    float corrections[kHeads];
#pragma unroll
    for (int h = 0; h < kHeads; ++h) {
      float product = 0.0f;
#pragma unroll
      for (int i = 0; i < kElementsOfLane; ++i)
        product = fma(values[i], query[h][i], product);
      weights[h] = softmax[h].add(wave_sum(product), corrections[h]);
    }
    load_row(a.v_cache + offset, values);
#pragma unroll
    for (int h = 0; h < kHeads; ++h) {
#pragma unroll
      for (int i = 0; i < kElementsOfLane; ++i)
        sums[h][i] = fma(values[i], weights[h], sums[h][i] * corrections[h]);
    }
  }

  HALYARD_MEMBER void add_positions(const Unit& unit) {
    const int32_t begin = max(a.kv_indptr[unit.sequence], 0);
    const int32_t end = a.kv_indptr[unit.sequence + 1];
    auto rest = static_cast<uint32_t>(max(a.kv_lengths[unit.sequence], 0));
    const int64_t row = int64_t{a.kv_heads} * a.head_dim;
    for (int32_t p = begin; p < end && rest > 0; ++p) {
      const auto page = static_cast<uint32_t>(a.kv_indices[p]);  // below 0: none of the cache
      const uint32_t positions = min(rest, a.page_size);
      rest -= positions;
      if (page >= a.num_pages) continue;
      int64_t offset = int64_t{page} * a.page_size * row + unit.kv_head * a.head_dim;
      for (uint32_t i = 0; i < positions; ++i, offset += row)
        add_position(offset);
    }
  }

  HALYARD_MEMBER void store(const Unit& unit) {
    const uint32_t sequence = opaque(unit.sequence);
#pragma unroll
    for (int h = 0; h < kHeads; ++h) {
      const uint32_t head = unit.first_head + h;
      if (head >= unit.head_end) break;
      const bool is_empty = softmax[h].sum == 0.0f;
      const float factor = 1.0f / softmax[h].sum;
      T* row = a.output + sequence * a.output_stride_0 + head * a.output_stride_1;
#pragma unroll
      for (int i = 0; i < kElementsOfLane; ++i) {
        const uint32_t at = element(i / N) + i % N;
        const float value = is_empty ? 0.0f : sums[h][i] * factor;
        if (at < a.head_dim) row[at] = from_f32<T>(value);
      }
      const float total = softmax[h].largest + log2(softmax[h].sum);
      if (lane == 0) {
        a.lse[uint64_t{sequence} * a.q_heads + head] = is_empty ? -kInfinity : total;
      }
    }
  }
};

template <int N>
HALYARD_DEVICE void attend(const Attention& attention, const Unit& unit) {
  // Or what every unit asks of its lane is kept for both kinds of wave at once.
  Wave<N> wave = {attention, opaque_in_lanes(static_cast<uint32_t>(thread_index())) % kWaveLanes};
  wave.load_queries(unit);
  wave.add_positions(unit);
  wave.store(unit);
}

}  // namespace

// A wave computes up to four query heads of one sequence that share a key head, position after
// position, its lanes dividing the elements of a head among them.
HALYARD_ENTRY(attention_decode_paged, kLanes)
(const T* q, const T* k_cache, const T* v_cache, const int32_t* kv_indptr,
 const int32_t* kv_indices, const int32_t* kv_lengths, T* output, float* lse, int64_t q_stride_0,
 int64_t q_stride_1, int64_t output_stride_0, int64_t output_stride_1, uint32_t batch,
 uint32_t num_pages, uint32_t q_heads, uint32_t kv_heads, uint32_t head_dim, uint32_t page_size,
 float sm_scale) {
  const Attention attention = {
      q,         k_cache, v_cache,    kv_indptr,  kv_indices,      kv_lengths,
      output,    lse,     q_stride_0, q_stride_1, output_stride_0, output_stride_1,
      num_pages, q_heads, kv_heads,   head_dim,   page_size,       sm_scale};
  const uint32_t heads_of_kv_head = q_heads / kv_heads;
  const uint32_t units_of_kv_head = (heads_of_kv_head + kHeads - 1) / kHeads;
  const uint32_t units = kv_heads * units_of_kv_head;  // Of a sequence.
  for (uint32_t sequence = group_y(); sequence < batch; sequence += group_count(1)) {
    uint32_t n = group_x() * kWaves + static_cast<uint32_t>(wave_index());
    for (; n < units; n += group_count(0) * kWaves) {
      const uint32_t kv_head = n / units_of_kv_head;
      const uint32_t first_head = kv_head * heads_of_kv_head + n % units_of_kv_head * kHeads;
      const Unit unit = {sequence, kv_head, first_head,
                         min(first_head + kHeads, (kv_head + 1) * heads_of_kv_head)};
      if (head_dim % 4 == 0) {
        attend<4>(attention, unit);
      } else {
        attend<1>(attention, unit);
      }
    }
  }
}
