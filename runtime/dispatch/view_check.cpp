// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/view_check.h"

#include "runtime/base/text.h"
#include "runtime/core/device.h"

#include <algorithm>
#include <string>

namespace halyard::dispatch {
namespace {

using operators::ContractTensor;
using operators::StrideRule;
using operators::TensorRole;
using operators::TensorShape;

base::Error invalid(const ContractTensor& tensor, const std::string& sentence) {
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("Tensor \"", tensor.name, "\": ", sentence));
}

void pack_strides(const TensorShape& shape, BoundTensor& out) {
  std::int64_t stride = 1;
  for (std::uint32_t d = shape.rank; d-- > 0;) {
    out.strides[d] = stride;
    stride *= std::max<std::int64_t>(shape.sizes[d], 1);
  }
}

base::Status check_stride_rule(const ContractTensor& tensor, const TensorShape& shape,
                               const BoundTensor& bound) {
  BoundTensor packed;
  pack_strides(shape, packed);
  for (std::uint32_t d = 0; d < shape.rank; ++d) {
    const std::int64_t stride = bound.strides[d];
    if (shape.sizes[d] <= 1) continue;
    if (stride < 0) {
      return invalid(tensor, base::concat("Stride ", d, " (", stride, ") is negative."));
    }
    if (tensor.strides == StrideRule::kDense && stride != packed.strides[d]) {
      return invalid(tensor,
                     base::concat("Stride ", d, " (", stride, ") is not that of packed rows (",
                                  packed.strides[d], "), which the contract asks for."));
    }
    if (tensor.strides == StrideRule::kRows && d + 1 == shape.rank && stride != 1) {
      return invalid(tensor, base::concat("The innermost stride (", stride,
                                          ") is not 1, which the contract asks for."));
    }
  }
  return base::ok();
}

// Outputs must not write one place twice: ordered by stride, each dimension steps past the extent
// of those below it.
base::Status check_distinct_elements(const ContractTensor& tensor, const TensorShape& shape,
                                     const BoundTensor& bound) {
  // Insertion keeps the few dimensions sorted by stride.
  std::array<std::uint32_t, operators::kMaxRank> order{};
  std::uint32_t count = 0;
  for (std::uint32_t d = 0; d < shape.rank; ++d) {
    if (shape.sizes[d] <= 1) continue;
    std::uint32_t place = count++;
    for (; place > 0 && bound.strides[order[place - 1]] > bound.strides[d]; --place) {
      order[place] = order[place - 1];
    }
    order[place] = d;
  }
  std::int64_t extent = 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t d = order[i];
    if (bound.strides[d] < extent) {
      return invalid(tensor, base::concat("Stride ", d, " (", bound.strides[d],
                                          ") lets elements of this output overlap; the dimensions "
                                          "inside it span ",
                                          extent, " elements."));
    }
    // Fits: every element offset was checked against the view's length before.
    extent += (shape.sizes[d] - 1) * bound.strides[d];
  }
  return base::ok();
}

// The bytes from the view's first element to the end of its last.
base::Result<std::uint64_t> span_bytes(const ContractTensor& tensor, const TensorShape& shape,
                                       const BoundTensor& bound) {
  std::int64_t last = 0;
  for (std::uint32_t d = 0; d < shape.rank; ++d) {
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(shape.sizes[d] - 1, bound.strides[d], &reach) ||
        __builtin_add_overflow(last, reach, &last)) {
      return invalid(tensor, base::concat("Dimension ", d, " (", shape.sizes[d], " by stride ",
                                          bound.strides[d], ") reaches past 2^63 - 1 elements."));
    }
  }
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(
          last + 1, static_cast<std::int64_t>(base::data_type_size_bytes(shape.type)), &bytes)) {
    return invalid(tensor, base::concat("Its ", last + 1, " elements reach past 2^63 - 1 bytes."));
  }
  return static_cast<std::uint64_t>(bytes);
}

base::Status check_buffer(const core::Device& device, const ContractTensor& tensor,
                          const TensorView& view) {
  if (view.buffer == nullptr) {
    return invalid(tensor, "The view has no buffer.");
  }
  if (&view.buffer->device() != &device) {
    return invalid(tensor, base::concat("The buffer is on device ", view.buffer->device().info().id,
                                        ", the operation on ", device.info().id, "."));
  }
  const std::uint64_t size = view.buffer->size_bytes();
  if (view.offset_bytes > size) {
    return invalid(tensor, base::concat("Offset (", view.offset_bytes,
                                        ") is past the end of the buffer (", size, " bytes)."));
  }
  if (view.length_bytes > size - view.offset_bytes) {
    return invalid(
        tensor, base::concat("The view (offset ", view.offset_bytes, ", length ", view.length_bytes,
                             ") reaches past the end of the buffer (", size, " bytes)."));
  }
  if (view.offset_bytes % static_cast<std::uint64_t>(tensor.alignment_bytes) != 0) {
    return invalid(tensor, base::concat("Offset (", view.offset_bytes, ") is not a multiple of ",
                                        tensor.alignment_bytes, " bytes."));
  }
  return base::ok();
}

}  // namespace

