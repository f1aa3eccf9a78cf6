// SPDX-License-Identifier: Apache-2.0
#include "halyard_vector.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

// One group is one token.
HALYARD_ENTRY(embedding) {
  Arguments next(arguments);
  const auto* ids = next.pointer<const int32_t>();
  const auto* table = next.pointer<const T>();
  auto* y = next.pointer<T>();
  const int64_t vocab = next.integer();
  const int64_t hidden = next.integer();
  const int64_t y_stride = next.integer();

  for (uint64_t token = range->begin; token < range->end; ++token) {
    T* to = y + static_cast<int64_t>(token) * y_stride;
    const int64_t id = ids[token];
    if (id < 0 || id >= vocab) {
      for (int64_t i = 0; i < hidden; ++i)
        to[i] = T{};
      continue;
    }
    const T* from = table + id * hidden;
    for (int64_t i = 0; i < hidden; ++i)
      to[i] = from[i];
  }
}
