// SPDX-License-Identifier: Apache-2.0
#include "halyard_types.h"

using namespace halyard;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;

// Bits are copied, so that the size of an element is all that counts.
template <int Bytes>
struct BitsOf;
template <>
struct BitsOf<1> {
  using Type = uint8_t;
};
template <>
struct BitsOf<2> {
  using Type = uint16_t;
};
template <>
struct BitsOf<4> {
  using Type = uint32_t;
};
using T = BitsOf<sizeof(Element<HALYARD_TYPE_T>)>::Type;

struct Extent {
  uint32_t d1;
  uint32_t d2;
  uint32_t d3;
};

struct Strides {
  int64_t d0;
  int64_t d1;
  int64_t d2;
  int64_t d3;
};

// A lane copies one element, and those a whole grid further on. Index is as wide as the number of
// elements asks for: a division of 64 bits is a loop.
template <typename Index>
HALYARD_DEVICE void copy(const T* x, T* y, Index total, Extent extent, Strides from, Strides to) {
  for (Index n = grid_index<kLanes>(); n < total;) {
    const Index row = n / extent.d3;
    const Index plane = row / extent.d2;
    const auto i3 = static_cast<int64_t>(n % extent.d3);
    const auto i2 = static_cast<int64_t>(row % extent.d2);
    const auto i1 = static_cast<int64_t>(plane % extent.d1);
    const auto i0 = static_cast<int64_t>(plane / extent.d1);
    y[i0 * to.d0 + i1 * to.d1 + i2 * to.d2 + i3 * to.d3] =
        x[i0 * from.d0 + i1 * from.d1 + i2 * from.d2 + i3 * from.d3];
    const Index next = n + grid_size<kLanes>();
    if (next < n) break;
    n = next;
  }
}

}  // namespace

HALYARD_ENTRY(copy_strided, kLanes)
(const T* x, T* y, uint32_t d0, uint32_t d1, uint32_t d2, uint32_t d3, int64_t x_stride_0,
 int64_t x_stride_1, int64_t x_stride_2, int64_t x_stride_3, int64_t y_stride_0, int64_t y_stride_1,
 int64_t y_stride_2, int64_t y_stride_3) {
  const uint64_t total = uint64_t{d0} * d1 * d2 * d3;
  const Extent extent = {d1, d2, d3};
  const Strides from = {x_stride_0, x_stride_1, x_stride_2, x_stride_3};
  const Strides to = {y_stride_0, y_stride_1, y_stride_2, y_stride_3};
  if (total <= 0xffffffffU) {
    copy<uint32_t>(x, y, static_cast<uint32_t>(total), extent, from, to);
  } else {
    copy<uint64_t>(x, y, total, extent, from, to);
  }
}
