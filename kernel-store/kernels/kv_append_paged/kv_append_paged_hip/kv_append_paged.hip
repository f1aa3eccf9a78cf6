// SPDX-License-Identifier: Apache-2.0
#include "halyard_types.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;

// The heads of one token, one after the other in the cache.
template <int N>
HALYARD_DEVICE void copy_heads(const T* from, int64_t head_stride, T* to, uint32_t kv_heads,
                               uint32_t head_dim) {
  const uint32_t packs = head_dim / N;
  for (uint32_t n = static_cast<uint32_t>(thread_index()); n < kv_heads * packs; n += kLanes) {
    const uint32_t head = n / packs;
    const uint32_t i = n % packs * N;
    store_pack<N>(to + head * head_dim + i, load_pack<N>(from + head * head_stride + i));
  }
}

}  // namespace

// A workgroup copies one token, and those a whole grid further on.
HALYARD_ENTRY(kv_append_paged, kLanes)
(const T* k, const T* v, const int64_t* slots, T* k_cache, T* v_cache, int64_t slot_count,
 int64_t k_stride_0, int64_t k_stride_1, int64_t v_stride_0, int64_t v_stride_1, uint32_t tokens,
 uint32_t kv_heads, uint32_t head_dim) {
  constexpr int kPack = kPackElements<T>;
  const int64_t strides = k_stride_0 | k_stride_1 | v_stride_0 | v_stride_1;
  const bool is_packed = (strides | head_dim) % kPack == 0;
  for (uint32_t token = group_x(); token < tokens; token += group_count(0)) {
    const int64_t slot = slots[token];
    if (slot < 0 || slot >= slot_count) continue;
    const int64_t to = slot * kv_heads * head_dim;
    const T* k_row = k + token * k_stride_0;
    const T* v_row = v + token * v_stride_0;
    if (is_packed) {
      copy_heads<kPack>(k_row, k_stride_1, k_cache + to, kv_heads, head_dim);
      copy_heads<kPack>(v_row, v_stride_1, v_cache + to, kv_heads, head_dim);
    } else {
      copy_heads<1>(k_row, k_stride_1, k_cache + to, kv_heads, head_dim);
      copy_heads<1>(v_row, v_stride_1, v_cache + to, kv_heads, head_dim);
    }
  }
}
