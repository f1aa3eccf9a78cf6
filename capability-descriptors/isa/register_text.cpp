// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/register_text.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>

namespace halyard::isa {
namespace {

using base::concat;

// A register with a name of its own, where a source or scalar destination may name it.
struct SpecialRegister {
  std::uint32_t value;
  TextGeneration first;
  TextGeneration last;
  std::string_view name;    // of 32 bits
  std::string_view name64;  // of 64 bits, "" where there is none
};

constexpr TextGeneration kOld = TextGeneration::kGfx9;
constexpr TextGeneration kNew = TextGeneration::kGfx12;

constexpr std::array kSpecialRegisters = {
    SpecialRegister{102, kOld, kOld, "flat_scratch_lo", "flat_scratch"},
    SpecialRegister{103, kOld, kOld, "flat_scratch_hi", ""},
    SpecialRegister{104, kOld, kOld, "xnack_mask_lo", "xnack_mask"},
    SpecialRegister{105, kOld, kOld, "xnack_mask_hi", ""},
    SpecialRegister{106, kOld, kNew, "vcc_lo", "vcc"},
    SpecialRegister{107, kOld, kNew, "vcc_hi", ""},
    SpecialRegister{124, kOld, kOld, "m0", ""},
    SpecialRegister{124, TextGeneration::kGfx10, TextGeneration::kGfx10, "m0", ""},
    SpecialRegister{125, TextGeneration::kGfx10, TextGeneration::kGfx10, "null", "null"},
    SpecialRegister{124, TextGeneration::kGfx11, kNew, "null", "null"},
    SpecialRegister{125, TextGeneration::kGfx11, kNew, "m0", ""},
    SpecialRegister{126, kOld, kNew, "exec_lo", "exec"},
    SpecialRegister{127, kOld, kNew, "exec_hi", ""},
    SpecialRegister{235, kOld, kNew, "src_shared_base", "src_shared_base"},
    SpecialRegister{236, kOld, kNew, "src_shared_limit", "src_shared_limit"},
    SpecialRegister{237, kOld, kNew, "src_private_base", "src_private_base"},
    SpecialRegister{238, kOld, kNew, "src_private_limit", "src_private_limit"},
    SpecialRegister{239, kOld, kNew, "src_pops_exiting_wave_id", "src_pops_exiting_wave_id"},
    SpecialRegister{251, kOld, kNew, "src_vccz", "src_vccz"},
    SpecialRegister{252, kOld, kNew, "src_execz", "src_execz"},
    SpecialRegister{253, kOld, kNew, "src_scc", "src_scc"},
    SpecialRegister{254, kOld, kNew, "src_lds_direct", ""},
};

// Types that number registers as sources do, from s0 at 0 on.
bool numbers_as_sources(std::string_view type_name) {
  return !type_name.starts_with("OPR_VGPR") && !type_name.starts_with("OPR_ACCVGPR");
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

}  // namespace

std::string register_tuple(std::string_view prefix, std::uint64_t first, std::uint32_t count) {
  if (count <= 1) return concat(prefix, first);
  return concat(prefix, '[', first, ':', first + count - 1, ']');
}

std::optional<std::string> register_text(const FormView& view, const OperandType& type,
                                         std::uint64_t value, std::uint32_t bits) {
  const std::uint32_t count = std::max(1U, (bits + 31) / 32);
  // A vector register in a field of sources has its code there, whatever its type says.
  constexpr std::uint64_t kFirstVector = 256;
  if (!numbers_as_sources(type.name) && value >= kFirstVector) value -= kFirstVector;
  for (const RegisterRange& range : type.registers) {
    if (value < range.first_value || value - range.first_value >= range.count) continue;
    // Accumulation registers have a shorter prefix in texts than in the tables.
    const std::string_view prefix = range.prefix == "acc" ? "a" : std::string_view(range.prefix);
    std::uint64_t first = range.first_number + (value - range.first_value);
    // Groups of scalar registers start at even numbers, larger ones at multiples of four.
    if (prefix == "s" || prefix == "ttmp") first &= ~std::uint64_t{count >= 4 ? 3U : count - 1};
    return register_tuple(prefix, first, count);
  }
  if (numbers_as_sources(type.name)) {
    for (const SpecialRegister& special : kSpecialRegisters) {
      if (special.value != value || view.generation < special.first ||
          view.generation > special.last) {
        continue;
      }
      const bool wide = count > 1 && !special.name64.empty();
      return std::string(wide ? special.name64 : special.name);
    }
  }
  const auto named = std::find_if(type.values.begin(), type.values.end(),
                                  [&](const NamedValue& v) { return v.value == value; });
  if (named == type.values.end()) return std::nullopt;
  return lower(named->name);
}

TextGeneration text_generation(std::string_view instruction_set_id) {
  struct Known {
    std::string_view id;
    TextGeneration generation;
  };
  constexpr std::array kKnown = {
      Known{"amd/gcn", TextGeneration::kGfx9},    Known{"amd/cdna5", TextGeneration::kGfx12},
      Known{"amd/cdna", TextGeneration::kGfx9},   Known{"amd/rdna1", TextGeneration::kGfx10},
      Known{"amd/rdna2", TextGeneration::kGfx10}, Known{"amd/rdna3", TextGeneration::kGfx11},
  };
  for (const Known& known : kKnown) {
    if (instruction_set_id.starts_with(known.id)) return known.generation;
  }
  return TextGeneration::kGfx12;
}

}  // namespace halyard::isa
