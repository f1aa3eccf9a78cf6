// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/program/operation_decoder.h"

#include "backends/emulator/program/operand_reader.h"
#include "capability-descriptors/isa/operand_order.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace halyard::emulator {
namespace {

using isa::EncodingFamily;
using isa::EncodingVariant;
using isa::FieldId;

// Instructions whose destination takes part in their result, which the tables do not say.
bool adds_to_destination(std::string_view name) {
  constexpr std::array<std::string_view, 9> kStarts = {
      "V_FMAC_",  "V_MAC_",   "V_DUAL_FMAC_", "V_DUAL_DOT2ACC_", "V_DOT2C_",
      "V_DOT4C_", "V_DOT8C_", "V_PK_FMAC_",   "V_DOT2ACC_"};
  const bool is_matrix = name.starts_with("V_SMFMAC") || name.starts_with("V_SWMMAC");
  return is_matrix || std::any_of(kStarts.begin(), kStarts.end(),
                                  [&](std::string_view start) { return name.starts_with(start); });
}

bool is_mixed(std::string_view name) {
  return name.find("_MIX") != std::string_view::npos;
}

bool is_immediate_type(std::string_view type) {
  constexpr std::array<std::string_view, 11> kStarts = {
      "OPR_SIMM",   "OPR_HWREG",   "OPR_LABEL", "OPR_SENDMSG", "OPR_WAIT", "OPR_DELAY",
      "OPR_CLAUSE", "OPR_VERSION", "OPR_SLEEP", "OPR_TGT",     "OPR_ATTR"};
  return type != "OPR_SIMM32" &&
         std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return type.starts_with(start); });
}

