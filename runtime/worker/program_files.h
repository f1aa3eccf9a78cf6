// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/worker/sandbox.h"

#include <string>
#include <vector>

namespace halyard::worker {

// The files that a program of the host needs in order to start, each at its own place: itself, the
// dynamic loader, and the shared libraries that the loader finds for it. Data that it opens later,
// such as a compiler's headers, is the caller's to add. The program is trusted: the loader reads
// it, and runs none of it.
// Errors: NOT_FOUND for a program or a library that is not there; INVALID_ARGUMENT for what is no
// ELF program of 64 bits; UNAVAILABLE when the loader does not run.
base::Result<std::vector<VisiblePath>> program_files(const std::string& program);

}  // namespace halyard::worker
