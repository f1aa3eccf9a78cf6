// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/form_view.h"

#include <string>

namespace halyard::isa {

// What assemblers call the form: the instruction's name, lower case, with a suffix where it has
// more than one encoding ("v_add_f32_e64_dpp").
std::string mnemonic(const FormView& view);

}  // namespace halyard::isa
