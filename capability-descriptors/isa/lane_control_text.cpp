// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/lane_control_text.h"

#include "capability-descriptors/isa/constant_text.h"
#include "runtime/base/text.h"

#include <array>
#include <bit>
#include <string_view>

namespace halyard::isa {
namespace {

using base::concat;

std::uint64_t bits_at(const FormView& view, std::uint32_t offset, std::uint32_t count) {
  Field field;
  field.ranges = {{static_cast<std::uint16_t>(offset), static_cast<std::uint16_t>(count)}};
  return raw_field_value(field, view.words);
}

// Eight lanes of three bits, one after another.
std::string dpp8_text(const FormView& view) {
  std::string out = " dpp8:[";
  const Field& first = view.encoding.fields[view.layout.index_of(FieldId::kLaneSel0)];
  const std::uint32_t offset = first.ranges.empty() ? 0U : first.ranges[0].offset;
  for (std::uint32_t lane = 0; lane < 8; ++lane)
    out += concat(lane == 0 ? "" : ",", bits_at(view, offset + 3 * lane, 3));
  out += ']';
  // The code in the place of the first source says whether inactive lanes are read.
  constexpr std::uint64_t kFetchInactive = 234;
  for (std::uint32_t i = 0; i < view.encoding.fields.size(); ++i) {
    if (view.encoding.fields[i].name != "SRC0") continue;
    if (field_value(view.encoding, i, view.words) == kFetchInactive) out += " fi:1";
  }
  return out;
}

// A control from `first` on is written as the name and how far it is from `base`.
struct LaneControl {
  std::uint32_t first;
  std::uint32_t last;
  std::string_view name;
  std::uint32_t base;
};

constexpr std::array kLaneControls = {
    LaneControl{0x101, 0x10f, "row_shl", 0x100},  LaneControl{0x111, 0x11f, "row_shr", 0x110},
    LaneControl{0x121, 0x12f, "row_ror", 0x120},  LaneControl{0x130, 0x130, "wave_shl", 0x12f},
    LaneControl{0x134, 0x134, "wave_rol", 0x133}, LaneControl{0x138, 0x138, "wave_shr", 0x137},
    LaneControl{0x13c, 0x13c, "wave_ror", 0x13b},
};

std::string lane_name(const FormView& view, std::uint64_t control) {
  if (control <= 0xff) {
    return concat("quad_perm:[", control & 3, ',', control >> 2 & 3, ',', control >> 4 & 3, ',',
                  control >> 6 & 3, ']');
  }
  for (const LaneControl& known : kLaneControls) {
    if (control >= known.first && control <= known.last) {
      return concat(known.name, ':', control - known.base);
    }
  }
  if (control == 0x140) return "row_mirror";
  if (control == 0x141) return "row_half_mirror";
  if (control == 0x142) return "row_bcast:15";
  if (control == 0x143) return "row_bcast:31";
  if (control >= 0x150 && control <= 0x15f) {
    return concat(view.generation == TextGeneration::kGfx9 ? "row_newbcast:" : "row_share:",
                  control - 0x150);
  }
  if (control >= 0x160 && control <= 0x16f) return concat("row_xmask:", control - 0x160);
  return "/* Invalid dpp_ctrl value */";
}

std::string dpp16_text(const FormView& view) {
  std::string out = concat(' ', lane_name(view, view.value(FieldId::kDppCtrl)));
  out += concat(" row_mask:", hex_text(view.value(FieldId::kRowMask)),
                " bank_mask:", hex_text(view.value(FieldId::kBankMask)));
  if (view.is_set(FieldId::kBoundCtrl)) out += " bound_ctrl:1";
  if (view.is_set(FieldId::kFetchInactive)) out += " fi:1";
  return out;
}

std::string_view part_name(std::uint64_t part) {
  constexpr std::array<std::string_view, 8> kParts = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                                      "WORD_0", "WORD_1", "DWORD",  "DWORD"};
  return kParts[part & 7];
}

// Conversions from 8-bit floats, which take a part of their source only.
bool writes_whole_registers(const FormView& view) {
  return view.name().starts_with("V_CVT_") &&
         (view.name().ends_with("_FP8") || view.name().ends_with("_BF8"));
}

// Where the tables have a destination of scalars, the carry forms have their part of the vector
// destination all the same; the carry goes to VCC.
std::uint64_t destination_part(const FormView& view) {
  return view.has(FieldId::kDestinationSel) ? view.value(FieldId::kDestinationSel)
                                            : bits_at(view, 40, 3);
}

std::uint64_t destination_rest(const FormView& view) {
  return view.has(FieldId::kDestinationUnused) ? view.value(FieldId::kDestinationUnused)
                                               : bits_at(view, 43, 2);
}

std::string sdwa_text(const FormView& view, std::uint32_t source_count) {
  constexpr std::array<std::string_view, 4> kUnused = {"UNUSED_PAD", "UNUSED_SEXT",
                                                       "UNUSED_PRESERVE", "UNUSED_PRESERVE"};
  std::string out;
  if (view.layout.family != EncodingFamily::kVopc && !writes_whole_registers(view)) {
    out += concat(" dst_sel:", part_name(destination_part(view)),
                  " dst_unused:", kUnused[destination_rest(view) & 3]);
  }
  if (source_count > 0) out += concat(" src0_sel:", part_name(view.value(FieldId::kSource0Sel)));
  if (source_count > 1) out += concat(" src1_sel:", part_name(view.value(FieldId::kSource1Sel)));
  return out;
}

}  // namespace

