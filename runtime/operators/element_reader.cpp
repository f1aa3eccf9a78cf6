// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/element_reader.h"

#include "runtime/base/float_formats.h"

#include <bit>
#include <cstring>

namespace halyard::operators {
namespace {

const unsigned char* address_of(const ReferenceTensor& tensor, std::int64_t offset) {
  return static_cast<const unsigned char*>(tensor.data) +
         offset * static_cast<std::int64_t>(base::data_type_size_bytes(tensor.type));
}

template <typename Stored, typename Widen>
void read_as(const unsigned char* source, std::int64_t stride, std::span<double> out, Widen widen) {
  const std::int64_t stride_bytes = stride * static_cast<std::int64_t>(sizeof(Stored));
  for (double& value : out) {
    Stored stored;
    std::memcpy(&stored, source, sizeof(stored));
    value = widen(stored);
    source += stride_bytes;
  }
}

double widen_bf16(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

}  // namespace

double read_element(const ReferenceTensor& tensor, std::int64_t offset) {
  return base::load_as_double(tensor.type, address_of(tensor, offset));
}

std::int64_t read_integer(const ReferenceTensor& tensor, std::int64_t index) {
  const unsigned char* source = address_of(tensor, index * tensor.strides[0]);
  if (tensor.type == base::DataType::kI64) {
    std::int64_t value = 0;
    std::memcpy(&value, source, sizeof(value));
    return value;
  }
  return static_cast<std::int64_t>(base::load_as_double(tensor.type, source));
}

void read_elements(const ReferenceTensor& tensor, std::int64_t offset, std::int64_t stride,
                   std::span<double> out) {
  if (out.empty()) return;
  const unsigned char* source = address_of(tensor, offset);
  switch (tensor.type) {
    case base::DataType::kF32:
      return read_as<float>(source, stride, out,
                            [](float value) { return static_cast<double>(value); });
    case base::DataType::kBf16:
      return read_as<std::uint16_t>(source, stride, out, widen_bf16);
    case base::DataType::kF16:
      return read_as<std::uint16_t>(source, stride, out, base::f16_to_double);
    default:
      break;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = read_element(tensor, offset + static_cast<std::int64_t>(i) * stride);
  }
}

void write_element(const WritableTensor& tensor, std::int64_t offset, double value) {
  base::store_from_double(
      tensor.type, value,
      static_cast<unsigned char*>(tensor.data) +
          offset * static_cast<std::int64_t>(base::data_type_size_bytes(tensor.type)));
}

}  // namespace halyard::operators
