// SPDX-License-Identifier: Apache-2.0
#include "halyard_matrix.h"
#include "halyard_wave.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;
using Tile = MatrixTile<T>;

namespace {

constexpr int kLanes = 128;
constexpr int kWaves = kLanes / kWaveLanes;
constexpr int kHeads = HALYARD_PARAM_HEADS;  // Query heads of one key head, of a workgroup.
constexpr int kPositions = 64;               // Of a step.
constexpr int kMaxHeadDim = 256;             // As kernel.json says.
constexpr int kDimsOfLane = kMaxHeadDim / kLanes;
constexpr int kLanesOfHead = kLanes / kHeads;  // That weigh its scores.
constexpr int kScoresOfLane = kPositions / kLanesOfHead;
constexpr int kQueryStride = kMaxHeadDim + 8;  // Keeps rows out of each other's banks.
static_assert(kHeads <= 16 && kLanesOfHead <= 16 && kScoresOfLane >= 1);

struct Attention {
  const T* q;
  const T* k_cache;
  const T* v_cache;
  const int32_t* kv_indices;
  T* output;
  float* lse;
  int64_t q_stride_1;
  int64_t output_stride_1;
  int64_t row;  // Elements from one position of the caches to the next.
  uint32_t num_pages;
  uint32_t head_dim;
  uint32_t page_size;
  float scale;  // To units of log2.
};

struct Shared {
  alignas(16) T queries[16][kQueryStride];
  alignas(16) float scores[kHeads][kPositions + 4];
  alignas(16) float weights[kPositions][kHeads];
  int64_t offsets[kPositions];  // Where the key and the value begin; below 0: masked.
  float corrections[kHeads];
  float sums[kHeads];
};

// Rows past `heads` are 0.
HALYARD_DEVICE void load_queries(const Attention& a, uint32_t heads, Shared& shared) {
  for (uint32_t n = static_cast<uint32_t>(thread_index()); n < 16 * a.head_dim; n += kLanes) {
    const uint32_t head = n / a.head_dim;
    const uint32_t i = n % a.head_dim;
    T value = {};
    if (head < heads) value = a.q[head * a.q_stride_1 + i];
    shared.queries[head][i] = value;
  }
}

HALYARD_DEVICE void find_positions(const Attention& a, uint32_t kv_head, uint32_t first,
                                   uint32_t count, Shared& shared) {
  if (thread_index() >= kPositions) return;
  const uint32_t position = first + static_cast<uint32_t>(thread_index());
  int64_t offset = -1;
  if (position < count) {
    const auto page = static_cast<uint32_t>(a.kv_indices[position / a.page_size]);
    const int64_t place = int64_t{page} * a.page_size + position % a.page_size;
    if (page < a.num_pages) offset = place * a.row + kv_head * a.head_dim;
  }
  shared.offsets[thread_index()] = offset;
}

// Products of all queries with 16 positions at a time, by matrix instructions.
HALYARD_DEVICE void score_positions(const Attention& a, Shared& shared) {
  for (int first = wave_index() * 16; first < kPositions; first += kWaves * 16) {
    const int64_t offset = shared.offsets[first + Tile::operand_row()];
    const T* key = a.k_cache + offset + Tile::first_k();
    Tile::Sums sums = {};
    for (uint32_t i = 0; i < a.head_dim; i += 16) {
      Tile::Operand keys = {};
      if (offset >= 0) keys = *reinterpret_cast<const Tile::Operand*>(key + i);
      Tile::multiply_add(Tile::load(&shared.queries[0][i], kQueryStride), keys, sums);
    }
#pragma unroll
    for (int s = 0; s < Tile::kSums; ++s) {
      const int head = Tile::first_row() + s * Tile::kRowStep;
      if (head < kHeads) shared.scores[head][first + Tile::column()] = sums[s] * a.scale;
    }
  }
}

template <typename Combine>
HALYARD_DEVICE float head_reduce(float value, Combine combine) {
  value = combine(value, shuffle_xor<1>(value));
  value = combine(value, shuffle_xor<2>(value));
  value = combine(value, shuffle_xor<4>(value));
  if constexpr (kLanesOfHead == 16) value = combine(value, shuffle_xor<8>(value));
  return value;
}

struct Softmax {
  float largest = -kInfinity;
  float sum = 0.0f;
};

// Each head's lanes turn its scores into weights. A position that is masked, or whose score is
// minus infinity, has weight 0.
HALYARD_DEVICE void weigh(Softmax& softmax, Shared& shared) {
  const int head = thread_index() / kLanesOfHead;
  const int part = thread_index() % kLanesOfHead;
  float scores[kScoresOfLane];
  float largest = softmax.largest;
#pragma unroll
  for (int i = 0; i < kScoresOfLane; ++i) {
    const int position = part + i * kLanesOfHead;
    scores[i] = shared.offsets[position] < 0 ? -kInfinity : shared.scores[head][position];
    largest = larger(largest, scores[i]);
  }
  largest = head_reduce(largest, [](float x, float y) { return larger(x, y); });
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kScoresOfLane; ++i) {
    const float power = fast_exp2(scores[i] - largest);
    const float weight = scores[i] == -kInfinity ? 0.0f : power;
    shared.weights[part + i * kLanesOfHead][head] = weight;
    sum += weight;
  }
  sum = head_reduce(sum, [](float x, float y) { return x + y; });
  const float power = fast_exp2(softmax.largest - largest);
  const float correction = softmax.largest == largest ? 1.0f : power;
  softmax.sum = fma(softmax.sum, correction, sum);
  softmax.largest = largest;
  if (part == 0) shared.corrections[head] = correction;
}

