// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/mnemonic.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace halyard::isa {
namespace {

bool is_short_vector(EncodingFamily family) {
  return family == EncodingFamily::kVop1 || family == EncodingFamily::kVop2 ||
         family == EncodingFamily::kVopc;
}

// Whether one of the forms lies in an encoding of the families that `wanted` accepts.
template <typename Wanted>
bool has_form(const FormView& view, Wanted wanted) {
  return std::any_of(view.instruction.forms.begin(), view.instruction.forms.end(),
                     [&](const Form& form) {
                       return form.encoding != kNoIndex && wanted(view.layouts[form.encoding]);
                     });
}

// Instructions whose long form assemblers do not know, so that the short one has no suffix.
bool has_no_long_form(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {
      "V_READFIRSTLANE_B32", "V_SWAP_B32", "V_SWAP_B16", "V_SWAPREL_B32", "V_ACCVGPR_MOV_B32"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::string_view suffix(const FormView& view) {
  if (view.form.operands.empty()) return "";
  const EncodingFamily family = view.layout.family;
  const EncodingVariant variant = view.layout.variant;
  if (is_short_vector(family)) {
    if (variant == EncodingVariant::kSdwa) return "_sdwa";
    if (variant == EncodingVariant::kDpp8 || variant == EncodingVariant::kDpp16) {
      return family == EncodingFamily::kVopc ? "" : "_dpp";
    }
    if (has_no_long_form(view.name())) return "";
    const bool has_long = has_form(
        view, [](const EncodingLayout& layout) { return layout.family == EncodingFamily::kVop3; });
    return has_long ? "_e32" : "";
  }
  if (family != EncodingFamily::kVop3 && family != EncodingFamily::kVop3p) return "";
  if (variant == EncodingVariant::kDpp8 || variant == EncodingVariant::kDpp16) return "_e64_dpp";
  if (family != EncodingFamily::kVop3 || has_no_long_form(view.name())) return "";
  const bool has_short =
      has_form(view, [](const EncodingLayout& layout) { return is_short_vector(layout.family); });
  return has_short ? "_e64" : "";
}

}  // namespace

std::string mnemonic(const FormView& view) {
  std::string out(view.name());
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out += suffix(view);
}

}  // namespace halyard::isa
