// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/resource_use.h"

#include "capability-descriptors/object/amdgpu_object.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::toolchain {

base::Result<std::vector<store::EntryResources>> resource_use(std::string_view code_object,
                                                              std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const object::AmdgpuObject parsed,
                     object::parse_amdgpu_object(code_object, source_name));
  if (!parsed.metadata) {
    return base::Error(base::ErrorCode::kCorruptData,
                       base::concat(source_name, ": the code object has no metadata."));
  }
  std::vector<store::EntryResources> entries;
  for (const object::KernelMetadata& kernel : parsed.metadata->kernels) {
    store::EntryResources entry;
    entry.entry = kernel.name;
    entry.accumulation_registers = kernel.agpr_count;
    // The compiler's number of vector registers holds the accumulation registers too.
    entry.vector_registers = kernel.vgpr_count - std::min(kernel.vgpr_count, kernel.agpr_count);
    entry.scalar_registers = kernel.sgpr_count;
    entry.shared_bytes = kernel.group_segment_bytes;
    entry.scratch_bytes = kernel.private_segment_bytes;
    entry.vector_spills = kernel.vgpr_spill_count;
    entry.scalar_spills = kernel.sgpr_spill_count;
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.entry < b.entry; });
  return entries;
}

}  // namespace halyard::toolchain
