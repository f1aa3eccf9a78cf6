// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/form_view.h"

#include <cstdint>
#include <string>

namespace halyard::isa {

// What stands after the operands of a form, each modifier with a space before it. A modifier at its
// default is not written.
std::string modifier_text(const FormView& view, std::uint32_t source_count);

}  // namespace halyard::isa
