// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"
#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/verification/conformance/launch_record.h"
#include "runtime/verification/verdict.h"

#include <span>
#include <string_view>
#include <vector>

namespace halyard::verification {

struct AmdgpuExpectation {
  std::string_view kernel;  // its name, for messages
  std::string_view target;  // "amdgcn-gfx942", with features where the build has them
  std::vector<CodeStage> stages;
  const descriptors::CapabilitySet* capabilities = nullptr;  // of the target; not null
  const isa::InstructionSet* instruction_set = nullptr;      // of the target; not null
  // Where an instruction is none of the target's, these say what it is elsewhere.
  std::span<const isa::InstructionSet* const> other_instruction_sets;
};

// What speaks against handing `bytes`, which may be anything, to AMD's driver as a code object:
// another target, entries and arguments that are not those of kernel.json, memory and registers
// beyond the target's, state that outlives a launch, and code that the target has not or no kernel
// may have (amdgpu_code_scan.h).
std::vector<Finding> check_amdgpu_code(std::string_view bytes,
                                       const AmdgpuExpectation& expectation);

}  // namespace halyard::verification
