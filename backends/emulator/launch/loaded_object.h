// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/launch/line_table.h"
#include "backends/emulator/memory/address_space.h"
#include "backends/emulator/program/program.h"
#include "capability-descriptors/object/amdgpu_object.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::emulator {

// One kernel of a code object, ready to be launched.
struct LoadedKernel {
  std::string name;
  object::KernelDescriptor descriptor;
  object::KernelMetadata metadata;
  std::uint32_t lanes = 32;
  std::uint32_t vector_registers = 0;        // of the architecture
  std::uint32_t accumulation_registers = 0;  // gfx9
  std::unique_ptr<const Program> program;
  const Operation* entry = nullptr;
};

// A code object in memory as a loader puts it there. Immutable; any number of threads may launch
// its kernels at once. Borrows the tables.
class LoadedObject {
 public:
  // Reads bytes that may be anything.
  // Errors: those of object::parse_amdgpu_object; kUnsupported for another processor than that of
  // the tables, for a relocation or a feature that is not executed here; kCorruptData for
  // descriptors, metadata and segments that contradict one another, and for an object without a
  // kernel. Each names the kernel or part, the value and the limit.
  static base::Result<std::unique_ptr<const LoadedObject>> load(const IsaTables& tables,
                                                                std::span<const std::byte> bytes,
                                                                std::string name);

  const std::string& name() const { return name_; }
  const object::AmdgpuTarget& target() const { return target_; }
  const std::vector<LoadedKernel>& kernels() const { return kernels_; }
  // Errors: kNotFound with the names there are.
  base::Result<const LoadedKernel*> kernel(std::string_view name) const;
  // "softmax.hip:41" where the object has line numbers for the code at `offset`; else "".
  std::string source_of(std::uint32_t offset) const;
  // The segments as kernels see them. What is writable stays as the file has it: a launch writes to
  // a copy of its own.
  std::span<const MemoryRegion> regions() const { return regions_; }
  // Where kernels see the first byte of the code section, to which program counters are relative.
  std::uint64_t code_base() const { return code_base_; }

 private:
  friend class ObjectLoader;
  LoadedObject() = default;

  std::string name_;
  object::AmdgpuTarget target_;
  std::vector<LoadedKernel> kernels_;
  std::vector<std::byte> image_;  // of all segments, relocated
  std::vector<MemoryRegion> regions_;
  std::uint64_t code_base_ = 0;
  std::uint64_t code_address_ = 0;  // in the file
  LineTable lines_;                 // by addresses in the file
};

}  // namespace halyard::emulator