std::string lane_control_text(const FormView& view, std::uint32_t source_count) {
  switch (view.layout.variant) {
    case EncodingVariant::kDpp8:
      return view.has(FieldId::kLaneSel0) ? dpp8_text(view) : std::string();
    case EncodingVariant::kDpp16:
      return dpp16_text(view);
    case EncodingVariant::kSdwa:
      return sdwa_text(view, source_count);
    default:
      return {};
  }
}

std::string swizzle_text(std::uint64_t offset) {
  if (offset == 0) return {};
  constexpr std::uint64_t kQuadMode = 0x8000;
  if ((offset & 0xff00) == kQuadMode) {
    return concat(" offset:swizzle(QUAD_PERM,", offset & 3, ',', offset >> 2 & 3, ',',
                  offset >> 4 & 3, ',', offset >> 6 & 3, ')');
  }
  if ((offset & kQuadMode) != 0) return concat(" offset:", offset);
  const std::uint64_t keep = offset & 31;
  const std::uint64_t set = offset >> 5 & 31;
  const std::uint64_t flip = offset >> 10 & 31;
  if (keep == 31 && set == 0 && std::has_single_bit(flip)) {
    return concat(" offset:swizzle(SWAP,", flip, ')');
  }
  if (keep == 31 && set == 0 && flip > 0 && std::has_single_bit(flip + 1)) {
    return concat(" offset:swizzle(REVERSE,", flip + 1, ')');
  }
  const std::uint64_t group = 32 - keep;
  if (group > 1 && std::has_single_bit(group) && set < group && flip == 0) {
    return concat(" offset:swizzle(BROADCAST,", group, ',', set, ')');
  }
  // One letter for each bit of the lane, the highest first: 0, 1, p(reserved) or i(nverted).
  std::string pattern;
  for (int bit = 4; bit >= 0; --bit) {
    const bool kept = (keep >> bit & 1) != 0;
    const bool is_set = (set >> bit & 1) != 0;
    const bool flipped = (flip >> bit & 1) != 0;
    if (is_set) {
      pattern += flipped ? '0' : '1';
    } else if (kept) {
      pattern += flipped ? 'i' : 'p';
    } else {
      pattern += flipped ? '1' : '0';
    }
  }
  return concat(" offset:swizzle(BITMASK_PERM,\"", pattern, "\")");
}

}  // namespace halyard::isa
