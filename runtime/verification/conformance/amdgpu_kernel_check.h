// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/object/amdgpu_object.h"
#include "runtime/verification/conformance/amdgpu_code.h"
#include "runtime/verification/conformance/finding_list.h"

namespace halyard::verification {

// Adds what speaks against the kernel of one stage: descriptor and metadata that contradict each
// other or kernel.json, and memory and registers beyond the target's. The expectation's
// capabilities are there.
void check_amdgpu_kernel(const object::AmdgpuObject& object, const CodeStage& stage,
                         const AmdgpuExpectation& expectation, FindingList& findings);

}  // namespace halyard::verification
