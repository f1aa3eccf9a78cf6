// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace halyard::base {

// Element types of tensors and scalars; the values are those of halyard_type.
enum class DataType : std::uint32_t {
  kF64 = 1,
  kF32 = 2,
  kF16 = 3,
  kBf16 = 4,
  kI64 = 5,
  kI32 = 6,
  kI16 = 7,
  kI8 = 8,
  kU32 = 9,
  kU8 = 10,
  kU64 = 11,
  kFp8E4m3 = 12,
  kFp8E5m2 = 13,
};

// "f32", "bf16", "fp8_e4m3", …
std::string_view data_type_name(DataType type);
std::optional<DataType> data_type_from_name(std::string_view name);
std::uint32_t data_type_size_bytes(DataType type);
bool data_type_is_float(DataType type);

// The unit roundoff u = 2^-(p) for p significand bits including the hidden one; 0 for integers.
double data_type_unit_roundoff(DataType type);

}  // namespace halyard::base
