// SPDX-License-Identifier: Apache-2.0
#include "halyard_vector.h"

using namespace halyard;

using S = Element<HALYARD_TYPE_S>;
using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int64_t kElements = 8192;  // Of one group; the grid of kernel.json divides by it too.

}  // namespace

// A range of groups is one contiguous piece. The way through f32 is exact: it holds every element
// of the three types, so only the store rounds.
HALYARD_ENTRY(cast) {
  Arguments next(arguments);
  const auto* x = next.pointer<const S>();
  auto* y = next.pointer<T>();
  const int64_t n = next.integer();

  const int64_t begin = static_cast<int64_t>(range->begin) * kElements;
  const int64_t end = min(static_cast<int64_t>(range->end) * kElements, n);
  for_each_vector(end - begin, [&](int64_t i, auto lanes) {
    store(y + begin + i, load(x + begin + i, lanes), lanes);
  });
}
