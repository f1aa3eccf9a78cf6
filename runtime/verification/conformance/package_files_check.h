// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_id.h"
#include "kernel-store/kernel_record.h"
#include "runtime/verification/conformance/finding_list.h"

namespace halyard::verification {

// Adds a finding for each file that is no device code of the kernel's language, and for host code
// within one. What is found in texts is a lint: the host's side of a launch is Halyard's own, so
// host code in a file is never run, but it shows that a package was made for something else.
void check_package_files(const store::KernelRecord& record, const store::PackageFiles& files,
                         FindingList& findings);

// Adds a finding for each target that the language is not compiled for.
void check_targets(const store::KernelRecord& record, FindingList& findings);

}  // namespace halyard::verification
