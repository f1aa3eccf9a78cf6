// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/operand_order.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace halyard::isa {
namespace {

using Operands = std::vector<const Operand*>;

bool has_field(const FormView& view, const Operands& operands, std::string_view field) {
  return std::any_of(operands.begin(), operands.end(),
                     [&](const Operand* operand) { return view.field_name(*operand) == field; });
}

void drop_field(const FormView& view, Operands& operands, std::string_view field) {
  operands.erase(
      std::remove_if(operands.begin(), operands.end(),
                     [&](const Operand* operand) { return view.field_name(*operand) == field; }),
      operands.end());
}

// Puts the operands of the named fields into the order of the names, those of other fields first.
template <std::size_t N>
void order_by(const FormView& view, Operands& operands,
              const std::array<std::string_view, N>& fields) {
  const auto place = [&](const Operand* operand) {
    const auto found = std::find(fields.begin(), fields.end(), view.field_name(*operand));
    return found == fields.end() ? -1 : found - fields.begin();
  };
  std::stable_sort(
      operands.begin(), operands.end(),
      [&](const Operand* left, const Operand* right) { return place(left) < place(right); });
}

void arrange_flat(const FormView& view, Operands& operands) {
  constexpr std::array<std::string_view, 1> kLast = {"SADDR"};
  order_by(view, operands, kLast);
  const bool is_atomic = has_field(view, operands, "VDST") &&
                         (has_field(view, operands, "DATA") || has_field(view, operands, "VSRC"));
  if ((is_atomic && !returns_old_value(view)) || moves_to_lds(view)) {
    drop_field(view, operands, "VDST");
  }
}

}  // namespace

bool is_flat(EncodingFamily family) {
  return family == EncodingFamily::kFlat || family == EncodingFamily::kGlobal ||
         family == EncodingFamily::kScratch;
}

bool is_buffer(EncodingFamily family) {
  return family == EncodingFamily::kBuffer || family == EncodingFamily::kTypedBuffer;
}

bool returns_old_value(const FormView& view) {
  if (view.has(FieldId::kTemporalHint)) return (view.value(FieldId::kTemporalHint) & 1) != 0;
  return view.is_set(FieldId::kGlc) || view.is_set(FieldId::kSc0);
}

bool moves_to_lds(const FormView& view) {
  return view.is_set(FieldId::kLds) || view.name().find("_LDS_") != std::string_view::npos;
}

Operands operands_in_text(const FormView& view) {
  Operands operands;
  for (const Operand& operand : view.form.operands) {
    const std::string_view type = view.type_name(operand);
    if (operand.is_implicit || type == "OPR_EXEC" || type == "OPR_SDST_EXEC") continue;
    operands.push_back(&operand);
  }
  if (is_flat(view.layout.family)) arrange_flat(view, operands);
  if (is_buffer(view.layout.family) && moves_to_lds(view)) drop_field(view, operands, "VDATA");
  // What is set stands before what it is set to.
  constexpr std::array<std::string_view, 1> kRegisterFirst = {"SDST"};
  if (view.name() == "S_SETREG_B32") order_by(view, operands, kRegisterFirst);
  constexpr std::array<std::string_view, 3> kPrefetch = {"IOFFSET", "SOFFSET", "SDATA"};
  if (view.name().find("PREFETCH_") != std::string_view::npos) order_by(view, operands, kPrefetch);
  // The carry of a form that takes parts of registers is always VCC.
  if (view.layout.family == EncodingFamily::kVop2 &&
      view.layout.variant == EncodingVariant::kSdwa) {
    drop_field(view, operands, "SDST");
  }
  return operands;
}

}  // namespace halyard::isa
