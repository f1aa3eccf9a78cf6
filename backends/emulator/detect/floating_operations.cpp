// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/floating_operations.h"

#include <charconv>
#include <string_view>

namespace halyard::emulator {
namespace {

bool contains(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

// "V_MFMA_F32_16X16X4_4B_F16": 2 * 16 * 16 * 4 * 4.
std::uint32_t matrix_work(std::string_view name) {
  std::uint64_t work = 0;
  const std::size_t extent =
      name.find_first_of("0123456789", name.find('_', name.find('_', 2) + 1));
  if (extent == std::string_view::npos) return 0;
  const char* at = name.data() + extent;
  const char* const end = name.data() + name.size();
  work = 2;
  for (;;) {
    std::uint32_t number = 0;
    const auto read = std::from_chars(at, end, number);
    if (read.ec != std::errc{} || number > 1024) return 0;
    work *= number;
    at = read.ptr;
    if (at == end || *at != 'X') break;
    ++at;
  }
  if (at != end && *at == '_') {
    std::uint32_t blocks = 0;
    const auto read = std::from_chars(at + 1, end, blocks);
    if (read.ec == std::errc{} && read.ptr != end && *read.ptr == 'B') work *= blocks;
  }
  return work > UINT32_MAX ? 0 : static_cast<std::uint32_t>(work);
}

std::uint32_t lane_work(std::string_view name) {
  if (name.starts_with("V_CMP") || name.starts_with("V_CVT")) return 0;
  if (contains(name, "DOT2")) return 4;
  if (contains(name, "DOT4")) return 8;
  if (contains(name, "DOT8")) return 16;
  const bool is_float = contains(name, "_F16") || contains(name, "_F32") || contains(name, "_F64");
  if (!is_float) return 0;
  std::uint32_t work = 0;
  if (contains(name, "FMA") || contains(name, "_MAD") || contains(name, "_MAC_")) {
    work = 2;
  } else if (contains(name, "_ADD_F") || contains(name, "_SUB_F") || contains(name, "_SUBREV_F") ||
             contains(name, "_MUL_")) {
    work = 1;
  }
  return contains(name, "V_PK_") ? 2 * work : work;
}

}  // namespace

ArithmeticWork arithmetic_work(const Operation& operation) {
  if (operation.first_half && operation.second_half)
    return {0, lane_work(operation.first_half->name) + lane_work(operation.second_half->name)};
  const std::string_view name = operation.name;
  if (!name.starts_with("V_")) return {};
  for (std::string_view prefix : {"V_MFMA", "V_SMFMAC", "V_WMMA", "V_SWMMAC"})
    if (name.starts_with(prefix)) return {matrix_work(name), 0};
  return {0, lane_work(name)};
}

}  // namespace halyard::emulator
