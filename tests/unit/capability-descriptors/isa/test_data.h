// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::isa {

// The reconstructed file of an architecture ("rdna4"), unpacked, or nothing without
// HALYARD_TEST_DATA; then `left_out` is printed as test_data() does.
std::optional<std::string> reconstructed_isa(std::string_view architecture,
                                             std::string_view left_out);

// A file of fixtures/, and one with a part replaced, which must be in it.
std::string isa_fixture(std::string_view name);
std::string isa_fixture(std::string_view name, std::string_view part, std::string_view by);

const Instruction& instruction_of(const InstructionSet& set, std::string_view name);
const Encoding& encoding_of(const InstructionSet& set, std::string_view name);
const Field& field_of(const Encoding& encoding, std::string_view name);

}  // namespace halyard::isa
