// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/modifier_text.h"

#include "capability-descriptors/isa/cache_policy_text.h"
#include "capability-descriptors/isa/constant_text.h"
#include "capability-descriptors/isa/image_text.h"
#include "capability-descriptors/isa/lane_control_text.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace halyard::isa {
namespace {

using base::concat;

// " name:[1,0,1]", the first element being bit 0.
std::string bit_list(std::string_view name, std::uint64_t bits, std::uint32_t count) {
  std::string out = concat(' ', name, ":[");
  for (std::uint32_t i = 0; i < count; ++i)
    out += concat(i == 0 ? "" : ",", bits >> i & 1);
  return out + ']';
}

std::uint64_t low_bits(std::uint64_t bits, std::uint32_t count) {
  return bits & ((std::uint64_t{1} << count) - 1);
}

bool is_mixed(const FormView& view) {
  return view.name().find("_MIX") != std::string_view::npos;
}

// Matrix instructions and moves of accumulators have the bits and do not look at them, but for
// those of gfx11 that write halves of registers.
bool chooses_high_halves(const FormView& view) {
  if (view.generation == TextGeneration::kGfx11 &&
      (view.name().starts_with("V_WMMA_F16_") || view.name().starts_with("V_WMMA_BF16_"))) {
    return true;
  }
  constexpr std::array<std::string_view, 3> kOthers = {"WMMA", "SWMMAC", "ACCVGPR"};
  return std::none_of(kOthers.begin(), kOthers.end(), [&](std::string_view part) {
    return view.name().find(part) != std::string_view::npos;
  });
}

// Conversions of 8-bit floats choose a byte of their source; the bits of the number are swapped.
bool selects_byte(const FormView& view) {
  return view.generation >= TextGeneration::kGfx12 &&
         (view.name() == "V_CVT_F32_FP8" || view.name() == "V_CVT_F32_BF8");
}

// Which halves of its registers an instruction that is not packed takes: bit 3 is of the
// destination, which follows the sources.
std::string half_select_text(const FormView& view, std::uint32_t source_count) {
  const std::uint64_t select = view.value(FieldId::kOpSel);
  if (select == 0) return {};
  if (selects_byte(view)) return concat(" byte_sel:", (select & 1) << 1 | (select >> 1 & 1));
  if (view.name().find("PERMLANE") != std::string_view::npos) return bit_list("op_sel", select, 2);
  // What is accumulated to, or written in part, is a source too.
  if (view.name().starts_with("V_FMAC") || view.name().starts_with("V_CVT_SR_")) ++source_count;
  const std::uint64_t bits = low_bits(select, source_count) | (select >> 3 & 1) << source_count;
  return bit_list("op_sel", bits, source_count + 1);
}

std::string select_text(const FormView& view, std::uint32_t source_count) {
  if (view.layout.family != EncodingFamily::kVop3p) return half_select_text(view, source_count);
  std::string out;
  const auto add = [&](std::string_view name, FieldId id, std::uint64_t usual) {
    const std::uint64_t bits = low_bits(view.value(id), source_count);
    if (bits != low_bits(usual, source_count)) out += bit_list(name, bits, source_count);
  };
  if (view.name().starts_with("V_SWMMAC")) {
    const std::uint64_t key = view.value(FieldId::kOpSel) & 3;
    if (key != 0) out += concat(" index_key:", key);
  } else {
    add("op_sel", FieldId::kOpSel, 0);
  }
  if (chooses_high_halves(view)) {
    add("op_sel_hi", FieldId::kOpSelHi, is_mixed(view) ? 0 : ~std::uint64_t{0});
  }
  if (is_mixed(view)) return out;
  add("neg_lo", FieldId::kNeg, 0);
  add("neg_hi", FieldId::kNegHi, 0);
  return out;
}

std::string output_text(const FormView& view) {
  constexpr std::array<std::string_view, 4> kScales = {"", " mul:2", " mul:4", " div:2"};
  std::string out;
  if (view.is_set(FieldId::kClamp)) out += " clamp";
  out += kScales[view.value(FieldId::kOmod) & 3];
  return out;
}

std::string matrix_text(const FormView& view) {
  std::string out;
  const auto number = [&](std::string_view name, FieldId id) {
    if (view.is_set(id)) out += concat(' ', name, ':', view.value(id));
  };
  number("cbsz", FieldId::kCbsz);
  number("abid", FieldId::kAbid);
  // Of doubles the same bits negate the sources.
  if (view.name().find("F64") == std::string_view::npos) {
    number("blgp", FieldId::kBlgp);
  } else if (view.is_set(FieldId::kBlgp)) {
    out += bit_list("neg", view.value(FieldId::kBlgp), 3);
  }
  return out;
}

std::int64_t sign_extended(const FormView& view, FieldId id) {
  const Field& field = view.encoding.fields[view.layout.index_of(id)];
  std::uint32_t bits = 0;
  for (const BitRange& range : field.ranges)
    bits += range.count;
  const std::uint64_t value = view.value(id);
  if (bits == 0 || bits >= 64 || (value >> (bits - 1) & 1) == 0) {
    return static_cast<std::int64_t>(value);
  }
  return static_cast<std::int64_t>(value | ~std::uint64_t{0} << bits);
}

std::string signed_offset_text(const FormView& view) {
  if (!view.has(FieldId::kOffset) || !view.is_set(FieldId::kOffset)) return {};
  // FLAT addresses are offset upward only, before gfx12.
  const bool is_signed =
      view.layout.family != EncodingFamily::kFlat || view.generation >= TextGeneration::kGfx12;
  return is_signed ? concat(" offset:", sign_extended(view, FieldId::kOffset))
                   : concat(" offset:", view.value(FieldId::kOffset));
}

std::string lds_text(const FormView& view) {
  std::string out;
  const std::uint64_t first = view.value(FieldId::kOffset0);
  const std::uint64_t second = view.value(FieldId::kOffset1);
  constexpr std::array<std::string_view, 4> kPairs = {"2ADDR", "READ2", "WRITE2", "WRXCHG2"};
  const bool has_two = std::any_of(kPairs.begin(), kPairs.end(), [&](std::string_view part) {
    return view.name().find(part) != std::string_view::npos;
  });
  if (view.name() == "DS_SWIZZLE_B32") {
    out += swizzle_text(first | second << 8);
  } else if (has_two) {
    if (first != 0) out += concat(" offset0:", first);
    if (second != 0) out += concat(" offset1:", second);
  } else if ((first | second) != 0) {
    out += concat(" offset:", first | second << 8);
  }
  if (view.is_set(FieldId::kGds)) out += " gds";
  return out;
}

std::string buffer_text(const FormView& view) {
  std::string out;
  if (view.layout.family == EncodingFamily::kTypedBuffer || view.name().starts_with("TBUFFER")) {
    out += buffer_format_text(view);
  }
  if (view.is_set(FieldId::kIdxen)) out += " idxen";
  if (view.is_set(FieldId::kOffen)) out += " offen";
  if (view.is_set(FieldId::kOffset)) out += concat(" offset:", view.value(FieldId::kOffset));
  // Where bits are called GLC, those of an instruction on caches are part of its encoding.
  const bool is_fixed = view.form.operands.empty() && view.has(FieldId::kGlc);
  if (!is_fixed) out += cache_policy_text(view);
  if (view.is_set(FieldId::kTfe)) out += " tfe";
  if (view.is_set(FieldId::kLds)) out += " lds";
  return out;
}

}  // namespace

