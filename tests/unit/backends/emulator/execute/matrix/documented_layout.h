// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "capability-descriptors/descriptor_json.h"
#include "runtime/base/expression.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace halyard::emulator {

// Where an element of a matrix lies, and who holds it.
struct ElementPlace {
  std::uint32_t lane = 0;
  std::uint32_t item = 0;
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::uint32_t block = 0;
};

inline base::Result<base::Expression> compile_place(const std::string& text) {
  return base::Expression::compile(text.empty() ? "0" : text,
                                   [](std::string_view name) -> std::optional<std::uint32_t> {
                                     if (name == "lane") return 0;
                                     if (name == "item") return 1;
                                     return std::nullopt;
                                   });
}

// Every element that the lanes hold, by the text of a descriptor.
inline std::vector<ElementPlace> places_of(const descriptors::LaneLayout& layout,
                                           std::uint32_t lanes) {
  const auto row = compile_place(layout.row);
  const auto column = compile_place(layout.column);
  const auto block = compile_place(layout.block);
  std::vector<ElementPlace> places;
  if (!row || !column || !block) {
    ADD_FAILURE() << "A layout is no expression.";
    return places;
  }
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    for (std::uint32_t item = 0; item < layout.items; ++item) {
      const std::array<std::int64_t, 2> slots = {lane, item};
      const auto at = [&](const base::Expression& expression) {
        return static_cast<std::uint32_t>(expression.evaluate(slots).value());
      };
      places.push_back({lane, item, at(*row), at(*column), at(*block)});
    }
  }
  return places;
}

// The matrix operations of a target with all three layouts.
inline std::vector<descriptors::MatrixOperation> documented_operations(const std::string& target) {
  const std::string path = HALYARD_SHIPPED_DESCRIPTORS "/amd/" + target + ".descriptor.json";
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto descriptor = descriptors::parse_descriptor(text, path);
  if (!descriptor) {
    ADD_FAILURE() << descriptor.error().message();
    return {};
  }
  std::vector<descriptors::MatrixOperation> operations;
  for (const descriptors::MatrixOperation& operation : descriptor->matrix_operations) {
    if (operation.a.items != 0 && operation.b.items != 0 && operation.d.items != 0)
      operations.push_back(operation);
  }
  return operations;
}

}  // namespace halyard::emulator
