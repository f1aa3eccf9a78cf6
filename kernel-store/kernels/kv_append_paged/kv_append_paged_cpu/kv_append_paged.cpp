// SPDX-License-Identifier: Apache-2.0
#include "halyard_vector.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

HALYARD_INLINE void copy_heads(const T* from, int64_t head_stride, T* to, int64_t heads,
                               int64_t head_dim) {
  for (int64_t head = 0; head < heads; ++head) {
    const T* from_head = from + head * head_stride;
    T* to_head = to + head * head_dim;
    for (int64_t i = 0; i < head_dim; ++i)
      to_head[i] = from_head[i];
  }
}

}  // namespace

// One group is one token.
HALYARD_ENTRY(kv_append_paged) {
  Arguments next(arguments);
  const auto* k = next.pointer<const T>();
  const auto* v = next.pointer<const T>();
  const auto* slots = next.pointer<const int64_t>();
  auto* k_cache = next.pointer<T>();
  auto* v_cache = next.pointer<T>();
  const int64_t slot_count = next.integer();
  const int64_t kv_heads = next.integer();
  const int64_t head_dim = next.integer();
  const int64_t k_token_stride = next.integer();
  const int64_t k_head_stride = next.integer();
  const int64_t v_token_stride = next.integer();
  const int64_t v_head_stride = next.integer();

  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t token = static_cast<int64_t>(group);
    const int64_t slot = slots[token];
    if (slot < 0 || slot >= slot_count) continue;
    const int64_t row = slot * kv_heads * head_dim;
    copy_heads(k + token * k_token_stride, k_head_stride, k_cache + row, kv_heads, head_dim);
    copy_heads(v + token * v_token_stride, v_head_stride, v_cache + row, kv_heads, head_dim);
  }
}
