// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <string>
#include <string_view>

namespace halyard::verification {

// The instruction set by which code for `target` is decoded, as a "halyard.instruction_set/1"
// document with its corrections applied; empty for targets whose code is read without one, and for
// one that no descriptor has. Only what is shipped in `data_directory` counts: what a user has
// imported says nothing about which code is safe.
// Errors: CORRUPT_DATA, IO_ERROR.
base::Result<std::string> target_instruction_set(const std::string& data_directory,
                                                 std::string_view target);

}  // namespace halyard::verification
