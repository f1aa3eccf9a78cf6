// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/boundary.h"

#include <cstddef>
#include <string_view>

namespace halyard::api {

using base::guard;
using base::invalid_argument;
using base::read_struct;
using base::report_failure;
using base::require_not_null;
using base::write_struct;

// The text protocol: capacity in, size with the terminating zero out. What fits is written, and
// what is written ends with a zero.
base::Status write_text(std::string_view text, std::size_t capacity, char* out_text,
                        std::size_t* out_size);

}  // namespace halyard::api
