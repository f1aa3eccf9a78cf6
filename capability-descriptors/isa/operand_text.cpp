// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/operand_text.h"

#include "capability-descriptors/isa/constant_text.h"
#include "capability-descriptors/isa/image_text.h"
#include "capability-descriptors/isa/immediate_text.h"
#include "capability-descriptors/isa/memory_text.h"
#include "capability-descriptors/isa/mnemonic.h"
#include "capability-descriptors/isa/modifier_text.h"
#include "capability-descriptors/isa/operand_order.h"
#include "capability-descriptors/isa/register_text.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace halyard::isa {
namespace {

using base::concat;

constexpr std::uint64_t kLiteralCode = 255;

// Which source of a vector instruction an operand is, for the modifiers that belong to it.
struct SourceModifiers {
  bool negated = false;
  bool absolute = false;
  bool sign_extended = false;
};

class FormWriter {
 public:
  explicit FormWriter(const FormView& view) : view_(view) {}

  std::string text() {
    std::string_view separator = " ";
    for (const Operand* const operand : operands_in_text(view_)) {
      const std::string text = operand_text(*operand);
      if (text.empty()) continue;
      out_ += concat(separator, text);
      separator = view_.type_name(*operand) == "OPR_TGT" ? " " : ", ";
    }
    // The tables list no operand of the one instruction that may have a number all the same.
    if (view_.form.operands.empty() && view_.name() == "S_ENDPGM" &&
        view_.is_set(FieldId::kSimm16)) {
      out_ = concat(' ', view_.value(FieldId::kSimm16));
    }
    return concat(mnemonic(view_), out_, modifier_text(view_, source_));
  }

 private:
  std::string operand_text(const Operand& operand);
  std::string value_text(const Operand& operand, std::uint64_t value) const;
  std::string source_text(const Operand& operand, const OperandType& type,
                          std::uint64_t value) const;
  std::optional<std::string> lane_operand_text(const Operand& operand, std::uint64_t value) const;
  std::optional<std::string> accumulator_text(const Operand& operand, std::uint64_t value) const;
  bool takes_scalar(std::uint32_t source) const;
  std::string lane_mask_text(std::string_view wide, std::string_view narrow) const;
  std::uint64_t value_of(const Operand& operand) const;
  std::uint32_t bits_of(const Operand& operand) const;
  bool is_source(const Operand& operand) const;
  SourceModifiers modifiers(std::uint32_t source) const;
  NumberKind kind_of(const Operand& operand) const;
  bool has_sign_modifiers(const Operand& operand) const;
  bool is_mixed() const;
  const OperandType& sources() const;

