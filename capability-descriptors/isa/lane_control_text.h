// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/form_view.h"

#include <cstdint>
#include <string>

namespace halyard::isa {

// How a vector instruction exchanges lanes (DPP) or takes parts of its registers (SDWA), each
// modifier with a space before it; "" for a form that does neither.
std::string lane_control_text(const FormView& view, std::uint32_t source_count);

// " offset:swizzle(…)" of ds_swizzle, or "" for an offset of 0.
std::string swizzle_text(std::uint64_t offset);

}  // namespace halyard::isa
