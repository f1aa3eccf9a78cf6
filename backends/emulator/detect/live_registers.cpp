// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/live_registers.h"

#include <string_view>

namespace halyard::emulator {
namespace {

using Cells = std::bitset<kCellCount>;
constexpr std::size_t kMostOperations = std::size_t{1} << 16;
// Each pass goes over the program backwards, so that only loops need another one.
constexpr int kMostPasses = 32;

bool falls_through(const Operation& operation) {
  const std::string_view name = operation.name;
  return name != "S_BRANCH" && name != "S_SETPC_B64" && !name.starts_with("S_ENDPGM");
}

Cells before(const Cells& after, const OperationFacts& facts) {
  Cells live = after;
  // A write under a mask of lanes leaves the others, which is not followed.
  for (unsigned i = facts.read_count; i < facts.cell_count; ++i)
    for (unsigned cell = 0; cell < facts.cells[i].count; ++cell)
      if (!facts.keeps_other_bits) live.reset(facts.cells[i].first + cell);
  for (unsigned i = 0; i < facts.read_count; ++i)
    for (unsigned cell = 0; cell < facts.cells[i].count; ++cell)
      live.set(facts.cells[i].first + cell);
  return live;
}

LiveCount count_of(const Cells& cells) {
  LiveCount count;
  for (unsigned cell = 0; cell < kCellCount; ++cell) {
    if (!cells.test(cell)) continue;
    if (cell >= kVectorCell)
      ++count.vectors;
    else if (cell < kTtmpIndex)
      ++count.scalars;
  }
  return count;
}

}  // namespace

std::vector<LiveCount> live_registers(const ProgramFacts& facts) {
  const auto operations = facts.program().operations();
  if (operations.size() > kMostOperations) return {};
  std::vector<Cells> live(operations.size());
  bool changes = true;
  for (int pass = 0; pass < kMostPasses && changes; ++pass) {
    changes = false;
    for (std::size_t i = operations.size(); i-- > 0;) {
      const Operation& operation = operations[i];
      Cells after;
      if (falls_through(operation) && i + 1 < operations.size()) after = live[i + 1];
      if (operation.target && operation.target->index < live.size())
        after |= live[operation.target->index];
      const Cells now = before(after, facts.of(operation));
      changes = changes || now != live[i];
      live[i] = now;
    }
  }
  std::vector<LiveCount> counts;
  counts.reserve(live.size());
  for (const Cells& cells : live)
    counts.push_back(count_of(cells));
  return counts;
}

}  // namespace halyard::emulator
