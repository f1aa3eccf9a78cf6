// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/object/amdgpu_metadata.h"
#include "capability-descriptors/object/amdgpu_target.h"
#include "capability-descriptors/object/elf_file.h"
#include "capability-descriptors/object/kernel_descriptor.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::object {

struct ObjectKernel {
  std::string name;
  KernelDescriptor descriptor;
  std::uint64_t descriptor_address = 0;
  std::uint64_t entry_address = 0;  // of the first instruction
};

// An AMDGCN code object. Borrows the bytes that it was read from.
struct AmdgpuObject {
  ElfFile elf;
  AmdgpuTarget target;
  std::uint32_t code_object_version = 0;  // 4, 5 or 6
  std::optional<AmdgpuMetadata> metadata;
  std::vector<ObjectKernel> kernels;  // by the address of their descriptors
};

// Reads bytes that may be anything.
// Errors: kCorruptData, naming what is wrong; kUnsupported for a file of another machine, an older
// code object version or an unknown processor.
base::Result<AmdgpuObject> parse_amdgpu_object(std::string_view bytes,
                                               std::string_view source_name);

}  // namespace halyard::object
