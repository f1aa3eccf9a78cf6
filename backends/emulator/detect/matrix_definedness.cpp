// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/vector_definedness.h"
#include "backends/emulator/state/workgroup.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace halyard::emulator {
namespace {

// Where a matrix instruction has the elements of its matrices, as far as undefined ones go.
struct MatrixShape {
  bool is_understood = false;  // else every element of the result depends on all
  bool is_wmma = false;
  bool is_double = false;
  bool is_packed = false;  // two rows of the result in a dword
  unsigned size = 16;      // rows of A, columns of B
  unsigned blocks = 1;
  Generation generation = Generation::kGfx9;
};

unsigned number_at(std::string_view text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

MatrixShape shape_of(const Operation& operation, Generation generation) {
  MatrixShape shape;
  shape.generation = generation;
  const std::string_view name = operation.name;
  shape.is_wmma = name.starts_with("V_WMMA") || name.starts_with("V_SWMMAC");
  shape.is_double = name.find("_F64_") != std::string_view::npos;
  const std::size_t first = name.find('_', 2);
  const std::size_t second = first == std::string_view::npos ? first : name.find('_', first + 1);
  if (second == std::string_view::npos) return shape;
  const std::string_view result = name.substr(first + 1, second - first - 1);
  shape.is_packed = generation == Generation::kGfx12 && (result == "F16" || result == "BF16");
  const std::string_view extent = name.substr(second + 1);
  shape.size = number_at(extent);
  const std::size_t blocks = extent.find('_');
  if (blocks != std::string_view::npos && extent.size() > blocks + 2) {
    const std::string_view part = extent.substr(blocks + 1);
    const std::size_t end = part.find("B_");
    if (end == 1 || end == 2) shape.blocks = std::max(1U, number_at(part));
  }
  const bool is_known_size = shape.size == 4 || shape.size == 16 || shape.size == 32;
  const bool is_plain = operation.cbsz == 0 && (operation.blgp == 0 || shape.is_double);
  shape.is_understood = is_known_size && is_plain && shape.size * shape.blocks <= 64 &&
                        !(shape.is_double && shape.size == 4);
  return shape;
}

// Undefined rows of A, or columns of B, of up to 64 of all blocks: bit block * size + row.
std::uint64_t undefined_lines(const RegisterShadow& shadow, const Operand& operand,
                              const MatrixShape& shape) {
  if (!operand.is_vector() || !shadow.may_be_undefined(cells_of(operand))) return 0;
  std::uint64_t lines = 0;
  for (unsigned i = 0; i < operand.dwords; ++i) {
    const std::uint32_t* const masks = shadow.row(operand.index + i);
    if (!masks) continue;
    for (unsigned lane = 0; lane < shadow.lanes(); ++lane) {
      if (masks[lane] == 0) continue;
      if (!shape.is_understood) return ~std::uint64_t{0};
      lines |= std::uint64_t{1} << lane % (shape.size * shape.blocks);
    }
  }
  return lines;
}

// The first row of the result that dword `dword` of `lane` holds, and its block.
struct ResultPlace {
  unsigned row = 0;
  unsigned block = 0;
};

ResultPlace result_place(const MatrixShape& shape, unsigned dword, unsigned lane, unsigned lanes) {
  if (shape.is_wmma) {
    const unsigned groups = lanes / 16;
    if (shape.generation != Generation::kGfx12) return {groups * dword + lane / 16, 0};
    const unsigned rows = 16 / groups;
    return {lane / 16 * rows + (shape.is_packed ? 2 * dword : dword), 0};
  }
  if (shape.size == 4) return {dword % 4, lane / 4};
  if (shape.is_double) return {4 * (dword / 2) + lane / 16, 0};
  if (shape.size == 16) return {4 * (lane / 16) + dword % 4, dword / 4};
  return {8 * (dword % 16 / 4) + 4 * (lane / 32) + dword % 4, dword / 16};
}

}  // namespace

void find_matrix_definedness(const Wave& wave, RegisterShadow& shadow, const Operation& operation) {
  const MatrixShape shape = shape_of(operation, wave.workgroup->generation);
  const bool is_sparse = operation.name.find("SMFMAC") != std::string_view::npos ||
                         operation.name.find("SWMMAC") != std::string_view::npos;
  std::uint64_t rows = undefined_lines(shadow, operation.source[0], shape);
  const std::uint64_t columns = undefined_lines(shadow, operation.source[1], shape);
  if (is_sparse) rows |= undefined_lines(shadow, operation.source[2], shape);

  const Operand& destination = operation.destination[0];
  const Operand& addend = is_sparse ? destination : operation.source[2];
  for (unsigned dword = 0; dword < destination.dwords; ++dword) {
    std::uint32_t* const masks = shadow.row(destination.index + dword);
    if (!masks) continue;
    const std::uint32_t* const old =
        addend.is_vector() ? shadow.row(addend.index + dword) : nullptr;
    for (unsigned lane = 0; lane < shadow.lanes(); ++lane) {
      const ResultPlace place = result_place(shape, dword, lane, shadow.lanes());
      const unsigned base = place.block * shape.size;
      const std::uint64_t rows_here = rows >> ((base + place.row) & 63) & (shape.is_packed ? 3 : 1);
      const std::uint64_t column = columns >> ((base + lane % std::max(1U, shape.size)) & 63) & 1;
      const bool is_undefined = (rows_here | column) != 0 || (old && old[lane] != 0);
      masks[lane] = is_undefined ? 0xffffffff : 0;
    }
    shadow.update_flag(destination.index + dword);
  }
}

}  // namespace halyard::emulator
