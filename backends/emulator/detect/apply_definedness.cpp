// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/vector_definedness.h"

#include <utility>

namespace halyard::emulator {
namespace {

void set_lane_mask(RegisterShadow& shadow, const Operand& operand, std::uint64_t undefined) {
  shadow.set_scalar(operand.index, static_cast<std::uint32_t>(undefined));
  if (shadow.lanes() == 64)
    shadow.set_scalar(operand.index + 1U, static_cast<std::uint32_t>(undefined >> 32));
}

void swap_rows(RegisterShadow& shadow, const Operation& operation, std::uint64_t lanes) {
  const unsigned one = operation.destination[0].index;
  const unsigned other = operation.source[0].index;
  std::uint32_t* const first = shadow.row(one);
  std::uint32_t* const second = shadow.row(other);
  if (!first || !second || !operation.source[0].is_vector()) return;
  for (unsigned lane = 0; lane < shadow.lanes(); ++lane)
    if ((lanes >> lane & 1) != 0) std::swap(first[lane], second[lane]);
  shadow.update_flag(one);
  shadow.update_flag(other);
}

void define_bits(RegisterShadow& shadow, unsigned row, std::uint32_t bits, std::uint64_t lanes) {
  std::uint32_t* const masks = shadow.row(row);
  if (!masks) return;
  for (unsigned lane = 0; lane < shadow.lanes(); ++lane)
    if ((lanes >> lane & 1) != 0) masks[lane] &= ~bits;
  shadow.update_flag(row);
}

}  // namespace

void apply_definedness(const Wave& wave, RegisterShadow& shadow, const Operation& operation,
                       const OperationFacts& facts, const VectorDefinedness& found) {
  if (facts.rule == DefinednessRule::kSwap) return swap_rows(shadow, operation, wave.exec());
  const Operand& destination = operation.destination[0];
  if (destination.is_scalar()) {
    if (facts.writes_mask)
      set_lane_mask(shadow, destination, found.undefined_lanes);
    else
      shadow.set_scalar(destination.index, found.undefined_scalar);
  } else if (destination.is_vector()) {
    const std::uint32_t kept = facts.keeps_other_bits ? ~facts.result_bits : 0;
    for (unsigned i = 0; i < destination.dwords && i < VectorDefinedness::kDwords; ++i) {
      std::uint32_t* const masks = shadow.row(destination.index + i);
      if (!masks) continue;
      for (unsigned lane = 0; lane < wave.lanes; ++lane) {
        if ((found.written >> lane & 1) == 0) continue;
        masks[lane] = (masks[lane] & kept) | (found.undefined[i][lane] & facts.result_bits);
      }
      shadow.update_flag(destination.index + i);
    }
  }
  const Operand& second = operation.destination[1];
  if (second.is_scalar() && !facts.writes_exec)
    set_lane_mask(shadow, second, found.undefined_lanes);
}

void define_destinations(const Wave& wave, RegisterShadow& shadow, const Operation& operation,
                         const OperationFacts& facts) {
  for (std::size_t i = 0; i < operation.destination.size(); ++i) {
    const Operand& destination = operation.destination[i];
    if (destination.is_scalar()) {
      const bool is_mask = i == 1 || facts.writes_mask;
      const unsigned dwords = is_mask && shadow.lanes() == 32 ? 1U : destination.dwords;
      for (unsigned dword = 0; dword < dwords; ++dword)
        shadow.set_scalar(destination.index + dword, 0);
    }
    if (!destination.is_vector()) continue;
    for (unsigned dword = 0; dword < destination.dwords; ++dword) {
      if (facts.keeps_other_bits)
        define_bits(shadow, destination.index + dword, facts.result_bits, wave.exec());
      else
        shadow.define(destination.index + dword, wave.exec());
    }
  }
}

}  // namespace halyard::emulator
