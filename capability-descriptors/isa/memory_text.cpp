// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/memory_text.h"

#include "capability-descriptors/isa/constant_text.h"
#include "capability-descriptors/isa/operand_order.h"
#include "capability-descriptors/isa/register_text.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <string_view>

namespace halyard::isa {
namespace {

using base::concat;

bool is_address(std::string_view field) {
  return field == "ADDR" || field == "VADDR";
}

bool is_data(std::string_view field) {
  return field == "DATA" || field == "VSRC";
}

// Whether an address has no scalar part.
bool has_no_scalar_address(const FormView& view) {
  const std::uint64_t value = view.value(FieldId::kSaddr);
  switch (view.generation) {
    case TextGeneration::kGfx9:
      return value == 0x7f;
    case TextGeneration::kGfx10:
      return value == 0x7d || value == 0x7f;
    default:
      return value == 0x7c;
  }
}

std::string flat_address_text(const FormView& view, const Operand& operand) {
  const std::uint64_t first = field_value(view.encoding, operand.field, view.words);
  switch (view.layout.family) {
    case EncodingFamily::kScratch: {
      const bool is_used = view.has(FieldId::kSve) && view.generation >= TextGeneration::kGfx9
                               ? view.is_set(FieldId::kSve)
                               : has_no_scalar_address(view);
      return is_used ? register_tuple("v", first, 1) : "off";
    }
    case EncodingFamily::kGlobal:
      return register_tuple("v", first, has_no_scalar_address(view) ? 2 : 1);
    default:
      return register_tuple("v", first, 2);
  }
}

std::string buffer_address_text(const FormView& view, const Operand& operand) {
  const std::uint32_t count =
      (view.is_set(FieldId::kIdxen) ? 1U : 0U) + (view.is_set(FieldId::kOffen) ? 1U : 0U);
  if (count == 0) return "off";
  return register_tuple("v", field_value(view.encoding, operand.field, view.words), count);
}

std::string scalar_text(const FormView& view, const Operand& operand, std::uint64_t value) {
  const OperandType& type = view.set.operand_types[operand.operand_type];
  return register_text(view, type, value, operand.bits).value_or(hex_text(value));
}

std::int64_t signed_scalar_offset(const FormView& view) {
  const std::uint32_t bits = view.generation >= TextGeneration::kGfx12 ? 24 : 21;
  const auto value = static_cast<std::int64_t>(view.value(FieldId::kOffset));
  return value << (64 - bits) >> (64 - bits);
}

std::string signed_hex(std::int64_t value) {
  return value < 0 ? concat('-', hex_text(static_cast<std::uint64_t>(-value)))
                   : hex_text(static_cast<std::uint64_t>(value));
}

// The offset of a scalar load: a register, a number, or both.
std::string scalar_offset_text(const FormView& view, const Operand& operand) {
  const std::int64_t offset = signed_scalar_offset(view);
  const std::uint64_t scalar = view.value(FieldId::kSoffset);
  if (view.generation == TextGeneration::kGfx9) {
    const bool has_number = view.is_set(FieldId::kImm);
    const bool has_register = view.is_set(FieldId::kSoffsetEnable);
    if (has_number && has_register) {
      return concat(scalar_text(view, operand, scalar), " offset:", signed_hex(offset));
    }
    if (has_number) return signed_hex(offset);
    // Without either, the number of the register stands in the place of the offset.
    return scalar_text(view, operand, has_register ? scalar : view.value(FieldId::kOffset) & 0x7f);
  }
  const std::uint64_t null = view.generation == TextGeneration::kGfx10 ? 0x7d : 0x7c;
  if (view.generation >= TextGeneration::kGfx12) {
    if (scalar == null) return signed_hex(offset);
    return concat(scalar_text(view, operand, scalar), " offset:", signed_hex(offset));
  }
  if (offset == 0) return scalar_text(view, operand, scalar);
  if (scalar == null) return signed_hex(offset);
  return concat(scalar_text(view, operand, scalar), " offset:", signed_hex(offset));
}

std::uint32_t registers_of(std::uint32_t bits) {
  return std::max(1U, (bits + 31) / 32);
}

std::uint32_t data_registers(const FormView& view, const Operand& operand) {
  const bool is_swap = view.name().find("CMPSWAP") != std::string_view::npos;
  if (is_flat(view.layout.family) && is_swap && view.field_name(operand) == "VDST") {
    // What comes back is half of what goes there: the old value, without the one to compare with.
    const auto data =
        std::find_if(view.form.operands.begin(), view.form.operands.end(),
                     [&](const Operand& other) { return is_data(view.field_name(other)); });
    if (data != view.form.operands.end()) return registers_of(data->bits / 2);
  }
  // A status follows the data.
  return registers_of(operand.bits) + (view.is_set(FieldId::kTfe) ? 1 : 0);
}

std::string data_text(const FormView& view, const Operand& operand) {
  const std::uint64_t first = field_value(view.encoding, operand.field, view.words);
  return register_tuple(view.is_set(FieldId::kAcc) ? "a" : "v", first,
                        data_registers(view, operand));
}

}  // namespace

std::optional<std::string> memory_operand_text(const FormView& view, const Operand& operand) {
  const EncodingFamily family = view.layout.family;
  const std::string_view field = view.field_name(operand);
  if (is_flat(family)) {
    if (is_address(field)) return flat_address_text(view, operand);
    if (field == "SADDR" && has_no_scalar_address(view)) return "off";
    if (field == "VDST" || is_data(field)) return data_text(view, operand);
  }
  if (is_buffer(family)) {
    if (is_address(field)) return buffer_address_text(view, operand);
    if (field == "VDATA") return data_text(view, operand);
  }
  if (family == EncodingFamily::kScalarMemory) {
    if (field == "IOFFSET") return signed_hex(signed_scalar_offset(view));
    const bool is_prefetch = view.name().find("PREFETCH_") != std::string_view::npos;
    if (field == "SOFFSET" && !is_prefetch) return scalar_offset_text(view, operand);
  }
  if (family == EncodingFamily::kLds && view.type_name(operand) == "OPR_VGPR_OR_ACCVGPR") {
    return data_text(view, operand);
  }
  return std::nullopt;
}

}  // namespace halyard::isa