  const FormView& view_;
  std::uint32_t source_ = 0;  // the number of the next one
  std::string out_;
};

std::string FormWriter::lane_mask_text(std::string_view wide, std::string_view narrow) const {
  return std::string(view_.wavefront_size == 32 ? narrow : wide);
}

// An operand that takes part in the numbering of sources; a destination that is read does not.
bool FormWriter::is_source(const Operand& operand) const {
  return operand.input && !operand.output && operand.in_microcode &&
         view_.type_name(operand) != "OPR_SIMM32";
}

std::uint32_t FormWriter::bits_of(const Operand& operand) const {
  if (operand.data_format != kNoIndex &&
      view_.set.data_formats[operand.data_format].name == "FMT_NUM_M64") {
    return view_.wavefront_size;
  }
  return operand.bits;
}

NumberKind FormWriter::kind_of(const Operand& operand) const {
  const DataFormat* const format =
      operand.data_format == kNoIndex ? nullptr : &view_.set.data_formats[operand.data_format];
  NumberKind kind = number_kind(format, operand.bits);
  // Literals of their own have whole dwords, whatever is taken of them, and so have scalar
  // instructions, but for those on two halves.
  const bool is_on_halves = kind.is_float && view_.encoding.name.find("SOP1") == std::string::npos;
  const bool is_whole = (view_.layout.family == EncodingFamily::kScalar && !is_on_halves) ||
                        view_.type_name(operand) == "OPR_SIMM32";
  if (is_whole && kind.bits == 16) kind.bits = 32;
  return kind;
}

// Whether the sources of the instruction have signs that can be changed.
bool FormWriter::has_sign_modifiers(const Operand& operand) const {
  if (view_.name().starts_with("V_CNDMASK") || is_mixed()) return true;
  return kind_of(operand).is_float;
}

bool FormWriter::is_mixed() const {
  return view_.name().find("_MIX") != std::string_view::npos;
}

std::uint64_t FormWriter::value_of(const Operand& operand) const {
  if (operand.field == view_.layout.index_of(FieldId::kLiteral)) return kLiteralCode;
  return field_value(view_.encoding, operand.field, view_.words);
}

SourceModifiers FormWriter::modifiers(std::uint32_t source) const {
  SourceModifiers result;
  const bool has_halves = view_.has(FieldId::kSource0Neg) &&
                          view_.layout.family != EncodingFamily::kVop3 &&
                          view_.layout.family != EncodingFamily::kVop3p;
  if (has_halves && source < 2) {
    constexpr std::array kNeg = {FieldId::kSource0Neg, FieldId::kSource1Neg};
    constexpr std::array kAbs = {FieldId::kSource0Abs, FieldId::kSource1Abs};
    constexpr std::array kSext = {FieldId::kSource0Sext, FieldId::kSource1Sext};
    result.negated = view_.is_set(kNeg[source]);
    result.absolute = view_.is_set(kAbs[source]);
    result.sign_extended = view_.is_set(kSext[source]);
    return result;
  }
  // Packed instructions negate their halves apart, after the operands; mixed ones do not.
  if (view_.layout.family == EncodingFamily::kVop3p && !is_mixed()) return result;
  result.negated = (view_.value(FieldId::kNeg) >> source & 1) != 0;
  const std::uint64_t absolute =
      is_mixed() ? view_.value(FieldId::kNegHi) : view_.value(FieldId::kAbs);
  result.absolute = (absolute >> source & 1) != 0;
  return result;
}

std::string FormWriter::operand_text(const Operand& operand) {
  const std::string_view type = view_.type_name(operand);
  if (auto special = memory_operand_text(view_, operand)) return *special;
  if (auto special = image_operand_text(view_, operand)) return *special;
  if (type == "OPR_VCC") {
    // Of a pair, only the destinations and sources that differ are written.
    if (view_.layout.family == EncodingFamily::kVopd) return {};
    return lane_mask_text("vcc", "vcc_lo");
  }
  if (type == "OPR_SIMM32") return literal_text(view_.literal(), kind_of(operand));
  if (operand.field == kNoIndex) return {};
  const std::uint64_t value = value_of(operand);
  if (auto special = lane_operand_text(operand, value)) return *special;
  if (auto special = accumulator_text(operand, value)) return *special;
  if (!is_source(operand)) return value_text(operand, value);
  const std::uint32_t number = source_++;
  const SourceModifiers source = modifiers(number);
  std::string text =
      takes_scalar(number) ? source_text(operand, sources(), value) : value_text(operand, value);
  if (source.sign_extended) return concat("sext(", text, ')');
  if (!has_sign_modifiers(operand)) return text;
  if (source.absolute) text = concat('|', text, '|');
  if (!source.negated) return text;
  // A minus before a number would be another number.
  const bool is_number = !source.absolute && (text.front() == '-' || text.front() <= '9');
  return is_number ? concat("neg(", text, ')') : concat('-', text);
}

std::string FormWriter::value_text(const Operand& operand, std::uint64_t value) const {
  if (auto text = immediate_text(view_, operand, value)) return *text;
  if (operand.operand_type == kNoIndex) return hex_text(value);
  return source_text(operand, view_.set.operand_types[operand.operand_type], value);
}

// What an export does not write is "off"; a comparison without a destination of its own writes VCC.
std::optional<std::string> FormWriter::lane_operand_text(const Operand& operand,
                                                         std::uint64_t value) const {
  const std::string_view field = view_.field_name(operand);
  if (view_.layout.family == EncodingFamily::kExport && field.starts_with("VSRC")) {
    const auto number = static_cast<unsigned>(field.back() - '0');
    const bool is_written = (view_.value(FieldId::kEnable) >> (number & 3) & 1) != 0;
    return is_written ? register_tuple("v", value, 1) : "off";
  }
  if (field == "SDST" && view_.has(FieldId::kScalarSdst) && !view_.is_set(FieldId::kScalarSdst)) {
    return lane_mask_text("vcc", "vcc_lo");
  }
  return std::nullopt;
}

// A matrix instruction says by a bit beside each operand that it is an accumulation register. The
// third source goes with the destination, unless it is an index; both are accumulation registers
// where there is no bit.
std::optional<std::string> FormWriter::accumulator_text(const Operand& operand,
                                                        std::uint64_t value) const {
  constexpr std::uint64_t kFirstVector = 256;
  if (view_.layout.family != EncodingFamily::kMatrix) return std::nullopt;
  const std::string_view field = view_.field_name(operand);
  const bool is_destination = field == "VDST";
  if (!is_destination && value < kFirstVector) return std::nullopt;
  bool accumulates = false;
  if (field == "SRC0") accumulates = (view_.value(FieldId::kAcc) & 1) != 0;
  if (field == "SRC1") accumulates = (view_.value(FieldId::kAcc) & 2) != 0;
  if (is_destination || (field == "SRC2" && !view_.name().starts_with("V_SMFMAC"))) {
    accumulates = !view_.has(FieldId::kAccCd) || view_.is_set(FieldId::kAccCd);
  }
  return register_tuple(accumulates ? "a" : "v", value & 0xff,
                        std::max(1U, (operand.bits + 31) / 32));
}

// A source of a form that takes parts of registers may be a scalar, by a bit beside it.
bool FormWriter::takes_scalar(std::uint32_t source) const {
  if (view_.layout.variant != EncodingVariant::kSdwa || source > 1) return false;
  return view_.is_set(source == 0 ? FieldId::kScalarSource0 : FieldId::kScalarSource1);
}

std::string FormWriter::source_text(const Operand& operand, const OperandType& type,
                                    std::uint64_t value) const {
  const NumberKind kind = kind_of(operand);
  if (type.name.find("SRC") != std::string::npos || type.name.find("SREG") != std::string::npos) {
    if (value == kLiteralCode) return literal_text(view_.literal(), kind);
    if (auto text = inline_constant_text(value, kind)) return *text;
  }
  if (auto text = register_text(view_, type, value, bits_of(operand))) return *text;
  // A register that the type does not allow is named as a source is.
  if (auto text = register_text(view_, sources(), value, bits_of(operand))) return *text;
  return hex_text(value);
}

const OperandType& FormWriter::sources() const {
  static const OperandType none;
  const auto found = std::find_if(view_.set.operand_types.begin(), view_.set.operand_types.end(),
                                  [](const OperandType& type) { return type.name == "OPR_SRC"; });
  return found == view_.set.operand_types.end() ? none : *found;
}

}  // namespace

