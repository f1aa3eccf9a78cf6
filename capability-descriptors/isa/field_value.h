// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

#include <cstdint>
#include <span>

namespace halyard::isa {

// The bits of a field as they stand in `words`, without its padding. Bits beyond the words are 0,
// and so are those of a field beyond the 64th.
std::uint64_t raw_field_value(const Field& field, std::span<const std::uint32_t> words) noexcept;

// The value of a field of an encoding: raw bits, padding and an inverted bit put together.
std::uint64_t field_value(const Encoding& encoding, std::uint32_t field,
                          std::span<const std::uint32_t> words) noexcept;

}  // namespace halyard::isa