std::string modifier_text(const FormView& view, std::uint32_t source_count) {
  switch (view.layout.family) {
    case EncodingFamily::kVop1:
    case EncodingFamily::kVop2:
    case EncodingFamily::kVopc:
    case EncodingFamily::kVop3:
    case EncodingFamily::kVop3p:
      return concat(select_text(view, source_count), output_text(view),
                    lane_control_text(view, source_count));
    case EncodingFamily::kInterpolation:
      return concat(select_text(view, source_count), output_text(view),
                    " wait_exp:", view.value(FieldId::kWaitExp));
    case EncodingFamily::kMatrix:
      return matrix_text(view);
    case EncodingFamily::kLds:
      return lds_text(view);
    case EncodingFamily::kLdsDirect: {
      if (!view.has(FieldId::kWaitVaVdst)) {
        return concat(" wait_vdst:", view.value(FieldId::kWaitVdst));
      }
      return concat(" wait_va_vdst:", view.value(FieldId::kWaitVaVdst),
                    " wait_vm_vsrc:", view.value(FieldId::kWaitVmVsrc));
    }
    case EncodingFamily::kBuffer:
    case EncodingFamily::kTypedBuffer:
      return buffer_text(view);
    case EncodingFamily::kFlat:
    case EncodingFamily::kGlobal:
    case EncodingFamily::kScratch:
      return concat(signed_offset_text(view), cache_policy_text(view),
                    view.is_set(FieldId::kLds) ? " lds" : "");
    case EncodingFamily::kScalarMemory:
      return cache_policy_text(view);
    case EncodingFamily::kImage:
      return image_modifier_text(view);
    case EncodingFamily::kExport:
      return concat(view.is_set(FieldId::kDone) ? " done" : "",
                    view.is_set(FieldId::kRowEnable) ? " row_en" : "");
    default:
      return {};
  }
}

}  // namespace halyard::isa
