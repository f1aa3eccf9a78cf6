// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/register_cells.h"

#include "runtime/base/text.h"

#include <algorithm>

namespace halyard::emulator {
namespace {

CellRange clipped(unsigned first, unsigned count, unsigned end) {
  if (first >= end) return {};
  return {static_cast<std::uint16_t>(first),
          static_cast<std::uint16_t>(std::min(count, end - first))};
}

}  // namespace

CellRange cells_of(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::kVector:
      return clipped(kVectorCell + operand.index, operand.dwords, kCellCount);
    case OperandKind::kScalar:
      return clipped(operand.index, operand.dwords, kSinkIndex);
    case OperandKind::kScc:
      return {kSccCell, 1};
    case OperandKind::kVccz:
      return {kVccIndex, 2};
    default:
      return {};
  }
}

std::string cell_name(unsigned cell) {
  if (cell >= kVectorCell + kAccumulationRow)
    return base::concat("a", cell - kVectorCell - kAccumulationRow);
  if (cell >= kVectorCell) return base::concat("v", cell - kVectorCell);
  if (cell == kSccCell) return "scc";
  if (cell == kVccIndex) return "vcc_lo";
  if (cell == kVccIndex + 1) return "vcc_hi";
  if (cell == kExecIndex) return "exec_lo";
  if (cell == kExecIndex + 1) return "exec_hi";
  if (cell == kM0Index) return "m0";
  if (cell >= kTtmpIndex && cell < kM0Index) return base::concat("ttmp", cell - kTtmpIndex);
  return base::concat("s", cell);
}

}  // namespace halyard::emulator
