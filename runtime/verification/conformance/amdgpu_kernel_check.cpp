// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/amdgpu_kernel_check.h"

#include <elf.h>

#include <algorithm>
#include <array>

namespace halyard::verification {
namespace {

using descriptors::CapabilityKey;
using object::KernelMetadata;
using object::ObjectKernel;

constexpr std::uint64_t kMostScratchBytes = 131072;  // of a lane: 8 MiB of a wave of 64

// What the driver would have to fill for printing, allocating or launching from the device.
constexpr auto kRefusedHidden = std::to_array<std::string_view>({
    "hidden_printf_buffer",
    "hidden_hostcall_buffer",
    "hidden_default_queue",
    "hidden_completion_action",
    "hidden_heap_v1",
    "hidden_multigrid_sync_arg",
});

class KernelCheck {
 public:
  KernelCheck(const object::AmdgpuObject& object, const CodeStage& stage,
              const AmdgpuExpectation& expectation, FindingList& findings)
      : object_(object),
        stage_(stage),
        expectation_(expectation),
        findings_(findings) {}

  void run();

 private:
  void check_agreement(const ObjectKernel& kernel, const KernelMetadata& metadata);
  void check_memory(const ObjectKernel& kernel, const KernelMetadata& metadata);
  void check_registers(const ObjectKernel& kernel, const KernelMetadata& metadata);
  void check_block(const KernelMetadata& metadata);
  void check_arguments(const KernelMetadata& metadata);
  bool is_loaded(std::uint64_t address, std::uint64_t size_bytes, std::uint32_t flag) const;
  void refuse_above(double value, CapabilityKey key, std::string_view what,
                    const std::string& entry);

  const object::AmdgpuObject& object_;
  const CodeStage& stage_;
  const AmdgpuExpectation& expectation_;
  FindingList& findings_;
};

bool KernelCheck::is_loaded(std::uint64_t address, std::uint64_t size_bytes,
                            std::uint32_t flag) const {
  return std::any_of(object_.elf.segments.begin(), object_.elf.segments.end(),
                     [&](const object::ElfSegment& segment) {
                       if (segment.type != PT_LOAD || address < segment.address) return false;
                       const std::uint64_t offset = address - segment.address;
                       return (segment.flags & PF_X) == flag && offset < segment.bytes.size() &&
                              size_bytes <= segment.bytes.size() - offset;
                     });
}

void KernelCheck::run() {
  const auto kernel = std::find_if(object_.kernels.begin(), object_.kernels.end(),
                                   [&](const ObjectKernel& k) { return k.name == stage_.entry; });
  if (kernel == object_.kernels.end()) {
    return findings_.refuse("has no kernel \"", printable(stage_.entry), "\"");
  }
  if (!is_loaded(kernel->descriptor_address, object::kKernelDescriptorBytes, 0)) {
    findings_.refuse("has the descriptor of \"", stage_.entry, "\" at address ",
                     hexadecimal(kernel->descriptor_address), ", which is not in its data");
  }
  if (!is_loaded(kernel->entry_address, 4, PF_X) || kernel->entry_address % 256 != 0) {
    findings_.refuse("starts \"", stage_.entry, "\" at address ",
                     hexadecimal(kernel->entry_address),
                     ", which is no multiple of 256 within its code");
  }
  if (!kernel->descriptor.reserved_bytes_are_zero) {
    findings_.refuse("has reserved bytes in the descriptor of \"", stage_.entry,
                     "\" that are not zero");
  }
  if (!object_.metadata) return findings_.refuse("has no metadata on its kernels");
  const auto& all = object_.metadata->kernels;
  const auto metadata = std::find_if(all.begin(), all.end(), [&](const KernelMetadata& m) {
    return m.symbol == stage_.entry + ".kd";
  });
  if (metadata == all.end()) {
    return findings_.refuse("has no metadata on kernel \"", stage_.entry, "\"");
  }
  check_agreement(*kernel, *metadata);
  check_memory(*kernel, *metadata);
  check_registers(*kernel, *metadata);
  check_block(*metadata);
  check_arguments(*metadata);
}

void KernelCheck::check_agreement(const ObjectKernel& kernel, const KernelMetadata& metadata) {
  struct Pair {
    std::string_view what;
    std::uint64_t in_metadata;
    std::uint64_t in_descriptor;
  };
  const std::array pairs = {
      Pair{"bytes of shared memory", metadata.group_segment_bytes,
           kernel.descriptor.group_segment_bytes},
      Pair{"bytes of scratch memory", metadata.private_segment_bytes,
           kernel.descriptor.private_segment_bytes},
      Pair{"bytes of arguments", metadata.kernarg_segment_bytes, kernel.descriptor.kernarg_bytes},
      Pair{"lanes in a wave", metadata.wavefront_size,
           kernel.descriptor.wavefront_size(object_.target)},
  };
  for (const Pair& pair : pairs) {
    if (pair.in_metadata == pair.in_descriptor) continue;
    findings_.refuse("says in its metadata that \"", kernel.name, "\" has ", pair.in_metadata, ' ',
                     pair.what, " and in its descriptor ", pair.in_descriptor);
  }
}

void KernelCheck::refuse_above(double value, CapabilityKey key, std::string_view what,
                               const std::string& entry) {
  const auto most = expectation_.capabilities->number(key);
  if (!most) {
    findings_.refuse("has ", value, ' ', what, " in \"", entry, "\", and how much ",
                     expectation_.target, " has is not known (",
                     descriptors::capability_key_info(key).name, ")");
  } else if (value > *most) {
    findings_.refuse("has ", value, ' ', what, " in \"", entry, "\", and ", expectation_.target,
                     " has ", *most);
  }
}

void KernelCheck::check_memory(const ObjectKernel& kernel, const KernelMetadata& metadata) {
  if (!stage_.shared_bytes || *stage_.shared_bytes < 0) {
    findings_.refuse("cannot be held against the shared memory of \"", stage_.entry,
                     "\", which more than its parameters decides");
  }
  const auto fixed =
      std::max<std::uint64_t>(kernel.descriptor.group_segment_bytes, metadata.group_segment_bytes);
  refuse_above(static_cast<double>(fixed) +
                   static_cast<double>(std::max<std::int64_t>(stage_.shared_bytes.value_or(0), 0)),
               CapabilityKey::kLimitSharedBytes, "bytes of shared memory", stage_.entry);
  if (kernel.descriptor.private_segment_bytes > kMostScratchBytes) {
    findings_.refuse("has ", kernel.descriptor.private_segment_bytes,
                     " bytes of scratch memory for each lane of \"", stage_.entry, "\", more than ",
                     kMostScratchBytes);
  }
  if (metadata.uses_dynamic_stack ||
      kernel.descriptor.field(object::KernelField::kUsesDynamicStack) != 0) {
    findings_.refuse("has a stack in \"", stage_.entry, "\" whose size is not known");
  }
}

void KernelCheck::check_registers(const ObjectKernel& kernel, const KernelMetadata& metadata) {
  refuse_above(kernel.descriptor.vgprs(object_.target), CapabilityKey::kVgprPerLaneMax,
               "vector registers", kernel.name);
  const std::uint32_t named = metadata.vgpr_count;
  if (named > kernel.descriptor.vgprs(object_.target)) {
    findings_.refuse("says in its metadata that \"", kernel.name, "\" has ", named,
                     " vector registers and in its descriptor ",
                     kernel.descriptor.vgprs(object_.target));
  }
  // VCC and what the hardware keeps come on top of those that can be named.
  constexpr std::uint32_t kReserved = 6;
  const std::uint32_t scalars = metadata.sgpr_count - std::min(metadata.sgpr_count, kReserved);
  refuse_above(scalars, CapabilityKey::kSgprPerSubgroupMax, "scalar registers", kernel.name);
}

void KernelCheck::check_block(const KernelMetadata& metadata) {
  if (stage_.subgroup_size && *stage_.subgroup_size != metadata.wavefront_size) {
    findings_.refuse("has waves of ", metadata.wavefront_size, " lanes in \"", stage_.entry,
                     "\", and kernel.json says ", *stage_.subgroup_size);
  }
  refuse_above(metadata.max_flat_workgroup_size, CapabilityKey::kLimitWorkgroupInvocations,
               "lanes in a workgroup", stage_.entry);
  double lanes = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!stage_.block[d] || *stage_.block[d] < 1) {
      return findings_.refuse("cannot be held against dimension ", d, " of the workgroups of \"",
                              stage_.entry, "\", which more than its parameters decides");
    }
    lanes *= static_cast<double>(*stage_.block[d]);
    if (metadata.required_workgroup_size &&
        (*metadata.required_workgroup_size)[d] != *stage_.block[d]) {
      findings_.refuse("has workgroups of ", (*metadata.required_workgroup_size)[d],
                       " in dimension ", d, " of \"", stage_.entry, "\", and kernel.json says ",
                       *stage_.block[d]);
    }
  }
  if (lanes > metadata.max_flat_workgroup_size) {
    findings_.refuse("takes ", metadata.max_flat_workgroup_size, " lanes in a workgroup of \"",
                     stage_.entry, "\", and kernel.json says ", lanes);
  }
}

