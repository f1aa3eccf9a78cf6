// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/operation_facts.h"
#include "backends/emulator/state/wave.h"

#include <array>
#include <cstdint>
#include <vector>

namespace halyard::emulator {

// What is noted of each register of a wave.
inline constexpr std::uint8_t kMaybeUndefined = 1;  // a bit of it, in some lane
inline constexpr std::uint8_t kPendingResult = 2;   // an instruction may still write it

// Which bits of a wave's registers nothing has written: a one is undefined. The flags say where
// there may be any, so that what is defined costs one look.
class RegisterShadow {
 public:
  // All vector registers below those that `facts` uses are undefined in all lanes but those that
  // the launch sets, and so are the scalar ones that it does not set.
  RegisterShadow(const ProgramFacts& facts, const Wave& wave);

  std::array<std::uint8_t, kCellCount> flags{};

  bool may_be_undefined(CellRange range) const {
    std::uint8_t all = 0;
    for (unsigned i = 0; i < range.count; ++i)
      all |= flags[range.first + i];
    return (all & kMaybeUndefined) != 0;
  }

  std::uint32_t scalar(unsigned index) const { return index < kSinkIndex ? scalars_[index] : 0; }
  std::uint64_t scalar64(unsigned index) const {
    return scalar(index) | std::uint64_t{scalar(index + 1)} << 32;
  }
  void set_scalar(unsigned index, std::uint32_t undefined) {
    if (index >= kSinkIndex) return;
    scalars_[index] = undefined;
    set_flag(index, undefined != 0);
  }
  bool scc() const { return scc_; }
  void set_scc(bool undefined) {
    scc_ = undefined;
    set_flag(kSccCell, undefined);
  }

  // The lanes of vector register `row`; null for one that no operation names.
  std::uint32_t* row(unsigned row) { return has(row) ? &vectors_[slot(row) * lanes_] : nullptr; }
  const std::uint32_t* row(unsigned row) const {
    return has(row) ? &vectors_[slot(row) * lanes_] : nullptr;
  }
  // After a change to row(): whether any lane has an undefined bit.
  void update_flag(unsigned row);
  // Makes a register defined in these lanes.
  void define(unsigned row, std::uint64_t lanes);

  std::uint32_t lanes() const { return lanes_; }

 private:
  bool has(unsigned row) const {
    return row < kAccumulationRow ? row < architecture_rows_
                                  : row - kAccumulationRow < accumulation_rows_;
  }
  std::size_t slot(unsigned row) const {
    return row < kAccumulationRow ? row : row - kAccumulationRow + architecture_rows_;
  }
  void set_flag(unsigned cell, bool undefined) {
    flags[cell] = static_cast<std::uint8_t>((flags[cell] & ~kMaybeUndefined) |
                                            (undefined ? kMaybeUndefined : 0));
  }

  std::uint32_t lanes_;
  std::uint32_t architecture_rows_;
  std::uint32_t accumulation_rows_;
  std::array<std::uint32_t, kSinkIndex> scalars_{};
  bool scc_ = true;
  std::vector<std::uint32_t> vectors_;
};

}  // namespace halyard::emulator
