// SPDX-License-Identifier: Apache-2.0
#include "halyard_types.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr uint32_t kLanes = HALYARD_PARAM_LANES;

// A lane rotates one pair, element i with i + rotary_dim / 2, or copies one element past
// rotary_dim. `angles` has the cosines, then the sines; null where the token is not rotated.
HALYARD_DEVICE void rotate_head(const T* from, T* to, const float* angles, uint32_t head_dim,
                                uint32_t half) {
  for (auto i = static_cast<uint32_t>(thread_index()); i < head_dim - half; i += kLanes) {
    if (i >= half) {
      to[i + half] = from[i + half];
      continue;
    }
    const uint32_t first = i;
    const uint32_t second = i + half;
    T a = from[first];
    T b = from[second];
    if (angles != nullptr) {
      const float cosine = angles[i];
      const float sine = angles[half + i];
      const float x = to_f32(a);
      const float y = to_f32(b);
      a = from_f32<T>(x * cosine - y * sine);
      b = from_f32<T>(y * cosine + x * sine);
    }
    to[first] = a;
    to[second] = b;
  }
}

}  // namespace

// The first dimension of the grid goes over tokens, the second over the heads of q, then of k. A
// lane reads all that it needs before it writes, so the outputs may be the inputs.
HALYARD_ENTRY(rope, kLanes)
(const T* q, const T* k, const float* cos_sin_cache, const int64_t* positions, T* q_out, T* k_out,
 int64_t q_stride_0, int64_t q_stride_1, int64_t k_stride_0, int64_t k_stride_1,
 int64_t q_out_stride_0, int64_t q_out_stride_1, int64_t k_out_stride_0, int64_t k_out_stride_1,
 uint32_t tokens, uint32_t max_positions, uint32_t q_heads, uint32_t kv_heads, uint32_t head_dim,
 uint32_t rotary_dim) {
  for (uint32_t token = group_x(); token < tokens; token += group_count(0)) {
    const auto position = static_cast<uint64_t>(positions[token]);  // below 0: none of the table
    const float* angles =
        position < max_positions ? cos_sin_cache + position * rotary_dim : nullptr;
    for (uint32_t head = group_y(); head < q_heads + kv_heads; head += group_count(1)) {
      if (head < q_heads) {
        rotate_head(q + token * q_stride_0 + head * q_stride_1,
                    q_out + token * q_out_stride_0 + head * q_out_stride_1, angles, head_dim,
                    rotary_dim / 2);
      } else {
        const uint32_t kv_head = head - q_heads;
        rotate_head(k + token * k_stride_0 + kv_head * k_stride_1,
                    k_out + token * k_out_stride_0 + kv_head * k_out_stride_1, angles, head_dim,
                    rotary_dim / 2);
      }
    }
  }
}
