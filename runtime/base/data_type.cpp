// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/data_type.h"

#include <array>

namespace halyard::base {
namespace {

struct DataTypeFacts {
  DataType type;
  std::string_view name;
  std::uint32_t size_bytes;
  double unit_roundoff;
};

constexpr std::array<DataTypeFacts, 13> kDataTypes = {{
    {DataType::kF64, "f64", 8, 0x1p-53},
    {DataType::kF32, "f32", 4, 0x1p-24},
    {DataType::kF16, "f16", 2, 0x1p-11},
    {DataType::kBf16, "bf16", 2, 0x1p-8},
    {DataType::kI64, "i64", 8, 0.0},
    {DataType::kI32, "i32", 4, 0.0},
    {DataType::kI16, "i16", 2, 0.0},
    {DataType::kI8, "i8", 1, 0.0},
    {DataType::kU32, "u32", 4, 0.0},
    {DataType::kU8, "u8", 1, 0.0},
    {DataType::kU64, "u64", 8, 0.0},
    {DataType::kFp8E4m3, "fp8_e4m3", 1, 0x1p-4},
    {DataType::kFp8E5m2, "fp8_e5m2", 1, 0x1p-3},
}};

constexpr DataTypeFacts kUnknown = {DataType::kF64, "unknown", 0, 0.0};

const DataTypeFacts& facts_of(DataType type) {
  const auto index = static_cast<std::uint32_t>(type) - 1;
  return index < kDataTypes.size() ? kDataTypes[index] : kUnknown;
}

}  // namespace

std::string_view data_type_name(DataType type) {
  return facts_of(type).name;
}

std::optional<DataType> data_type_from_name(std::string_view name) {
  for (const DataTypeFacts& facts : kDataTypes) {
    if (facts.name == name) return facts.type;
  }
  return std::nullopt;
}

std::uint32_t data_type_size_bytes(DataType type) {
  return facts_of(type).size_bytes;
}

bool data_type_is_float(DataType type) {
  return facts_of(type).unit_roundoff != 0.0;
}

double data_type_unit_roundoff(DataType type) {
  return facts_of(type).unit_roundoff;
}

}  // namespace halyard::base
