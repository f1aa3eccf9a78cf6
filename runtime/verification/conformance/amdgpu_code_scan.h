// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/object/amdgpu_object.h"
#include "runtime/verification/conformance/amdgpu_code.h"
#include "runtime/verification/conformance/finding_list.h"

namespace halyard::verification {

// Decodes all executable memory of `object` and adds a finding for each instruction that
//   - the target does not have, by address and, where another set knows it, name;
//   - speaks to the driver or the debugger: traps, halts, returns from interrupts, global wave
//     sync, messages other than the one by which compilers give registers back at the end
//     (MSG_DEALLOC_VGPRS);
//   - goes where code is not, or to an address that is not computed right before from that of the
//     code (a return through s[30:31], as compilers call, is one that is);
//   - changes the rounding or denormal mode and leaves it changed, or any other hardware register.
// The mode is its wave's own and ends with it, but the values computed in it are not those that the
// contract asks for.
void scan_amdgpu_code(const object::AmdgpuObject& object, const AmdgpuExpectation& expectation,
                      FindingList& findings);

}  // namespace halyard::verification
