// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/matrix_text.h"

#include "runtime/base/text.h"

#include <string_view>

namespace halyard::services {
namespace {

using base::concat;
using descriptors::LaneLayout;
using descriptors::MatrixOperation;

std::string operation_line(const MatrixOperation& operation) {
  std::string line = concat(operation.instruction, ": D ", operation.c_type, ' ', operation.m, 'x',
                            operation.n, " = A ", operation.a_type, ' ', operation.m, 'x',
                            operation.k, " * B ", operation.b_type, ' ', operation.k, 'x',
                            operation.n, " + C, ", operation.lanes, " lanes");
  if (operation.blocks > 1) line += concat(", ", operation.blocks, " blocks");
  if (operation.sparse) line += ", A is 2:4 sparse";
  line += operation.cycles ? concat(", ", *operation.cycles, " cycles") : ", cycles not known";
  if (operation.operations_per_unit_clock) {
    line += concat(", ", *operation.operations_per_unit_clock, " operations a clock and unit");
  }
  return concat(line, " (", descriptors::capability_origin_name(operation.origin), ')');
}

void add_layout(std::string_view name, const LaneLayout& layout, std::vector<std::string>& lines) {
  if (layout.items == 0) return;
  std::string line = concat("  ", name, ": ", layout.items, " items a lane");
  if (!layout.row.empty()) line += concat("; row ", layout.row);
  if (!layout.column.empty()) line += concat("; column ", layout.column);
  if (!layout.block.empty()) line += concat("; block ", layout.block);
  lines.push_back(std::move(line));
}

}  // namespace

std::vector<std::string> matrix_lines(const MatrixOperation& operation) {
  std::vector<std::string> lines = {operation_line(operation)};
  add_layout("A", operation.a, lines);
  add_layout("B", operation.b, lines);
  add_layout("C and D", operation.d, lines);
  return lines;
}

}  // namespace halyard::services
