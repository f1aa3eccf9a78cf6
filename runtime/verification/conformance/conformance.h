// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "capability-descriptors/isa/instruction_set.h"
#include "kernel-store/kernel_record.h"
#include "runtime/verification/verdict.h"

#include <span>
#include <string_view>
#include <vector>

namespace halyard::verification {

// A binary of a kernel, and what it is held against. Borrows everything.
struct CodeUnderTest {
  const store::KernelRecord* record = nullptr;
  std::string_view target;            // that it was built for: "x86_64-v3", "amdgcn-gfx942", …
  store::ParameterValues parameters;  // absent ones are at their defaults
  std::string_view bytes;             // may be anything
  // Of someone else: it gets no addresses of the device's memory.
  bool is_foreign = true;
  // Of the device, or of the target where there is none. Null: limits are not looked at, but for
  // AMDGCN code, which is refused without.
  const descriptors::CapabilitySet* capabilities = nullptr;
  // AMDGCN: that of the target, and others by which foreign instructions are named.
  const isa::InstructionSet* instruction_set = nullptr;
  std::span<const isa::InstructionSet* const> other_instruction_sets;
  // PTX: the newest version that the driver takes, as 10 × major + minor; 0: not looked at.
  std::uint32_t newest_ptx = 0;
};

// What speaks against loading the code, by the check for its target. Reads bytes only; nothing is
// loaded, run or written. No finding: the code conforms, which says nothing of what it computes.
std::vector<Finding> check_code(const CodeUnderTest& code);

}  // namespace halyard::verification