base::Status bind_view(const core::Device& device, const ContractTensor& tensor,
                       const TensorShape& shape, const TensorView& view, BoundTensor& out) {
  if (!shape.present) {
    if (view.buffer == nullptr) return base::ok();
    return invalid(tensor, "A view is given, but the attributes leave this tensor out.");
  }
  if (shape.element_count == 0 && view.buffer == nullptr) return base::ok();
  HALYARD_TRY(check_buffer(device, tensor, view));
  out.buffer = view.buffer;
  out.offset_bytes = view.offset_bytes;
  out.length_bytes =
      view.length_bytes != 0 ? view.length_bytes : view.buffer->size_bytes() - view.offset_bytes;
  if (view.strides == nullptr) {
    pack_strides(shape, out);
    if (static_cast<std::uint64_t>(shape.size_bytes) > out.length_bytes) {
      return invalid(tensor,
                     base::concat("Its ", shape.element_count, " elements of ",
                                  base::data_type_name(shape.type), " (", shape.size_bytes,
                                  " bytes) do not fit the view (", out.length_bytes, " bytes)."));
    }
    out.length_bytes = static_cast<std::uint64_t>(shape.size_bytes);
    return base::ok();
  }
  std::copy_n(view.strides, shape.rank, out.strides.begin());
  if (shape.element_count == 0) {
    out.length_bytes = 0;
    return base::ok();
  }
  HALYARD_TRY(check_stride_rule(tensor, shape, out));
  HALYARD_TRY_ASSIGN(const std::uint64_t span, span_bytes(tensor, shape, out));
  if (span > out.length_bytes) {
    return invalid(
        tensor, base::concat("Its last element ends at byte ", span, ", past the end of the view (",
                             out.length_bytes, " bytes)."));
  }
  if (tensor.role != TensorRole::kInput) {
    HALYARD_TRY(check_distinct_elements(tensor, shape, out));
  }
  out.length_bytes = span;
  return base::ok();
}

namespace {

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Rows of one pitch whose inner parts lie in disjoint columns of it.
bool interleave_apart(const TensorShape& a_shape, const BoundTensor& a, const TensorShape& b_shape,
                      const BoundTensor& b) {
  if (a_shape.rank < 2 || b_shape.rank < 2) return false;
  const auto size_a = static_cast<std::uint64_t>(base::data_type_size_bytes(a_shape.type));
  const auto size_b = static_cast<std::uint64_t>(base::data_type_size_bytes(b_shape.type));
  const std::uint64_t pitch = static_cast<std::uint64_t>(a.strides[0]) * size_a;
  if (pitch == 0 || pitch != static_cast<std::uint64_t>(b.strides[0]) * size_b) return false;
  const auto rows_bytes = [&](const TensorShape& shape, const BoundTensor& bound) {
    return bound.length_bytes - static_cast<std::uint64_t>(shape.sizes[0] - 1) * pitch;
  };
  const std::uint64_t a_begin = a.offset_bytes % pitch;
  const std::uint64_t b_begin = b.offset_bytes % pitch;
  const std::uint64_t a_end = a_begin + rows_bytes(a_shape, a);
  const std::uint64_t b_end = b_begin + rows_bytes(b_shape, b);
  return a_end <= pitch && b_end <= pitch && (a_end <= b_begin || b_end <= a_begin);
}

bool coincide(const TensorShape& a_shape, const BoundTensor& a, const TensorShape& b_shape,
              const BoundTensor& b) {
  if (a.offset_bytes != b.offset_bytes || a_shape.rank != b_shape.rank) return false;
  for (std::uint32_t d = 0; d < a_shape.rank; ++d) {
    if (a_shape.sizes[d] > 1 && a.strides[d] != b.strides[d]) return false;
  }
  return true;
}

}  // namespace

base::Status check_overlaps(const operators::Contract& contract, const BoundLaunch& bound) {
  const auto& tensors = contract.tensors();
  for (std::size_t o = 0; o < tensors.size(); ++o) {
    const BoundTensor& output = bound.tensors[o];
    if (tensors[o].role == TensorRole::kInput || output.buffer == nullptr) continue;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const BoundTensor& other = bound.tensors[i];
      const bool counted_before = i < o && tensors[i].role != TensorRole::kInput;
      if (i == o || counted_before || other.buffer != output.buffer) continue;
      const bool apart = output.offset_bytes + output.length_bytes <= other.offset_bytes ||
                         other.offset_bytes + other.length_bytes <= output.offset_bytes;
      if (apart || output.length_bytes == 0 || other.length_bytes == 0) continue;
      const bool may_alias = lists(tensors[o].may_alias, tensors[i].name) ||
                             lists(tensors[i].may_alias, tensors[o].name);
      if (may_alias && coincide(bound.shapes.tensors[o], output, bound.shapes.tensors[i], other)) {
        continue;
      }
      if (interleave_apart(bound.shapes.tensors[o], output, bound.shapes.tensors[i], other))
        continue;
      return invalid(
          tensors[o],
          base::concat("Bytes ", output.offset_bytes, " to ",
                       output.offset_bytes + output.length_bytes, " overlap those of tensor \"",
                       tensors[i].name, "\" (", other.offset_bytes, " to ",
                       other.offset_bytes + other.length_bytes, ") in one buffer",
                       may_alias ? "; the two may only coincide." : "."));
    }
  }
  return base::ok();
}

}  // namespace halyard::dispatch
