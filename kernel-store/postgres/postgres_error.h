// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/error.h"

#include <string>
#include <string_view>

namespace halyard::store {

// What a failure of the server means, by its SQLSTATE ("40P01"); an empty one is a lost connection.
base::ErrorCode error_code_of_sqlstate(std::string_view sqlstate);

// The server's words as part of a sentence: one line, without the stop at its end.
std::string single_line(std::string_view text);

}  // namespace halyard::store
