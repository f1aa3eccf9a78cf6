// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/form_view.h"

#include <optional>
#include <string>

namespace halyard::isa {

// The text of the data or the address of an image instruction, whose sizes follow from the mask of
// channels, the dimension and the name; nothing for another operand. Where the encoding has
// addresses and the form lists none, they follow the data.
std::optional<std::string> image_operand_text(const FormView& view, const Operand& operand);

// " dmask:0xf dim:SQ_RSRC_IMG_2D …".
std::string image_modifier_text(const FormView& view);

}  // namespace halyard::isa