struct Values {
  float at[kHeads][kDimsOfLane] = {};
};

HALYARD_DEVICE void add_values(const Attention& a, const Shared& shared, Values& values) {
#pragma unroll
  for (int h = 0; h < kHeads; ++h) {
#pragma unroll
    for (int d = 0; d < kDimsOfLane; ++d)
      values.at[h][d] *= shared.corrections[h];
  }
  for (int position = 0; position < kPositions; ++position) {
    const int64_t offset = shared.offsets[position];
    if (offset < 0) continue;
#pragma unroll
    for (int d = 0; d < kDimsOfLane; ++d) {
      const auto dim = static_cast<uint32_t>(thread_index() + d * kLanes);
      if (dim >= a.head_dim) break;
      const float value = to_f32(a.v_cache[offset + dim]);
#pragma unroll
      for (int h = 0; h < kHeads; ++h)
        values.at[h][d] = fma(shared.weights[position][h], value, values.at[h][d]);
    }
  }
}

HALYARD_DEVICE void store(const Attention& a, const Shared& shared, const Values& values,
                          uint32_t heads) {
#pragma unroll
  for (int h = 0; h < kHeads; ++h) {
    if (static_cast<uint32_t>(h) >= heads) break;
    const float sum = shared.sums[h];
#pragma unroll
    for (int d = 0; d < kDimsOfLane; ++d) {
      const auto dim = static_cast<uint32_t>(thread_index() + d * kLanes);
      const float value = sum == 0.0f ? 0.0f : values.at[h][d] / sum;
      if (dim < a.head_dim) a.output[h * a.output_stride_1 + dim] = from_f32<T>(value);
    }
  }
}

// Heads from the first of a.q on, over `count` positions.
HALYARD_DEVICE void attend(const Attention& a, uint32_t kv_head, uint32_t heads, uint32_t count,
                           Shared& shared) {
  load_queries(a, heads, shared);
  Softmax softmax;
  Values values;
  for (uint32_t first = 0; first < count; first += kPositions) {
    find_positions(a, kv_head, first, count, shared);
    barrier();  // Also: the queries are there.
    score_positions(a, shared);
    barrier();
    weigh(softmax, shared);
    barrier();
    add_values(a, shared, values);
    barrier();  // Offsets and weights are read before the next ones come.
  }
  const uint32_t head = static_cast<uint32_t>(thread_index()) / kLanesOfHead;
  if (thread_index() % kLanesOfHead == 0) {
    shared.sums[head] = softmax.sum;
    const float total = softmax.largest + log2(softmax.sum);
    if (head < heads) a.lse[head] = softmax.sum == 0.0f ? -kInfinity : total;
  }
  barrier();
  store(a, shared, values, heads);
  barrier();  // The sums are read before the next heads' come.
}

}  // namespace

// A workgroup computes the query heads of one key head of one sequence, up to kHeads at a time:
// scores by matrix instructions, values by multiply-adds, since rounding weights to T would lose
// more than the contract allows.
HALYARD_ENTRY(attention_decode_paged_matrix, kLanes)
(const T* q, const T* k_cache, const T* v_cache, const int32_t* kv_indptr,
 const int32_t* kv_indices, const int32_t* kv_lengths, T* output, float* lse, int64_t q_stride_0,
 int64_t q_stride_1, int64_t output_stride_0, int64_t output_stride_1, uint32_t batch,
 uint32_t num_pages, uint32_t num_indices, uint32_t q_heads, uint32_t kv_heads, uint32_t head_dim,
 uint32_t page_size, float sm_scale) {
  HALYARD_SHARED Shared shared;
  const uint32_t heads_of_kv_head = q_heads / kv_heads;
  for (uint32_t sequence = group_y(); sequence < batch; sequence += group_count(1)) {
    const int32_t begin = max(kv_indptr[sequence], 0);
    const int32_t end = min(kv_indptr[sequence + 1], static_cast<int32_t>(num_indices));
    const uint64_t room = static_cast<uint64_t>(max(end - begin, 0)) * page_size;
    const auto length = static_cast<uint64_t>(max(kv_lengths[sequence], 0));
    const auto count = static_cast<uint32_t>(min(length, room));
    for (uint32_t kv_head = group_x(); kv_head < kv_heads; kv_head += group_count(0)) {
      for (uint32_t h = 0; h < heads_of_kv_head; h += kHeads) {
        const uint32_t head = kv_head * heads_of_kv_head + h;
        const Attention attention = {
            q + sequence * q_stride_0 + head * q_stride_1,
            k_cache,
            v_cache,
            kv_indices + begin,
            output + sequence * output_stride_0 + head * output_stride_1,
            lse + uint64_t{sequence} * q_heads + head,
            q_stride_1,
            output_stride_1,
            int64_t{kv_heads} * head_dim,
            num_pages,
            head_dim,
            page_size,
            sm_scale * kLog2E,
        };
        attend(attention, kv_head, min<uint32_t>(kHeads, heads_of_kv_head - h), count, shared);
      }
    }
  }
}
