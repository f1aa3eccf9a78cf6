// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/operand_wrappers.h"
#include "backends/emulator/state/wave.h"
#include "backends/emulator/state/workgroup.h"

#include <algorithm>

namespace halyard::emulator {
namespace {

constexpr int kNoLane = -1;
constexpr int kNoControl = -2;

int within_row(int row, int column) {
  return column < 0 || column > 15 ? kNoLane : row + column;
}

// Controls that cross rows, of gfx9 alone.
int gfx9_lane(std::uint32_t control, int lane, int lanes) {
  switch (control) {
    case 0x130:  // wave_shl:1
      return lane + 1 < lanes ? lane + 1 : kNoLane;
    case 0x134:  // wave_rol:1
      return (lane + 1) % lanes;
    case 0x138:  // wave_shr:1
      return lane - 1;
    case 0x13c:  // wave_ror:1
      return (lane + lanes - 1) % lanes;
    case 0x142:  // row_bcast:15, the last lane of the row before
      return lane >= 16 ? (lane & ~15) - 1 : kNoLane;
    case 0x143:  // row_bcast:31, the last lane of the half before
      return lane >= 32 ? 31 : kNoLane;
    default:
      return kNoControl;
  }
}

// source[0] into rows for its own use, and EXEC without the lanes that are not written.
void run_permuted(Wave& wave, const Operation& operation) {
  const LanePermutation& permutation = *operation.permutation;
  const Generation generation = wave.workgroup->generation;
  const std::uint64_t exec = wave.exec();
  const Operand& source = operation.source[0];
  const std::uint32_t dwords = std::max<std::uint32_t>(source.dwords, 1);
  std::uint64_t written = exec;
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
    const int from = permuted_lane(permutation, lane, wave.lanes, generation);
    const bool masked =
        !permutation.is_dpp8 && ((permutation.row_mask >> (lane / 16) & 1) == 0 ||
                                 (permutation.bank_mask >> (lane / 4 % 4) & 1) == 0);
    const bool exists = from >= 0 && (permutation.fetch_inactive || (exec >> from & 1) != 0);
    if (masked || (!exists && !permutation.bound_control && !permutation.is_dpp8)) {
      written &= ~(std::uint64_t{1} << lane);
    }
    for (std::uint32_t i = 0; i < dwords; ++i) {
      wave.row(kTemporaryRow + i)[lane] =
          exists ? wave.row(source.index + i)[static_cast<std::uint32_t>(from)] : 0;
    }
  }
  Operation inner = operation;
  inner.source[0].index = kTemporaryRow;
  wave.set_mask(kExecIndex, written);
  operation.wrapped(wave, inner);
  if (!operation.name.starts_with("V_CMPX")) wave.set_mask(kExecIndex, exec);
}

}  // namespace

int permuted_lane(const LanePermutation& permutation, std::uint32_t lane, std::uint32_t lanes,
                  Generation generation) {
  const int self = static_cast<int>(lane);
  if (permutation.is_dpp8) return (self & ~7) + permutation.lanes[lane & 7];
  const std::uint32_t control = permutation.control;
  const int row = self & ~15;
  const int column = self & 15;
  const int count = static_cast<int>(control & 15);
  if (control <= 0xff) return (self & ~3) + static_cast<int>(control >> (2 * (lane & 3)) & 3);
  if (control > 0x100 && control <= 0x10f) return within_row(row, column + count);   // row_shl
  if (control > 0x110 && control <= 0x11f) return within_row(row, column - count);   // row_shr
  if (control > 0x120 && control <= 0x12f) return row + (column + 16 - count) % 16;  // row_ror
  if (control == 0x140) return row + 15 - column;                                    // row_mirror
  if (control == 0x141) return (self & ~7) + 7 - (self & 7);  // row_half_mirror
  if (generation == Generation::kGfx9) {
    // row_newbcast of gfx90a takes the codes of row_share.
    if (control >= 0x150 && control <= 0x15f) return row + count;
    return gfx9_lane(control, self, static_cast<int>(lanes));
  }
  if (control >= 0x150 && control <= 0x15f) return row + count;             // row_share
  if (control >= 0x160 && control <= 0x16f) return row + (column ^ count);  // row_xmask
  return kNoControl;
}

Handler choose_permuted(const Operation& operation, const SemanticContext& context) {
  const bool is_known =
      permuted_lane(*operation.permutation, 0, context.lanes, context.generation) != kNoControl;
  const bool fits = operation.source[0].is_vector() && operation.source[0].dwords <= 2;
  return is_known && fits ? &run_permuted : nullptr;
}

}  // namespace halyard::emulator
