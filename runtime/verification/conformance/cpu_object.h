// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/verdict.h"

#include <string>
#include <string_view>
#include <vector>

namespace halyard::verification {

struct CpuObjectExpectation {
  std::string_view kernel;           // its name, for messages
  std::vector<std::string> entries;  // of the stages of kernel.json
};

// What speaks against mapping `bytes`, which may be anything, as the shared object of a CPU kernel:
// everything by which a file runs code when it is loaded or unloaded, reaches other libraries, has
// state that outlives a launch, or lets the loader stray; and entries that are not there. Nothing
// is loaded. Whatever is not known to be needed by a kernel is refused.
//
// Besides, the code of the entries and all that direct branches from there lead to is decoded, and
// instructions that ask something of the system are refused (syscall, int, wrpkru, …), and branches
// out of the code. That is a lint and no fence: what is reached through computed addresses, or made
// at run time, is not seen. Bytes that look like such an instruction within another one are not
// held against a kernel.
std::vector<Finding> check_cpu_object(std::string_view bytes,
                                      const CpuObjectExpectation& expectation);

}  // namespace halyard::verification
