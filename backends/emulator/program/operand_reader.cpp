// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/program/operand_reader.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace halyard::emulator {
namespace {

using isa::EncodingFamily;
using isa::FieldId;

// Codes of sources.
constexpr std::uint64_t kFirstSpecial = 106;
constexpr std::uint64_t kFirstTrapRegister = 108;
constexpr std::uint64_t kEndOfTrapRegisters = 124;
constexpr std::uint64_t kExecCode = 126;
constexpr std::uint64_t kEndOfScalars = 128;
constexpr std::uint64_t kFirstNegativeInteger = 193;  // -1
constexpr std::uint64_t kEndOfIntegers = 209;
constexpr std::uint64_t kFirstFloat = 240;
constexpr std::uint64_t kEndOfFloats = 249;
constexpr std::uint64_t kLiteralCode = 255;
constexpr std::uint64_t kFirstVector = 256;

struct SpecialSource {
  std::uint64_t code;
  OperandKind kind;
};

constexpr std::array kSpecialSources = {
    SpecialSource{235, OperandKind::kSharedBase},  SpecialSource{236, OperandKind::kSharedLimit},
    SpecialSource{237, OperandKind::kPrivateBase}, SpecialSource{238, OperandKind::kPrivateLimit},
    SpecialSource{251, OperandKind::kVccz},        SpecialSource{252, OperandKind::kExecz},
    SpecialSource{253, OperandKind::kScc},
};

// The floats that have a code, from 240 on: 0.5, -0.5, 1, -1, 2, -2, 4, -4 and 1 / (2 pi).
struct InlineFloat {
  std::uint16_t half;
  std::uint32_t single;
  std::uint64_t wide;
};

constexpr std::array kInlineFloats = {
    InlineFloat{0x3800, 0x3f000000, 0x3fe0000000000000},
    InlineFloat{0xb800, 0xbf000000, 0xbfe0000000000000},
    InlineFloat{0x3c00, 0x3f800000, 0x3ff0000000000000},
    InlineFloat{0xbc00, 0xbf800000, 0xbff0000000000000},
    InlineFloat{0x4000, 0x40000000, 0x4000000000000000},
    InlineFloat{0xc000, 0xc0000000, 0xc000000000000000},
    InlineFloat{0x4400, 0x40800000, 0x4010000000000000},
    InlineFloat{0xc400, 0xc0800000, 0xc010000000000000},
    InlineFloat{0x3118, 0x3e22f983, 0x3fc45f306dc9c882},
};
static_assert(kInlineFloats.size() == kEndOfFloats - kFirstFloat);

std::uint64_t float_bits(const InlineFloat& number, const NumberFormat& format) {
  if (format.bits == 64) return number.wide;
  // A number of 16 bits lies in the low half, with nothing above it; as an integer it is the
  // single.
  if (format.bits == 16 && format.is_brain_float) return number.single >> 16;
  if (format.bits == 16 && format.is_float) return number.half;
  return number.single;
}

bool is_vector_type(std::string_view type) {
  return type.find("VGPR") != std::string_view::npos;
}

// Whether a source's code may name a vector register.
bool takes_vectors(std::string_view type) {
  return type.find("SSRC") == std::string_view::npos && !type.starts_with("OPR_SREG") &&
         !type.starts_with("OPR_SDST");
}

std::uint32_t field_bits(const isa::FormView& view, const isa::Operand& operand) {
  std::uint32_t bits = 0;
  for (const isa::BitRange& range : view.encoding.fields[operand.field].ranges)
    bits += range.count;
  return bits;
}

// Operands of two dwords start at even registers, larger ones at multiples of four.
bool is_aligned(std::uint64_t code, std::uint32_t count) {
  return count < 2 || code % (count == 2 ? 2U : 4U) == 0;
}

}  // namespace

NumberFormat number_format(const isa::InstructionSet& set, const isa::Operand& operand) {
  NumberFormat out;
  if (operand.data_format == isa::kNoIndex) {
    out.bits = 0;
    return out;
  }
  const isa::DataFormat& format = set.data_formats[operand.data_format];
  const std::string_view name = format.name;
  const std::uint32_t components = std::max(1U, format.components);
  const std::uint32_t bits = format.bits / components;
  out.is_float = format.type == "float";
  out.is_brain_float = name.ends_with("BF16");
  out.is_lane_mask = name == "FMT_NUM_M64";
  out.is_packed = components > 1;
  const std::size_t suffix = name.rfind('_');
  out.is_signed = suffix != std::string_view::npos && name.substr(suffix + 1).starts_with('I');
  out.bits = bits == 0 || bits > 64 ? 0 : bits <= 8 ? 8 : bits == 16 ? 16 : bits <= 32 ? 32 : 64;
  return out;
}

