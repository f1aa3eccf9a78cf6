// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/form_view.h"

#include <optional>
#include <string>

namespace halyard::isa {

// The text of an operand of a memory instruction whose size or presence depends on other fields;
// nothing for an operand that is like any other.
std::optional<std::string> memory_operand_text(const FormView& view, const Operand& operand);

}  // namespace halyard::isa
