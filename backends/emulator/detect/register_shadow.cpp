// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/register_shadow.h"

#include "backends/emulator/state/workgroup.h"

#include <algorithm>

namespace halyard::emulator {

RegisterShadow::RegisterShadow(const ProgramFacts& facts, const Wave& wave)
    : lanes_(wave.lanes),
      architecture_rows_(std::min<std::uint32_t>(facts.used_rows(false), kAccumulationRow)),
      accumulation_rows_(0) {
  if (facts.used_rows(true) > kAccumulationRow)
    accumulation_rows_ =
        std::min<std::uint32_t>(facts.used_rows(true), kTemporaryRow) - kAccumulationRow;
  vectors_.assign(std::size_t{architecture_rows_ + accumulation_rows_} * lanes_, 0xffffffff);
  for (unsigned row = 0; row < architecture_rows_; ++row)
    set_flag(kVectorCell + row, true);
  for (unsigned row = 0; row < accumulation_rows_; ++row)
    set_flag(kVectorCell + kAccumulationRow + row, true);

  const Workgroup& workgroup = *wave.workgroup;
  for (unsigned row = 0; row < std::min(workgroup.initial_vectors, architecture_rows_); ++row)
    define(row, wave.initial_exec);
  for (unsigned index = 0; index < kSinkIndex; ++index) {
    const bool is_set =
        workgroup.initial_scalars[index] || index == kExecIndex || index == kExecIndex + 1U;
    set_scalar(index, is_set ? 0 : 0xffffffff);
  }
  set_scc(true);
}

void RegisterShadow::update_flag(unsigned row_index) {
  const std::uint32_t* const masks = row(row_index);
  if (!masks) return;
  std::uint32_t all = 0;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    all |= masks[lane];
  set_flag(kVectorCell + row_index, all != 0);
}

void RegisterShadow::define(unsigned row_index, std::uint64_t lanes) {
  std::uint32_t* const masks = row(row_index);
  if (!masks) return;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    if ((lanes >> lane & 1) != 0) masks[lane] = 0;
  update_flag(row_index);
}

}  // namespace halyard::emulator