std::uint32_t OperandReader::dwords(const isa::Operand& operand) const {
  if (number_format(view_.set, operand).is_lane_mask) return limits_.lanes / 32;
  std::uint32_t bits = operand.bits;
  if (operand.data_format != isa::kNoIndex && limits_.lanes == 64) {
    // The tables give the matrices of a wave of 32 lanes; twice the lanes hold half as much each,
    // but for those that gfx11 has twice in a wave.
    const std::string_view format = view_.set.data_formats[operand.data_format].name;
    const bool is_shared = format.starts_with("FMT_WMMA_AB") && generation_ == Generation::kGfx11;
    if (format.starts_with("FMT_WMMA_") && bits > 32 && !is_shared) bits /= 2;
  }
  return std::max(1U, (bits + 31) / 32);
}

bool OperandReader::is_literal(const isa::Operand& operand) const {
  return operand.field != isa::kNoIndex &&
         operand.field == view_.layout.index_of(FieldId::kLiteral);
}

std::uint64_t OperandReader::code_of(const isa::Operand& operand) const {
  if (is_literal(operand)) return kLiteralCode;
  return isa::field_value(view_.encoding, operand.field, view_.words);
}

Operand OperandReader::lane_mask(std::uint16_t index) const {
  Operand out;
  out.kind = OperandKind::kScalar;
  out.index = index;
  out.dwords = static_cast<std::uint8_t>(limits_.lanes / 32);
  out.bits = static_cast<std::uint8_t>(limits_.lanes);
  return out;
}

std::optional<Operand> OperandReader::vector(std::uint64_t first, std::uint32_t count,
                                             bool accumulates) const {
  const std::uint32_t limit =
      accumulates ? limits_.accumulation_registers : limits_.vector_registers;
  if (first >= limit || count > limit - first) return std::nullopt;
  Operand out;
  out.kind = OperandKind::kVector;
  out.index = static_cast<std::uint16_t>(first + (accumulates ? kAccumulationRow : 0U));
  out.dwords = static_cast<std::uint8_t>(count);
  return out;
}

std::optional<Operand> OperandReader::scalar(std::uint64_t code, std::uint32_t count,
                                             bool is_written) const {
  const bool is_gfx9 = generation_ == Generation::kGfx9;
  Operand out;
  out.kind = OperandKind::kScalar;
  out.dwords = static_cast<std::uint8_t>(count);
  out.index = static_cast<std::uint16_t>(code);
  constexpr std::uint64_t kNullCode = 124;
  if (!is_gfx9 && code == kNullCode) {
    if (!is_written) out.kind = OperandKind::kConstant;
    out.index = kSinkIndex;
    return out;
  }
  const std::uint64_t m0 = is_gfx9 ? 124 : 125;
  if (code == m0) {
    if (count != 1) return std::nullopt;
    out.index = kM0Index;
    return out;
  }
  if (!is_aligned(code, count)) return std::nullopt;
  const std::uint64_t end = code + count;
  if (code < kFirstSpecial) {
    // On gfx9 the last four are flat_scratch and xnack_mask, pairs of their own.
    constexpr std::uint64_t kFirstNamed = 102;
    const bool is_named = is_gfx9 && code >= kFirstNamed;
    const std::uint64_t limit = is_gfx9 && !is_named ? kFirstNamed : kFirstSpecial;
    if (end > limit || (is_named && count > 2)) return std::nullopt;
    return out;
  }
  if (code < kFirstTrapRegister)
    return end <= kFirstTrapRegister ? std::optional(out) : std::nullopt;
  // Only a trap handler writes its registers.
  if (code < kEndOfTrapRegisters) {
    return end <= kEndOfTrapRegisters && !is_written ? std::optional(out) : std::nullopt;
  }
  if (code < kExecCode || end > kEndOfScalars) return std::nullopt;
  return out;
}

Operand OperandReader::literal(const isa::Operand& operand) const {
  const NumberFormat format = number_format(view_.set, operand);
  const std::uint32_t literal = view_.literal();
  Operand out;
  out.kind = OperandKind::kConstant;
  out.dwords = static_cast<std::uint8_t>(dwords(operand));
  out.bits = static_cast<std::uint8_t>(format.bits);
  out.constant = literal;
  if (format.bits == 64 && !format.is_lane_mask) {
    if (format.is_float) out.constant = std::uint64_t{literal} << 32;
    if (format.is_signed) {
      out.constant = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(literal)});
    }
  }
  if (format.bits == 16 && !format.is_packed) out.constant &= 0xffff;
  return out;
}

std::optional<Operand> OperandReader::inline_constant(const isa::Operand& operand,
                                                      std::uint64_t code) const {
  const NumberFormat format = number_format(view_.set, operand);
  Operand out;
  out.kind = OperandKind::kConstant;
  out.dwords = static_cast<std::uint8_t>(dwords(operand));
  out.bits = static_cast<std::uint8_t>(format.is_lane_mask ? limits_.lanes : format.bits);
  if (code >= kFirstFloat && code < kEndOfFloats) {
    out.constant = float_bits(kInlineFloats[code - kFirstFloat], format);
    return out;
  }
  if (code >= kEndOfIntegers) return std::nullopt;
  const auto number = static_cast<std::int64_t>(code);
  const std::int64_t value = code < kFirstNegativeInteger
                                 ? number - static_cast<std::int64_t>(kEndOfScalars)
                                 : static_cast<std::int64_t>(kFirstNegativeInteger) - 1 - number;
  out.constant = static_cast<std::uint64_t>(value);
  // A packed number of 32 bits takes the low dword only.
  if (format.is_packed && out.dwords > 1) out.constant &= 0xffffffff;
  return out;
}

