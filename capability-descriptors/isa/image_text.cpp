// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/image_text.h"

#include "capability-descriptors/isa/cache_policy_text.h"
#include "capability-descriptors/isa/constant_text.h"
#include "capability-descriptors/isa/register_text.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <vector>

namespace halyard::isa {
namespace {

using base::concat;

struct Dimension {
  std::string_view name;
  std::uint32_t coordinates;
  std::uint32_t gradients;
};

constexpr std::array kDimensions = {
    Dimension{"1D", 1, 2},       Dimension{"2D", 2, 4},
    Dimension{"3D", 3, 6},       Dimension{"CUBE", 3, 4},
    Dimension{"1D_ARRAY", 2, 2}, Dimension{"2D_ARRAY", 3, 4},
    Dimension{"2D_MSAA", 3, 4},  Dimension{"2D_MSAA_ARRAY", 4, 4},
};

const Dimension& dimension_of(const FormView& view) {
  return kDimensions[view.value(FieldId::kDim) & 7];
}

bool names(const FormView& view, std::string_view part) {
  return view.name().find(part) != std::string_view::npos;
}

// Whether a part of the name, such as the C of IMAGE_SAMPLE_C_LZ, stands between underscores.
bool has_part(const FormView& view, std::string_view part) {
  return names(view, concat('_', part, '_')) || view.name().ends_with(concat('_', part));
}

bool is_ray(const FormView& view) {
  return names(view, "INTERSECT_RAY");
}

// The registers of an address, in the order of the text, by how many belong together.
std::vector<std::uint32_t> ray_address_sizes(const FormView& view) {
  const std::uint32_t node = names(view, "BVH64") ? 2 : 1;
  if (view.is_set(FieldId::kA16)) return {node, 1, 3, 3};
  return {node, 1, 3, 3, 3};
}

// How many registers an address has: what a sample adds (offset, bias, comparison), the
// coordinates and a level, and gradients.
std::uint32_t address_words(const FormView& view) {
  const Dimension& dimension = dimension_of(view);
  const bool samples = names(view, "SAMPLE") || names(view, "GATHER4");
  std::uint32_t words = 0;
  if (samples) {
    for (const std::string_view extra : {"C", "B", "O"})
      words += has_part(view, extra) ? 1 : 0;
  }
  std::uint32_t numbers = names(view, "GET_RESINFO") ? 0 : dimension.coordinates;
  const bool has_level = has_part(view, "MIP") || names(view, "GET_RESINFO") ||
                         (samples && (has_part(view, "L") || has_part(view, "CL")));
  if (has_level) ++numbers;
  words += view.is_set(FieldId::kA16) ? (numbers + 1) / 2 : numbers;
  if (samples && (has_part(view, "D") || has_part(view, "CD"))) {
    // Halves are put together by direction, each of them to whole registers.
    const std::uint32_t halves = (dimension.gradients / 2 + 1) / 2 * 2;
    words += names(view, "G16") ? halves : dimension.gradients;
  }
  return words;
}

// The first registers of an address whose parts may lie apart.
std::vector<std::uint64_t> separate_registers(const FormView& view) {
  std::vector<std::uint64_t> registers;
  for (const std::string_view name : {"VADDR0", "VADDR1", "VADDR2", "VADDR3", "VADDR4"}) {
    const auto& fields = view.encoding.fields;
    const auto field =
        std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
    if (field != fields.end()) registers.push_back(raw_field_value(*field, view.words));
  }
  if (!registers.empty()) return registers;
  const auto& fields = view.encoding.fields;
  const auto first =
      std::find_if(fields.begin(), fields.end(), [](const Field& f) { return f.name == "VADDR"; });
  if (first == fields.end()) return registers;
  registers.push_back(raw_field_value(*first, view.words));
  // The dword after a short instruction holds the others, which the tables do not list.
  constexpr std::size_t kMoreWord = 2;
  if (view.encoding.bits <= 32 * kMoreWord || view.words.size() <= kMoreWord) return registers;
  for (std::uint32_t i = 0; i < 4; ++i)
    registers.push_back(view.words[kMoreWord] >> 8 * i & 0xff);
  return registers;
}

std::string address_text(const FormView& view) {
  const std::vector<std::uint64_t> registers = separate_registers(view);
  std::vector<std::uint32_t> sizes;
  if (is_ray(view)) {
    sizes = ray_address_sizes(view);
  } else {
    sizes.assign(std::max(1U, address_words(view)), 1);
  }
  if (registers.empty()) return "off";
  if (registers.size() == 1) {
    std::uint32_t count = 0;
    for (const std::uint32_t size : sizes)
      count += size;
    return register_tuple("v", registers[0], count);
  }
  // What finds no field of its own follows the last register.
  while (sizes.size() > registers.size()) {
    const std::uint32_t last = sizes.back();
    sizes.pop_back();
    sizes.back() += last;
  }
  if (sizes.size() == 1) return register_tuple("v", registers[0], sizes[0]);
  std::string out = "[";
  for (std::size_t i = 0; i < sizes.size(); ++i)
    out += concat(i == 0 ? "" : ", ", register_tuple("v", registers[i], sizes[i]));
  return out + ']';
}

std::uint32_t data_words(const FormView& view, const Operand& operand) {
  if (is_ray(view)) return (operand.bits + 31) / 32;
  const auto channels = static_cast<std::uint32_t>(std::popcount(view.value(FieldId::kDmask)));
  std::uint32_t words = std::max(1U, channels);
  if (names(view, "GATHER4") || names(view, "MSAA_LOAD")) words = 4;
  if (view.is_set(FieldId::kD16)) words = (words + 1) / 2;
  return words + (view.is_set(FieldId::kTfe) || view.is_set(FieldId::kLwe) ? 1 : 0);
}

bool lists_address(const FormView& view) {
  return std::any_of(view.form.operands.begin(), view.form.operands.end(),
                     [&](const Operand& o) { return view.field_name(o).starts_with("VADDR"); });
}

}  // namespace

std::optional<std::string> image_operand_text(const FormView& view, const Operand& operand) {
  if (view.layout.family != EncodingFamily::kImage || !view.has(FieldId::kDim)) {
    return std::nullopt;
  }
  const std::string_view field = view.field_name(operand);
  if (field == "VADDR") return address_text(view);
  if (field != "VDATA") return std::nullopt;
  const std::uint64_t first = field_value(view.encoding, operand.field, view.words);
  std::string data = register_tuple("v", first, data_words(view, operand));
  return lists_address(view) ? data : concat(data, ", ", address_text(view));
}

std::string image_modifier_text(const FormView& view) {
  std::string out;
  if (!is_ray(view)) {
    out += concat(" dmask:", hex_text(view.value(FieldId::kDmask)));
    if (view.has(FieldId::kDim)) out += concat(" dim:SQ_RSRC_IMG_", dimension_of(view).name);
    if (view.is_set(FieldId::kUnorm)) out += " unorm";
  }
  out += cache_policy_text(view);
  struct Flag {
    FieldId id;
    std::string_view text;
  };
  constexpr std::array kFlags = {Flag{FieldId::kR128, " r128"}, Flag{FieldId::kA16, " a16"},
                                 Flag{FieldId::kTfe, " tfe"}, Flag{FieldId::kLwe, " lwe"},
                                 Flag{FieldId::kD16, " d16"}};
  for (const Flag& flag : kFlags) {
    // The resource of rays is always half as wide.
    const bool is_implied = flag.id == FieldId::kR128 && is_ray(view);
    if (view.is_set(flag.id) && !is_implied) out += flag.text;
  }
  return out;
}

}  // namespace halyard::isa
