// SPDX-License-Identifier: Apache-2.0
#include "halyard_vector.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

// Rotates the pairs (2i, 2i + 1) of one head.
HALYARD_INLINE void rotate(const T* from, T* to, const float* cosines, int64_t half) {
  const float* sines = cosines + half;
  for (int64_t i = 0; i < half; ++i) {
    const float first = to_f32(from[2 * i]);
    const float second = to_f32(from[2 * i + 1]);
    to[2 * i] = from_f32<T>(first * cosines[i] - second * sines[i]);
    to[2 * i + 1] = from_f32<T>(second * cosines[i] + first * sines[i]);
  }
}

}  // namespace

// One group is one head of one token: grid x runs over the heads of q, then over those of k.
// The outputs may be the inputs: both elements of a pair are read before either is written.
HALYARD_ENTRY(rope) {
  Arguments next(arguments);
  const auto* q = next.pointer<const T>();
  const auto* k = next.pointer<const T>();
  const auto* cos_sin_cache = next.pointer<const float>();
  const auto* positions = next.pointer<const int64_t>();
  auto* q_out = next.pointer<T>();
  auto* k_out = next.pointer<T>();
  const int64_t max_positions = next.integer();
  const int64_t q_heads = next.integer();
  const int64_t kv_heads = next.integer();
  const int64_t head_dim = next.integer();
  const int64_t rotary_dim = next.integer();
  const int64_t q_token_stride = next.integer();
  const int64_t q_head_stride = next.integer();
  const int64_t k_token_stride = next.integer();
  const int64_t k_head_stride = next.integer();
  const int64_t q_out_token_stride = next.integer();
  const int64_t q_out_head_stride = next.integer();
  const int64_t k_out_token_stride = next.integer();
  const int64_t k_out_head_stride = next.integer();

  const int64_t heads = q_heads + kv_heads;
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t token = static_cast<int64_t>(group) / heads;
    const int64_t head = static_cast<int64_t>(group) % heads;
    const T* from;
    T* to;
    if (head < q_heads) {
      from = q + token * q_token_stride + head * q_head_stride;
      to = q_out + token * q_out_token_stride + head * q_out_head_stride;
    } else {
      from = k + token * k_token_stride + (head - q_heads) * k_head_stride;
      to = k_out + token * k_out_token_stride + (head - q_heads) * k_out_head_stride;
    }

    const int64_t position = positions[token];
    const bool known = position >= 0 && position < max_positions;
    const int64_t rotated = known ? rotary_dim : 0;
    if (known) rotate(from, to, cos_sin_cache + position * rotary_dim, rotary_dim / 2);
    if (to != from) {
      for (int64_t i = rotated; i < head_dim; ++i)
        to[i] = from[i];
    }
  }
}