std::optional<Operand> OperandReader::read_source(const isa::Operand& operand,
                                                  std::uint64_t code) const {
  const NumberFormat format = number_format(view_.set, operand);
  std::optional<Operand> out;
  if (code == kLiteralCode) return literal(operand);
  if (code < kEndOfScalars) {
    out = scalar(code, dwords(operand), operand.output);
  } else if (code >= kFirstVector) {
    out = vector(code - kFirstVector, dwords(operand), false);
  } else if (const auto special =
                 std::find_if(kSpecialSources.begin(), kSpecialSources.end(),
                              [&](const SpecialSource& source) { return source.code == code; });
             special != kSpecialSources.end()) {
    out.emplace();
    out->kind = special->kind;
    out->dwords = static_cast<std::uint8_t>(dwords(operand));
  } else {
    return inline_constant(operand, code);
  }
  if (out) out->bits = static_cast<std::uint8_t>(format.is_lane_mask ? limits_.lanes : format.bits);
  return out;
}

// A matrix instruction says by a bit beside each operand that it is an accumulation register. The
// third source goes with the destination, unless it is an index.
bool OperandReader::accumulates(const isa::Operand& operand, bool is_source_code) const {
  const std::string_view type = view_.type_name(operand);
  const std::string_view field = view_.field_name(operand);
  if (type == "OPR_ACCVGPR" || type == "OPR_SRC_ACCVGPR") return true;
  if (view_.layout.family != EncodingFamily::kMatrix) {
    // One bit for the data of a memory instruction; its address is never there.
    const bool is_data = field.starts_with("DATA") || field == "VDST" || field == "VDATA";
    return is_data && type == "OPR_VGPR_OR_ACCVGPR" && view_.is_set(FieldId::kAcc);
  }
  if (field == "SRC0") return (view_.value(FieldId::kAcc) & 1) != 0;
  if (field == "SRC1") return (view_.value(FieldId::kAcc) & 2) != 0;
  if (is_source_code && view_.name().starts_with("V_SMFMAC")) return false;
  return !view_.has(FieldId::kAccCd) || view_.is_set(FieldId::kAccCd);
}

// The short forms of gfx11 and later take halves of the first 128 registers.
bool OperandReader::names_halves(const isa::Operand& operand) const {
  const EncodingFamily family = view_.layout.family;
  const bool is_short = family == EncodingFamily::kVop1 || family == EncodingFamily::kVop2 ||
                        family == EncodingFamily::kVopc;
  return is_short && generation_ != Generation::kGfx9 && operand.bits == 16;
}

std::optional<Operand> OperandReader::read_vector(const isa::Operand& operand, std::uint64_t code,
                                                  bool* takes_high_half) const {
  const bool is_source_code = field_bits(view_, operand) > 8;
  if (is_source_code && code < kFirstVector) return std::nullopt;
  if (is_source_code) code -= kFirstVector;
  constexpr std::uint64_t kHighHalf = 0x80;
  if (names_halves(operand) && (code & kHighHalf) != 0) {
    *takes_high_half = true;
    code &= ~kHighHalf;
  }
  auto out = vector(code, dwords(operand), accumulates(operand, is_source_code));
  if (out) out->bits = static_cast<std::uint8_t>(number_format(view_.set, operand).bits);
  return out;
}

std::optional<Operand> OperandReader::read(const isa::Operand& operand,
                                           bool* takes_high_half) const {
  const std::string_view type = view_.type_name(operand);
  if (type == "OPR_VCC") return lane_mask(kVccIndex);
  if (type == "OPR_EXEC" || type == "OPR_SDST_EXEC") return lane_mask(kExecIndex);
  if (type == "OPR_SIMM32") return literal(operand);
  if (operand.field == isa::kNoIndex) return std::nullopt;
  const std::uint64_t code = code_of(operand);
  if (is_vector_type(type) && !is_literal(operand)) {
    const bool takes_constants = type.ends_with("_OR_CONST") || type.ends_with("_OR_INLINE");
    if (takes_constants && code < kFirstVector) {
      return code < kEndOfScalars ? std::nullopt : inline_constant(operand, code);
    }
    return read_vector(operand, code, takes_high_half);
  }
  if (code >= kFirstVector) {
    return takes_vectors(type) ? read_vector(operand, code, takes_high_half) : std::nullopt;
  }
  auto out = read_source(operand, code);
  const bool is_register = out && (out->is_scalar() || code < kEndOfScalars);
  const bool must_be_register = operand.output || type == "OPR_SREG";
  if (must_be_register && !is_register) return std::nullopt;
  return out;
}

}  // namespace halyard::emulator
