// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/form_view.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halyard::isa {

// "v5", or "v[5:8]" for an operand of four registers.
std::string register_tuple(std::string_view prefix, std::uint64_t first, std::uint32_t count);

// The register that `value` encodes for an operand of a type, as wide as `bits` says; nothing for a
// value that is none. Names that the tables lack or spell otherwise are those of assemblers.
std::optional<std::string> register_text(const FormView& view, const OperandType& type,
                                         std::uint64_t value, std::uint32_t bits);

}  // namespace halyard::isa
