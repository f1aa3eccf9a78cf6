// SPDX-License-Identifier: Apache-2.0
#include "halyard_types.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int64_t kElements = 8192;  // Of one group; the grid of kernel.json divides by it too.

HALYARD_INLINE void copy_run(const T* from, int64_t from_stride, T* to, int64_t to_stride,
                             int64_t count) {
  if (from_stride == 1 && to_stride == 1) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = from[i];
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i * to_stride] = from[i * from_stride];
  }
}

}  // namespace

// The elements are numbered in row-major order; one group is kElements consecutive ones, walked as
// runs along the last dimension.
HALYARD_ENTRY(copy_strided) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  auto* y = next.pointer<T>();
  int64_t sizes[4];
  int64_t x_strides[4];
  int64_t y_strides[4];
  for (int64_t& size : sizes)
    size = next.integer();
  for (int64_t& stride : x_strides)
    stride = next.integer();
  for (int64_t& stride : y_strides)
    stride = next.integer();

  const int64_t total = sizes[0] * sizes[1] * sizes[2] * sizes[3];
  const int64_t end = min(static_cast<int64_t>(range->end) * kElements, total);
  for (int64_t element = static_cast<int64_t>(range->begin) * kElements; element < end;) {
    int64_t rest = element;
    int64_t x_offset = 0;
    int64_t y_offset = 0;
    for (int dimension = 3; dimension >= 0; --dimension) {
      const int64_t index = rest % sizes[dimension];
      rest /= sizes[dimension];
      x_offset += index * x_strides[dimension];
      y_offset += index * y_strides[dimension];
    }
    const int64_t run = min(sizes[3] - element % sizes[3], end - element);
    copy_run(x + x_offset, x_strides[3], y + y_offset, y_strides[3], run);
    element += run;
  }
}
