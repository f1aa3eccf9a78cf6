// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/matrix_text.h"

#include "runtime/base/text.h"

#include <cstddef>
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

bool is_alike(const LaneLayout& left, const LaneLayout& right) {
  return left.items == right.items && left.row == right.row && left.column == right.column &&
         left.block == right.block;
}

bool lies_alike(const MatrixOperation& left, const MatrixOperation& right) {
  return is_alike(left.a, right.a) && is_alike(left.b, right.b) && is_alike(left.d, right.d);
}

}  // namespace

std::vector<std::string> matrix_lines(const std::vector<const MatrixOperation*>& operations) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const MatrixOperation& operation = *operations[i];
    lines.push_back(operation_line(operation));
    if (i + 1 < operations.size() && lies_alike(operation, *operations[i + 1])) continue;
    add_layout("A", operation.a, lines);
    add_layout("B", operation.b, lines);
    add_layout("C and D", operation.d, lines);
  }
  return lines;
}

}  // namespace halyard::services
