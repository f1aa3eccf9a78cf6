// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/form_view.h"

#include <string>

namespace halyard::isa {

// The bits of a memory instruction that say how caches treat it: " glc slc", " sc0 nt sc1" or
// " th:TH_LOAD_NT scope:SCOPE_SYS".
std::string cache_policy_text(const FormView& view);

// The format of the elements of a typed buffer: " format:[BUF_FMT_32_FLOAT]".
std::string buffer_format_text(const FormView& view);

}  // namespace halyard::isa
