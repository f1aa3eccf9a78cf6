// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/amdgpu_object.h"

#include "runtime/base/text.h"

#include <elf.h>

#include <algorithm>
#include <utility>

namespace halyard::object {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

constexpr std::uint16_t kMachineAmdgpu = 224;
constexpr std::uint8_t kOsAbiHsa = 64;
constexpr std::uint32_t kNoteMetadata = 32;
constexpr std::string_view kNoteName = "AMDGPU";
constexpr std::string_view kDescriptorSuffix = ".kd";
constexpr std::string_view kBundleStart = "__CLANG_OFFLOAD_BUNDLE__";

// The version of the code object of each version of the ABI, which counts from 2.
constexpr std::uint32_t kVersionAboveAbi = 2;
constexpr std::uint32_t kOldestVersion = 4;
constexpr std::uint32_t kNewestVersion = 6;

Status check_machine(const ElfFile& elf, std::string_view source_name) {
  if (elf.machine != kMachineAmdgpu) {
    return Error(ErrorCode::kUnsupported,
                 concat(source_name, ": The file is for machine ", elf.machine,
                        ", not for AMDGCN (", kMachineAmdgpu, ")."));
  }
  if (elf.os_abi != kOsAbiHsa) {
    return Error(ErrorCode::kUnsupported, concat(source_name, ": The file has the ABI ", elf.os_abi,
                                                 ", not HSA's (", kOsAbiHsa, ")."));
  }
  const std::uint32_t version = elf.abi_version + kVersionAboveAbi;
  if (version < kOldestVersion || version > kNewestVersion) {
    return Error(ErrorCode::kUnsupported,
                 concat(source_name, ": The code object has version ", version, "; versions ",
                        kOldestVersion, " to ", kNewestVersion, " can be read."));
  }
  return base::ok();
}

// The bytes of a symbol; empty for one that lies in no section of the file, or beyond its section.
std::string_view bytes_of_symbol(const AmdgpuObject& object, const ElfSymbol& symbol) {
  if (symbol.section == kNoSection) return {};
  const ElfSection& section = object.elf.sections[symbol.section];
  if (symbol.address < section.address) return {};
  const std::uint64_t offset = symbol.address - section.address;
  if (offset > section.bytes.size() || symbol.size_bytes > section.bytes.size() - offset) return {};
  return section.bytes.substr(offset, symbol.size_bytes);
}

Status read_kernels(AmdgpuObject& object, std::string_view source_name) {
  for (const ElfSymbol& symbol : object.elf.symbols) {
    if (symbol.type != STT_OBJECT || !symbol.name.ends_with(kDescriptorSuffix) ||
        symbol.section == kNoSection) {
      continue;
    }
    auto descriptor = parse_kernel_descriptor(bytes_of_symbol(object, symbol));
    if (!descriptor) {
      return Error(ErrorCode::kCorruptData,
                   concat(source_name, ": Symbol \"", symbol.name, "\" (", symbol.size_bytes,
                          " bytes at address ", symbol.address, ") is no kernel descriptor of ",
                          kKernelDescriptorBytes, " bytes within its section."));
    }
    ObjectKernel kernel;
    kernel.name = symbol.name.substr(0, symbol.name.size() - kDescriptorSuffix.size());
    kernel.descriptor = *descriptor;
    kernel.descriptor_address = symbol.address;
    kernel.entry_address =
        symbol.address + static_cast<std::uint64_t>(descriptor->code_entry_offset);
    object.kernels.push_back(std::move(kernel));
  }
  std::stable_sort(object.kernels.begin(), object.kernels.end(),
                   [](const ObjectKernel& left, const ObjectKernel& right) {
                     return left.descriptor_address < right.descriptor_address;
                   });
  return base::ok();
}

}  // namespace

Result<AmdgpuObject> parse_amdgpu_object(std::string_view bytes, std::string_view source_name) {
  if (bytes.starts_with(kBundleStart)) {
    return Error(ErrorCode::kUnsupported,
                 concat(source_name, ": The file is a bundle of code objects, not one of them."));
  }
  AmdgpuObject object;
  HALYARD_TRY_ASSIGN(object.elf, parse_elf_file(bytes, source_name));
  HALYARD_TRY(check_machine(object.elf, source_name));
  object.code_object_version = object.elf.abi_version + kVersionAboveAbi;
  auto target = amdgpu_target_of_flags(object.elf.flags, object.code_object_version);
  if (!target) {
    return Error(target.error().code(), concat(source_name, ": ", target.error().message()));
  }
  object.target = std::move(*target);
  for (const ElfNote& note : object.elf.notes) {
    if (note.type != kNoteMetadata || note.name != kNoteName || object.metadata) continue;
    HALYARD_TRY_ASSIGN(object.metadata, parse_amdgpu_metadata(note.bytes, source_name));
  }
  HALYARD_TRY(read_kernels(object, source_name));
  return object;
}

}  // namespace halyard::object
