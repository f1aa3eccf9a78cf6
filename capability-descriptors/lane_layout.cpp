// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/lane_layout.h"

#include "runtime/base/expression.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::descriptors {
namespace {

using base::concat;
using base::Expression;

// Slots of the two names that a layout may use.
constexpr std::uint32_t kLane = 0;
constexpr std::uint32_t kItem = 1;

base::Error error(std::string message) {
  return base::Error(base::ErrorCode::kInvalidArgument, std::move(message));
}

base::Result<Expression> compile(std::string_view text) {
  return Expression::compile(text, [](std::string_view name) -> std::optional<std::uint32_t> {
    if (name == "lane") return kLane;
    if (name == "item") return kItem;
    return std::nullopt;
  });
}

// One of the coordinates of an element: its expression and how many values it may take.
struct Coordinate {
  std::string_view name;
  Expression expression;
  std::uint32_t count;
};

base::Result<std::size_t> position_of(const std::vector<Coordinate>& coordinates,
                                      const std::array<std::int64_t, 2>& slots) {
  std::size_t position = 0;
  for (const Coordinate& coordinate : coordinates) {
    HALYARD_TRY_ASSIGN(const std::int64_t value, coordinate.expression.evaluate(slots));
    if (value < 0 || value >= std::int64_t{coordinate.count}) {
      return error(concat("Item ", slots[kItem], " of lane ", slots[kLane], " lies in ",
                          coordinate.name, ' ', value, ", outside 0 to ", coordinate.count - 1,
                          "."));
    }
    position = position * coordinate.count + static_cast<std::size_t>(value);
  }
  return position;
}

}  // namespace

MatrixShape shape_of_a(const MatrixOperation& operation) {
  return {operation.m, operation.sparse ? operation.k / 2 : operation.k, operation.blocks};
}

MatrixShape shape_of_b(const MatrixOperation& operation) {
  return {operation.k, operation.n, operation.blocks};
}

MatrixShape shape_of_d(const MatrixOperation& operation) {
  return {operation.m, operation.n, operation.blocks};
}

base::Status check_lane_expressions(const LaneLayout& layout) {
  for (const std::string& text : {layout.row, layout.column, layout.block}) {
    if (!text.empty()) HALYARD_TRY(compile(text));
  }
  return base::ok();
}

base::Status check_lane_layout(const LaneLayout& layout, const MatrixShape& shape,
                               std::uint32_t lanes) {
  if (layout.row.empty() && layout.column.empty() && layout.block.empty()) return base::ok();
  HALYARD_TRY_ASSIGN(Expression row, compile(layout.row));
  HALYARD_TRY_ASSIGN(Expression column, compile(layout.column));
  HALYARD_TRY_ASSIGN(Expression block, compile(layout.block.empty() ? "0" : layout.block));
  const std::vector<Coordinate> coordinates = {{"block", std::move(block), shape.blocks},
                                               {"row", std::move(row), shape.rows},
                                               {"column", std::move(column), shape.columns}};
  std::vector<std::uint32_t> times(std::size_t{shape.blocks} * shape.rows * shape.columns);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    for (std::uint32_t item = 0; item < layout.items; ++item) {
      HALYARD_TRY_ASSIGN(const std::size_t position, position_of(coordinates, {lane, item}));
      ++times[position];
    }
  }
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  if (*least != *most || *least == 0) {
    return error(concat("The ", layout.items, " items of ", lanes, " lanes hold some element ",
                        *least, " times and another ", *most, " times."));
  }
  return base::ok();
}

base::Status check_lane_layouts(const Descriptor& descriptor) {
  for (const MatrixOperation& each : descriptor.matrix_operations) {
    const std::array<std::pair<const LaneLayout*, MatrixShape>, 3> layouts = {
        {{&each.a, shape_of_a(each)}, {&each.b, shape_of_b(each)}, {&each.d, shape_of_d(each)}}};
    constexpr std::string_view kMatrices = "ABD";
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      const base::Status fits = check_lane_layout(*layouts[i].first, layouts[i].second, each.lanes);
      if (!fits) {
        return base::Error(
            base::ErrorCode::kCorruptData,
            concat(descriptor.id, ": the layout of ", kMatrices.substr(i, 1), " of ",
                   matrix_operation_name(each), " does not fit: ", fits.error().message()));
      }
    }
  }
  return base::ok();
}

}  // namespace halyard::descriptors
