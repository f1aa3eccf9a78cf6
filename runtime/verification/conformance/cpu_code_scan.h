// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/conformance/elf_image.h"
#include "runtime/verification/conformance/finding_list.h"

#include <cstdint>
#include <vector>

namespace halyard::verification {

struct CodeRange {
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;  // 0: not known
};

// Adds a finding for each instruction in `functions`, or where direct branches lead from there,
// that asks something of the system or changes how its thread computes from then on, and for each
// branch that leaves the code.
void scan_cpu_code(const ElfImage& image, const std::vector<CodeRange>& functions,
                   FindingList& findings);

}  // namespace halyard::verification
