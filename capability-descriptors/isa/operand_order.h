// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/form_view.h"

#include <vector>

namespace halyard::isa {

// The operands of a form that its text shows, in the order of the text.
std::vector<const Operand*> operands_in_text(const FormView& view);

// Whether a memory instruction of the flat kinds hands back what it found.
bool returns_old_value(const FormView& view);

// Whether data goes between memory and LDS, and not through registers.
bool moves_to_lds(const FormView& view);

bool is_flat(EncodingFamily family);
bool is_buffer(EncodingFamily family);

}  // namespace halyard::isa