std::int64_t sign_extended(std::uint64_t value, std::uint32_t bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

std::uint32_t width_of(const isa::FormView& view, FieldId id) {
  std::uint32_t bits = 0;
  for (const isa::BitRange& range : view.encoding.fields[view.layout.index_of(id)].ranges)
    bits += range.count;
  return std::clamp(bits, 1U, 64U);
}

// Reads one form into a DecodedOperation.
class FormReader {
 public:
  FormReader(const isa::FormView& view, Generation generation, const ProgramLimits& limits)
      : view_(view),
        generation_(generation),
        reader_(view, generation, limits) {}

  DecodedOperation read();

 private:
  void read_modifiers();
  void read_source_signs();
  void read_permutation();
  void read_sub_dword();
  void read_register_operands();
  void read_register_operand(const isa::Operand& operand);
  void read_lds();
  void read_flat();
  void read_buffer();
  void read_scalar_memory();
  void read_scalar_offset(const isa::Operand& operand);
  bool is_skipped(const isa::Operand& operand) const;
  std::optional<Operand> read_operand(const isa::Operand& operand, bool* takes_high_half) const;
  void place(const isa::Operand& from, Operand* to);
  void place_vector(const isa::Operand& from, std::uint32_t count, Operand* to);
  bool has_no_scalar_address() const;
  std::uint32_t old_value_dwords(const isa::Operand& destination) const;

  const isa::FormView& view_;
  Generation generation_;
  OperandReader reader_;
  DecodedOperation out_;
  std::uint32_t sources_ = 0;
  std::uint32_t destinations_ = 0;
};

DecodedOperation FormReader::read() {
  Operation& op = out_.operation;
  op.name = view_.instruction.name;
  op.family = view_.layout.family;
  op.variant = view_.layout.variant;
  if (view_.has(FieldId::kSimm16)) {
    op.immediate = static_cast<std::int16_t>(view_.value(FieldId::kSimm16));
  }
  switch (op.family) {
    case EncodingFamily::kLds:
      read_lds();
      break;
    case EncodingFamily::kFlat:
    case EncodingFamily::kGlobal:
    case EncodingFamily::kScratch:
      read_flat();
      break;
    case EncodingFamily::kBuffer:
    case EncodingFamily::kTypedBuffer:
      read_buffer();
      break;
    case EncodingFamily::kScalarMemory:
      read_scalar_memory();
      break;
    default:
      read_modifiers();
      read_register_operands();
  }
  return out_;
}

void FormReader::read_modifiers() {
  Operation& op = out_.operation;
  const auto byte = [&](FieldId id) { return static_cast<std::uint8_t>(view_.value(id)); };
  op.clamp = view_.is_set(FieldId::kClamp);
  op.output_modifier = byte(FieldId::kOmod);
  op.op_sel = byte(FieldId::kOpSel);
  op.op_sel_hi = byte(FieldId::kOpSelHi);
  op.cbsz = byte(FieldId::kCbsz);
  op.abid = byte(FieldId::kAbid);
  op.blgp = byte(FieldId::kBlgp);
  read_source_signs();
  if (op.variant == EncodingVariant::kDpp16 || op.variant == EncodingVariant::kDpp8) {
    read_permutation();
  }
  if (op.variant == EncodingVariant::kSdwa) read_sub_dword();
}

void FormReader::read_source_signs() {
  Operation& op = out_.operation;
  const bool is_long = op.family == EncodingFamily::kVop3 || op.family == EncodingFamily::kVop3p;
  if (!is_long) {
    const auto pair = [&](FieldId first, FieldId second) {
      return static_cast<std::uint8_t>((view_.is_set(first) ? 1U : 0U) |
                                       (view_.is_set(second) ? 2U : 0U));
    };
    op.negate = pair(FieldId::kSource0Neg, FieldId::kSource1Neg);
    op.absolute = pair(FieldId::kSource0Abs, FieldId::kSource1Abs);
    return;
  }
  op.negate = static_cast<std::uint8_t>(view_.value(FieldId::kNeg));
  op.absolute = static_cast<std::uint8_t>(view_.value(FieldId::kAbs));
  // A mixed instruction has absolute values where a packed one negates high halves.
  const auto high = static_cast<std::uint8_t>(view_.value(FieldId::kNegHi));
  (is_mixed(view_.name()) ? op.absolute : op.negate_high) = high;
}

void FormReader::read_permutation() {
  LanePermutation& permutation = out_.permutation;
  out_.has_permutation = true;
  permutation.is_dpp8 = view_.layout.variant == EncodingVariant::kDpp8;
  if (!permutation.is_dpp8) {
    permutation.control = static_cast<std::uint16_t>(view_.value(FieldId::kDppCtrl));
    permutation.row_mask = static_cast<std::uint8_t>(view_.value(FieldId::kRowMask));
    permutation.bank_mask = static_cast<std::uint8_t>(view_.value(FieldId::kBankMask));
    permutation.bound_control = view_.is_set(FieldId::kBoundCtrl);
    permutation.fetch_inactive = view_.is_set(FieldId::kFetchInactive);
    return;
  }
  const isa::Field& first = view_.encoding.fields[view_.layout.index_of(FieldId::kLaneSel0)];
  const std::uint32_t offset = first.ranges.empty() ? 0U : first.ranges[0].offset;
  for (std::uint32_t lane = 0; lane < permutation.lanes.size(); ++lane) {
    isa::Field field;
    field.ranges = {{static_cast<std::uint16_t>(offset + 3 * lane), 3}};
    permutation.lanes[lane] = static_cast<std::uint8_t>(isa::raw_field_value(field, view_.words));
  }
  // The code in the place of the first source says whether inactive lanes are read.
  constexpr std::uint64_t kFetchInactiveCode = 234;
  for (std::uint32_t i = 0; i < view_.encoding.fields.size(); ++i) {
    if (view_.encoding.fields[i].name != "SRC0") continue;
    permutation.fetch_inactive =
        isa::field_value(view_.encoding, i, view_.words) == kFetchInactiveCode;
  }
}

void FormReader::read_sub_dword() {
  SubDwordSelection& selection = out_.sub_dword;
  out_.has_sub_dword = true;
  const auto byte = [&](FieldId id) { return static_cast<std::uint8_t>(view_.value(id)); };
  selection.source = {byte(FieldId::kSource0Sel), byte(FieldId::kSource1Sel)};
  selection.sign_extend = {view_.is_set(FieldId::kSource0Sext),
                           view_.is_set(FieldId::kSource1Sext)};
  if (view_.layout.family == EncodingFamily::kVopc) return;
  // Where the tables have a destination of scalars, the carry forms have their part of the vector
  // destination all the same.
  const auto bits_at = [&](std::uint16_t offset, std::uint16_t count) {
    isa::Field field;
    field.ranges = {{offset, count}};
    return static_cast<std::uint8_t>(isa::raw_field_value(field, view_.words));
  };
  const bool is_named = view_.has(FieldId::kDestinationSel);
  selection.destination = is_named ? byte(FieldId::kDestinationSel) : bits_at(40, 3);
  selection.unused = is_named ? byte(FieldId::kDestinationUnused) : bits_at(43, 2);
}

bool FormReader::is_skipped(const isa::Operand& operand) const {
  const std::string_view type = view_.type_name(operand);
  if (type == "OPR_DSMEM" || type == "OPR_GPUMEM") return true;
  if (operand.is_implicit && type != "OPR_SDST_EXEC") return true;
  // The carry of a form that takes parts of registers is always VCC.
  return view_.layout.family == EncodingFamily::kVop2 &&
         view_.layout.variant == EncodingVariant::kSdwa && view_.field_name(operand) == "SDST";
}

std::optional<Operand> FormReader::read_operand(const isa::Operand& operand,
                                                bool* takes_high_half) const {
  const bool is_sdwa = view_.layout.variant == EncodingVariant::kSdwa;
  if (is_sdwa && view_.field_name(operand) == "SDST" && !view_.is_set(FieldId::kScalarSdst)) {
    return reader_.lane_mask(kVccIndex);
  }
  // A source of a form that takes parts of registers may be a scalar, by a bit beside it.
  if (is_sdwa && !operand.output && operand.field != isa::kNoIndex && sources_ < 2 &&
      view_.is_set(sources_ == 0 ? FieldId::kScalarSource0 : FieldId::kScalarSource1)) {
    return reader_.read_source(operand, reader_.code_of(operand));
  }
  return reader_.read(operand, takes_high_half);
}

void FormReader::read_register_operand(const isa::Operand& operand) {
  Operation& op = out_.operation;
  const std::string_view type = view_.type_name(operand);
  if (is_immediate_type(type)) {
    if (operand.field != isa::kNoIndex && view_.field_name(operand) != "SIMM16") {
      op.immediate = static_cast<std::int64_t>(reader_.code_of(operand));
    }
    return;
  }
  // A comparison that writes EXEC alone lists it twice.
  const bool is_second_exec = type == "OPR_SDST_EXEC" && op.destination[0].is_scalar() &&
                              op.destination[0].index == kExecIndex;
  if (is_second_exec) return;
  bool takes_high_half = false;
  const auto read = read_operand(operand, &takes_high_half);
  const std::uint32_t place = operand.output ? destinations_ : sources_;
  const std::size_t most = operand.output ? op.destination.size() : op.source.size();
  if (!read || place >= most) {
    out_.is_valid = false;
    return;
  }
  Operand& to = operand.output ? op.destination[place] : op.source[place];
  to = *read;
  to.is_read = operand.output && (operand.input || adds_to_destination(view_.name()));
  constexpr std::uint32_t kDestinationBit = 3;
  if (takes_high_half) {
    op.op_sel =
        static_cast<std::uint8_t>(op.op_sel | 1U << (operand.output ? kDestinationBit : place));
  }
  ++(operand.output ? destinations_ : sources_);
}

void FormReader::read_register_operands() {
  for (const isa::Operand& operand : view_.form.operands) {
    if (!is_skipped(operand)) read_register_operand(operand);
  }
}

void FormReader::place(const isa::Operand& from, Operand* to) {
  bool takes_high_half = false;
  const auto read = reader_.read(from, &takes_high_half);
  if (read) *to = *read;
  out_.is_valid = out_.is_valid && read;
}

void FormReader::place_vector(const isa::Operand& from, std::uint32_t count, Operand* to) {
  const auto read = reader_.vector(reader_.code_of(from), count, view_.is_set(FieldId::kAcc));
  if (read) *to = *read;
  out_.is_valid = out_.is_valid && read;
}

void FormReader::read_lds() {
  Operation& op = out_.operation;
  op.offset0 = static_cast<std::uint16_t>(view_.value(FieldId::kOffset0));
  op.offset1 = static_cast<std::uint16_t>(view_.value(FieldId::kOffset1));
  op.immediate = std::int64_t{op.offset0} | std::int64_t{op.offset1} << 8;
  for (const isa::Operand& operand : view_.form.operands) {
    const std::string_view field = view_.field_name(operand);
    if (field == "VDST") place(operand, &op.destination[0]);
    if (field == "ADDR") place(operand, &op.source[0]);
    if (field == "DATA0") place(operand, &op.source[1]);
    if (field == "DATA1") place(operand, &op.source[2]);
  }
  if (view_.is_set(FieldId::kGds)) out_.is_valid = false;
}

// What comes back of a comparison is half of what goes there.
std::uint32_t FormReader::old_value_dwords(const isa::Operand& destination) const {
  const std::uint32_t count = reader_.dwords(destination);
  if (view_.name().find("CMPSWAP") == std::string_view::npos) return count;
  for (const isa::Operand& operand : view_.form.operands) {
    const std::string_view field = view_.field_name(operand);
    if (field == "DATA" || field == "VSRC" || field == "VDATA") {
      return std::max(1U, reader_.dwords(operand) / 2);
    }
  }
  return count;
}

bool FormReader::has_no_scalar_address() const {
  const std::uint64_t value = view_.value(FieldId::kSaddr);
  return value == (generation_ == Generation::kGfx9 ? 0x7fU : 0x7cU);
}

void FormReader::read_flat() {
  Operation& op = out_.operation;
  const bool has_scalar = !has_no_scalar_address() && op.family != EncodingFamily::kFlat;
  op.moves_to_lds = isa::moves_to_lds(view_);
  op.offset_enable = view_.has(FieldId::kSve) ? view_.is_set(FieldId::kSve) : !has_scalar;
  bool has_data = false;
  for (const isa::Operand& operand : view_.form.operands) {
    const std::string_view field = view_.field_name(operand);
    if (field == "ADDR" || field == "VADDR") {
      const bool is_scratch = op.family == EncodingFamily::kScratch;
      if (is_scratch && !op.offset_enable) continue;
      const auto read =
          reader_.vector(reader_.code_of(operand), is_scratch || has_scalar ? 1 : 2, false);
      if (read) op.source[0] = *read;
      out_.is_valid = out_.is_valid && read;
    } else if (field == "DATA" || field == "VSRC") {
      has_data = true;
      place(operand, &op.source[1]);
    } else if (field == "SADDR" && has_scalar) {
      place(operand, &op.source[3]);
    }
  }
  const bool returns = isa::returns_old_value(view_);
  for (const isa::Operand& operand : view_.form.operands) {
    if (view_.field_name(operand) != "VDST" || op.moves_to_lds) continue;
    op.returns_old_value = has_data && returns;
    if (!has_data || returns) place_vector(operand, old_value_dwords(operand), &op.destination[0]);
  }
  if (!view_.has(FieldId::kOffset)) return;
  const bool is_signed = op.family != EncodingFamily::kFlat || generation_ == Generation::kGfx12;
  const std::uint64_t offset = view_.value(FieldId::kOffset);
  op.immediate = is_signed ? sign_extended(offset, width_of(view_, FieldId::kOffset))
                           : static_cast<std::int64_t>(offset);
}

void FormReader::read_buffer() {
  Operation& op = out_.operation;
  op.offset_enable = view_.is_set(FieldId::kOffen);
  op.index_enable = view_.is_set(FieldId::kIdxen);
  op.moves_to_lds = isa::moves_to_lds(view_);
  op.immediate = static_cast<std::int64_t>(view_.value(FieldId::kOffset));
  const std::uint32_t address_dwords = (op.offset_enable ? 1U : 0U) + (op.index_enable ? 1U : 0U);
  for (const isa::Operand& operand : view_.form.operands) {
    const std::string_view field = view_.field_name(operand);
    if (field == "VADDR" && address_dwords > 0) {
      const auto read = reader_.vector(reader_.code_of(operand), address_dwords, false);
      if (read) op.source[0] = *read;
      out_.is_valid = out_.is_valid && read;
    } else if (field == "VDATA" && !op.moves_to_lds) {
      if (operand.input) place(operand, &op.source[1]);
      op.returns_old_value = operand.input && operand.output && isa::returns_old_value(view_);
      if (operand.output && (!operand.input || op.returns_old_value)) {
        place_vector(operand, old_value_dwords(operand), &op.destination[0]);
      }
    } else if (field == "SRSRC" || field == "RSRC") {
      place(operand, &op.source[3]);
      out_.is_valid = out_.is_valid && op.source[3].is_scalar();
    } else if (field == "SOFFSET") {
      place(operand, &op.source[4]);
    }
  }
  // A status behind the data is not written here.
  if (view_.is_set(FieldId::kTfe)) out_.is_valid = false;
}

void FormReader::read_scalar_offset(const isa::Operand& operand) {
  Operation& op = out_.operation;
  if (!view_.has(FieldId::kOffset)) return;
  const std::uint64_t offset = view_.value(FieldId::kOffset);
  const std::uint32_t bits = generation_ == Generation::kGfx12 ? 24 : 21;
  std::uint64_t scalar_code = view_.value(FieldId::kSoffset);
  bool has_scalar = true;
  if (generation_ == Generation::kGfx9) {
    const bool has_number = view_.is_set(FieldId::kImm);
    has_scalar = !has_number || view_.is_set(FieldId::kSoffsetEnable);
    if (has_number) op.immediate = sign_extended(offset, bits);
    // Without either, the number of the register stands in the place of the offset.
    if (!has_number && !view_.is_set(FieldId::kSoffsetEnable)) scalar_code = offset & 0x7f;
  } else {
    op.immediate = sign_extended(offset, bits);
    constexpr std::uint64_t kNullCode = 124;
    has_scalar = scalar_code != kNullCode;
  }
  if (!has_scalar) return;
  const auto read = reader_.read_source(operand, scalar_code);
  if (read) op.source[4] = *read;
  out_.is_valid = out_.is_valid && read;
}

void FormReader::read_scalar_memory() {
  Operation& op = out_.operation;
  for (const isa::Operand& operand : view_.form.operands) {
    const std::string_view field = view_.field_name(operand);
    if (is_immediate_type(view_.type_name(operand))) continue;
    if (field == "SDATA") {
      if (operand.input) place(operand, &op.source[1]);
      if (operand.output && (!operand.input || isa::returns_old_value(view_))) {
        place(operand, &op.destination[0]);
      }
    } else if (field == "SBASE") {
      place(operand, &op.source[0]);
      out_.is_valid = out_.is_valid && op.source[0].is_scalar();
    } else if (field == "SOFFSET") {
      read_scalar_offset(operand);
    }
  }
}

}  // namespace

OperationDecoder::OperationDecoder(const IsaTables& tables, const ProgramLimits& limits)
    : tables_(tables),
      limits_(limits),
      text_generation_(isa::text_generation(tables.set().id)) {}

DecodedOperation OperationDecoder::decode(const isa::DecodedForm& form,
                                          std::span<const std::uint32_t> words) const {
  const isa::InstructionSet& set = tables_.set();
  const isa::Instruction& instruction = set.instructions[form.instruction];
  const isa::Form& chosen = instruction.forms[form.form];
  const isa::FormView view{set,
                           instruction,
                           chosen,
                           set.encodings[chosen.encoding],
                           tables_.layouts()[chosen.encoding],
                           tables_.layouts(),
                           words,
                           text_generation_,
                           limits_.lanes,
                           {}};
  return FormReader(view, tables_.target().generation, limits_).read();
}

}  // namespace halyard::emulator
