// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/form_view.h"

#include <cstdint>
#include <optional>
#include <string>

namespace halyard::isa {

// The text of an immediate of 16 bits or fewer that means something to the hardware: counters to
// wait for, a hardware register, a message, a delay. Nothing for a type that is no such immediate.
std::optional<std::string> immediate_text(const FormView& view, const Operand& operand,
                                          std::uint64_t value);

}  // namespace halyard::isa
