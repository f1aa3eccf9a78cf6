// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_record.h"
#include "runtime/base/result.h"

#include <string>
#include <vector>

namespace halyard::toolchain {

// The flags that a build of `record` has: those of its language, of `target` out of a closed table,
// and of the requirements that name an extension. No text of the record becomes part of one.
// Empty for a language that is not compiled, whose target is checked by its form only.
// Errors: kUnsupported for a target or language without an entry.
base::Result<std::vector<std::string>> target_flags(const store::KernelRecord& record,
                                                    const std::string& target);

// A target of AMD hardware that is known: "amdgcn-gfx1100", "amdgcn-gfx942:sramecc+:xnack-".
bool is_amdgcn_target(std::string_view target);

}  // namespace halyard::toolchain
