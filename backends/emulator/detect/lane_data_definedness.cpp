// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/vector_definedness.h"
#include "backends/emulator/execute/memory/lds_permute.h"
#include "backends/emulator/state/workgroup.h"

#include <array>

namespace halyard::emulator {
namespace {

constexpr std::uint32_t kAll = 0xffffffff;

struct LaneColumn {
  const std::uint32_t* undefined = nullptr;
  const std::uint32_t* values = nullptr;

  LaneColumn(const Wave& wave, const RegisterShadow& shadow, const Operand& operand) {
    if (!operand.is_vector()) return;
    undefined = shadow.row(operand.index);
    values = wave.row(operand.index);
  }
  std::uint32_t undefined_at(unsigned lane) const { return undefined ? undefined[lane] : 0; }
  std::uint32_t value_at(unsigned lane) const { return values ? values[lane] : 0; }
};

}  // namespace

void find_lane_data_definedness(const Wave& wave, RegisterShadow& shadow,
                                const Operation& operation, DefinednessRule rule) {
  const std::uint64_t exec = wave.exec();
  const LaneColumn address(wave, shadow, operation.source[0]);
  // ds_swizzle has its data where others have the address.
  const bool is_swizzle = rule == DefinednessRule::kLdsSwizzle;
  const LaneColumn data(wave, shadow, operation.source[is_swizzle ? 0 : 1]);
  const auto offset = static_cast<std::uint32_t>(operation.immediate);
  const auto is_active = [&](unsigned lane) {
    return lane < wave.lanes && (exec >> lane & 1) != 0;
  };
  const std::uint32_t reach = permuted_lanes(wave.workgroup->generation);
  std::array<std::uint32_t, 64> result{};
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    if (!is_active(lane)) continue;
    const unsigned other = addressed_lane(lane, address.value_at(lane) + offset, reach);
    if (rule == DefinednessRule::kLdsPermute) {
      result[other] = data.undefined_at(lane) | (address.undefined_at(lane) != 0 ? kAll : 0);
      continue;
    }
    const unsigned from = is_swizzle ? swizzled_lane(offset & 0xffff, lane) : other;
    result[lane] = is_active(from) ? data.undefined_at(from) : 0;
    if (!is_swizzle && address.undefined_at(lane) != 0) result[lane] = kAll;
  }
  const Operand& destination = operation.destination[0];
  std::uint32_t* const masks = destination.is_vector() ? shadow.row(destination.index) : nullptr;
  if (!masks) return;
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    if (is_active(lane)) masks[lane] = result[lane];
  shadow.update_flag(destination.index);
}

}  // namespace halyard::emulator