InstructionWriter::InstructionWriter(const InstructionSet& set, std::uint32_t wavefront_size)
    : set_(set),
      generation_(text_generation(set.id)),
      wavefront_size_(wavefront_size) {
  layouts_.reserve(set.encodings.size());
  for (const Encoding& encoding : set.encodings)
    layouts_.emplace_back(encoding);
}

FormView InstructionWriter::view(const DecodedForm& decoded, std::span<const std::uint32_t> words,
                                 std::string_view label) const {
  const Instruction& instruction = set_.instructions[decoded.instruction];
  const Form& form = instruction.forms[decoded.form];
  return {set_,
          instruction,
          form,
          set_.encodings[form.encoding],
          layouts_[form.encoding],
          layouts_,
          words,
          generation_,
          wavefront_size_,
          label};
}

std::string InstructionWriter::text(const DecodedInstruction& decoded,
                                    std::span<const std::uint32_t> words,
                                    std::string_view label) const {
  const FormView first = view(decoded.first, words, label);
  std::string out = FormWriter(first).text();
  if (decoded.second.instruction == kNoIndex) return out;
  const FormView second = view(decoded.second, words, label);
  return concat(out, " :: ", FormWriter(second).text());
}

std::optional<std::int64_t> InstructionWriter::branch_distance(
    const DecodedInstruction& decoded, std::span<const std::uint32_t> words) const {
  const FormView form_view = view(decoded.first, words, {});
  for (const Operand& operand : form_view.form.operands) {
    if (operand.field == kNoIndex || form_view.type_name(operand) != "OPR_LABEL") continue;
    return static_cast<std::int16_t>(field_value(form_view.encoding, operand.field, words));
  }
  return std::nullopt;
}

}  // namespace halyard::isa