void KernelCheck::check_arguments(const KernelMetadata& metadata) {
  std::vector<const object::KernelArgument*> taken;
  for (const object::KernelArgument& argument : metadata.arguments) {
    const bool is_refused = std::find(kRefusedHidden.begin(), kRefusedHidden.end(),
                                      argument.value_kind) != kRefusedHidden.end();
    if (is_refused) {
      findings_.refuse("wants what no kernel may have in \"", stage_.entry,
                       "\": ", argument.value_kind);
    }
    if (argument.offset > metadata.kernarg_segment_bytes ||
        argument.size_bytes > metadata.kernarg_segment_bytes - argument.offset) {
      findings_.refuse("has an argument of \"", stage_.entry, "\" (offset ", argument.offset, ", ",
                       argument.size_bytes, " bytes) past its ", metadata.kernarg_segment_bytes,
                       " bytes of arguments");
    }
    if (!argument.value_kind.starts_with("hidden_")) taken.push_back(&argument);
  }
  std::vector<const CodeArgument*> given;
  for (const CodeArgument& argument : stage_.arguments) {
    if (!argument.is_hidden) given.push_back(&argument);
  }
  if (taken.size() != given.size()) {
    return findings_.refuse("takes ", taken.size(), " arguments in \"", stage_.entry,
                            "\", and kernel.json gives ", given.size());
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const bool is_address = taken[i]->value_kind == "global_buffer";
    if (is_address == given[i]->is_address && taken[i]->size_bytes == given[i]->size_bytes &&
        (is_address || taken[i]->value_kind == "by_value")) {
      continue;
    }
    findings_.refuse("takes argument ", i, " of \"", stage_.entry, "\" as ",
                     printable(taken[i]->value_kind), " of ", taken[i]->size_bytes,
                     " bytes, and kernel.json gives ",
                     given[i]->is_address ? "an address" : "a value", " of ", given[i]->size_bytes);
  }
}

}  // namespace

void check_amdgpu_kernel(const object::AmdgpuObject& object, const CodeStage& stage,
                         const AmdgpuExpectation& expectation, FindingList& findings) {
  KernelCheck(object, stage, expectation, findings).run();
}

}  // namespace halyard::verification
