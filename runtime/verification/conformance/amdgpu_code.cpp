// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/amdgpu_code.h"

#include "capability-descriptors/object/amdgpu_object.h"
#include "runtime/verification/conformance/amdgpu_code_scan.h"
#include "runtime/verification/conformance/finding_list.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <utility>

namespace halyard::verification {
namespace {

using descriptors::CapabilityKey;
using object::KernelMetadata;
using object::ObjectKernel;

constexpr std::size_t kMostObjectBytes = std::size_t{64} << 20;
constexpr std::size_t kMostSegments = 64;
constexpr std::uint64_t kMostScratchBytes = 131072;  // of a lane: 8 MiB of a wave of 64
constexpr std::uint32_t kRelative64 = 13;            // R_AMDGPU_RELATIVE64
constexpr std::uint32_t kNoteMetadata = 32;
constexpr std::string_view kNoteName = "AMDGPU";
constexpr std::string_view kDescriptorSuffix = ".kd";
constexpr std::string_view kTargetPrefix = "amdgcn-";
// Marks the translation unit; clang gives one to every object of HIP, and no code reads it.
constexpr std::string_view kUnitMark = "__hip_cuid_";

// What the driver would have to fill for printing, allocating or launching from the device.
constexpr auto kRefusedHidden = std::to_array<std::string_view>({
    "hidden_printf_buffer",
    "hidden_hostcall_buffer",
    "hidden_default_queue",
    "hidden_completion_action",
    "hidden_heap_v1",
    "hidden_multigrid_sync_arg",
});

class AmdgpuCheck {
 public:
  AmdgpuCheck(const object::AmdgpuObject& object, const AmdgpuExpectation& expectation,
              FindingList& findings)
      : object_(object),
        expectation_(expectation),
        findings_(findings) {}

  void run() {
    check_target();
    check_symbols();
    check_tables();
    check_sections();
    check_relocations();
    check_segments();
    for (const CodeStage& stage : expectation_.stages)
      check_stage(stage);
    scan_amdgpu_code(object_, expectation_, findings_);
  }

 private:
  void check_target();
  void check_symbols();
  void check_tables();
  void check_sections();
  void check_relocations();
  void check_segments();
  void check_writable(const object::ElfSegment& segment);
  void check_stage(const CodeStage& stage);
  void check_agreement(const ObjectKernel& kernel, const KernelMetadata& metadata);
  void check_memory(const CodeStage& stage, const ObjectKernel& kernel,
                    const KernelMetadata& metadata);
  void check_registers(const ObjectKernel& kernel, const KernelMetadata& metadata);
  void check_block(const CodeStage& stage, const KernelMetadata& metadata);
  void check_arguments(const CodeStage& stage, const KernelMetadata& metadata);
  bool is_loaded(std::uint64_t address, std::uint64_t size_bytes, std::uint32_t flag) const;
  void refuse_above(double value, CapabilityKey key, std::string_view what,
                    const std::string& entry);

  const object::AmdgpuObject& object_;
  const AmdgpuExpectation& expectation_;
  FindingList& findings_;
};

void AmdgpuCheck::check_target() {
  const std::string_view wanted = expectation_.target;
  const object::AmdgpuTarget& target = object_.target;
  const std::string_view rest =
      wanted.starts_with(kTargetPrefix) ? wanted.substr(kTargetPrefix.size()) : std::string_view{};
  const std::string_view processor = rest.substr(0, rest.find(':'));
  // Features that the build leaves open may be set in no other way by the object.
  if (processor == target.processor && (rest == processor || rest == target.id())) return;
  findings_.refuse("is for ", kTargetPrefix, target.id(), ", not for ", printable(wanted));
}

void AmdgpuCheck::check_symbols() {
  for (const object::ElfSymbol& symbol : object_.elf.symbols) {
    const bool is_outside = symbol.section == object::kNoSection && symbol.binding != STB_LOCAL;
    if (is_outside) {
      findings_.refuse("takes \"", printable(symbol.name),
                       "\" from elsewhere (an undefined symbol)");
    }
    if (findings_.is_full()) return;
  }
}

// The loader may read one table of symbols and this check the other.
void AmdgpuCheck::check_tables() {
  std::size_t tables = 0;
  for (const object::ElfSection& section : object_.elf.sections) {
    if (section.type != SHT_SYMTAB && section.type != SHT_DYNSYM) continue;
    ++tables;
    if (section.link >= object_.elf.sections.size()) {
      return findings_.refuse("has the names of its symbols in section ", section.link, " of ",
                              object_.elf.sections.size());
    }
    std::vector<std::string> kernels;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= section.bytes.size();
         at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, section.bytes.data() + at, sizeof(symbol));
      const std::string_view names = object_.elf.sections[section.link].bytes;
      std::string_view name = names.substr(std::min<std::size_t>(symbol.st_name, names.size()));
      name = name.substr(0, name.find('\0'));
      if (!name.ends_with(kDescriptorSuffix)) continue;
      kernels.push_back(base::concat(printable(name), " at ", hexadecimal(symbol.st_value)));
    }
    std::vector<std::string> known;
    for (const ObjectKernel& kernel : object_.kernels) {
      known.push_back(base::concat(printable(base::concat(kernel.name, kDescriptorSuffix)), " at ",
                                   hexadecimal(kernel.descriptor_address)));
    }
    std::sort(kernels.begin(), kernels.end());
    std::sort(known.begin(), known.end());
    if (kernels == known) continue;
    findings_.refuse("has other kernels in its table of symbols at offset ", section.offset, " (",
                     kernels.size(), ") than in that with their code (", known.size(), ")");
  }
  if (tables == 0 || tables > 2) findings_.refuse("has ", tables, " tables of symbols");
  std::set<std::string_view> seen;
  for (const ObjectKernel& kernel : object_.kernels) {
    if (seen.insert(kernel.name).second) continue;
    return findings_.refuse("has two kernels \"", printable(kernel.name), "\"");
  }
}

// What is read here by sections, the loader reads by segments.
void AmdgpuCheck::check_sections() {
  std::size_t notes = 0;
  for (const object::ElfNote& note : object_.elf.notes)
    notes += note.type == kNoteMetadata && note.name == kNoteName ? 1 : 0;
  if (notes > 1) findings_.refuse("has ", notes, " notes of metadata");
  for (const object::ElfSection& section : object_.elf.sections) {
    if (section.type == SHT_NOTE && (section.flags & SHF_ALLOC) == 0) {
      findings_.refuse("has notes that are not loaded (offset ", section.offset, ")");
    }
    if ((section.flags & SHF_ALLOC) == 0 || section.bytes.empty()) continue;
    const bool is_in_place =
        std::any_of(object_.elf.segments.begin(), object_.elf.segments.end(),
                    [&](const object::ElfSegment& segment) {
                      if (segment.type != PT_LOAD || section.address < segment.address)
                        return false;
                      const std::uint64_t offset = section.address - segment.address;
                      return offset <= segment.bytes.size() &&
                             section.bytes.size() <= segment.bytes.size() - offset &&
                             section.bytes.data() == segment.bytes.data() + offset;
                    });
    if (is_in_place) continue;
    findings_.refuse("has section \"", printable(section.name), "\" (offset ", section.offset,
                     ") elsewhere in the file than in memory (address ",
                     hexadecimal(section.address), ")");
    if (findings_.is_full()) return;
  }
}

void AmdgpuCheck::check_relocations() {
  for (const object::ElfSection& section : object_.elf.sections) {
    if (section.type == SHT_REL) findings_.refuse("has relocations without addends");
    if (section.type != SHT_RELA) continue;
    for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= section.bytes.size();
         at += sizeof(Elf64_Rela)) {
      Elf64_Rela relocation;
      std::memcpy(&relocation, section.bytes.data() + at, sizeof(relocation));
      const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(relocation.r_info));
      if (type == kRelative64) continue;
      findings_.refuse("has a relocation of type ", type, " at address ",
                       hexadecimal(relocation.r_offset), ", which no kernel needs");
      if (findings_.is_full()) return;
    }
  }
}

void AmdgpuCheck::check_segments() {
  if (object_.elf.type != ET_DYN) {
    findings_.refuse("has ELF type ", object_.elf.type, ", not that of a linked object (", ET_DYN,
                     ")");
  }
  for (const object::ElfSegment& segment : object_.elf.segments) {
    if (segment.type != PT_LOAD) continue;
    for (const object::ElfSegment& other : object_.elf.segments) {
      if (&other == &segment) break;
      if (other.type != PT_LOAD || segment.address >= other.address + other.memory_bytes ||
          other.address >= segment.address + segment.memory_bytes) {
        continue;
      }
      findings_.refuse("has two segments at address ", hexadecimal(segment.address));
    }
    if (segment.memory_bytes > kMostObjectBytes || segment.address > kMostObjectBytes) {
      findings_.refuse("has a segment at address ", hexadecimal(segment.address), " with ",
                       segment.memory_bytes, " bytes in memory, beyond ", kMostObjectBytes);
    } else if ((segment.flags & PF_W) != 0 && (segment.flags & PF_X) != 0) {
      findings_.refuse("has a segment at address ", hexadecimal(segment.address),
                       " that is both writable and executable");
    } else if ((segment.flags & PF_W) != 0) {
      check_writable(segment);
    }
  }
}

void AmdgpuCheck::check_writable(const object::ElfSegment& segment) {
  const std::uint64_t end = segment.address + segment.memory_bytes;
  std::uint64_t begin = segment.address;
  for (const object::ElfSegment& other : object_.elf.segments) {
    if (other.type != PT_GNU_RELRO || other.address > begin) continue;
    begin = std::clamp(other.address + std::min(other.memory_bytes, kMostObjectBytes), begin, end);
  }
  const bool is_mark =
      end - begin == 1 && std::any_of(object_.elf.symbols.begin(), object_.elf.symbols.end(),
                                      [&](const object::ElfSymbol& symbol) {
                                        return symbol.address == begin &&
                                               symbol.name.starts_with(kUnitMark);
                                      });
  if (begin == end || is_mark) return;
  findings_.refuse("has ", end - begin, " bytes of writable data that outlive a launch (address ",
                   hexadecimal(begin), ")");
}

bool AmdgpuCheck::is_loaded(std::uint64_t address, std::uint64_t size_bytes,
                            std::uint32_t flag) const {
  return std::any_of(object_.elf.segments.begin(), object_.elf.segments.end(),
                     [&](const object::ElfSegment& segment) {
                       if (segment.type != PT_LOAD || address < segment.address) return false;
                       const std::uint64_t offset = address - segment.address;
                       return (segment.flags & PF_X) == flag && offset < segment.bytes.size() &&
                              size_bytes <= segment.bytes.size() - offset;
                     });
}

void AmdgpuCheck::check_stage(const CodeStage& stage) {
  const auto kernel = std::find_if(object_.kernels.begin(), object_.kernels.end(),
                                   [&](const ObjectKernel& k) { return k.name == stage.entry; });
  if (kernel == object_.kernels.end()) {
    return findings_.refuse("has no kernel \"", printable(stage.entry), "\"");
  }
  if (!is_loaded(kernel->descriptor_address, object::kKernelDescriptorBytes, 0)) {
    findings_.refuse("has the descriptor of \"", stage.entry, "\" at address ",
                     hexadecimal(kernel->descriptor_address), ", which is not in its data");
  }
  if (!is_loaded(kernel->entry_address, 4, PF_X) || kernel->entry_address % 256 != 0) {
    findings_.refuse("starts \"", stage.entry, "\" at address ", hexadecimal(kernel->entry_address),
                     ", which is no multiple of 256 within its code");
  }
  if (!kernel->descriptor.reserved_bytes_are_zero) {
    findings_.refuse("has reserved bytes in the descriptor of \"", stage.entry,
                     "\" that are not zero");
  }
  if (!object_.metadata) return findings_.refuse("has no metadata on its kernels");
  const auto& all = object_.metadata->kernels;
  const auto metadata = std::find_if(all.begin(), all.end(), [&](const KernelMetadata& m) {
    return m.symbol == stage.entry + ".kd";
  });
  if (metadata == all.end()) {
    return findings_.refuse("has no metadata on kernel \"", stage.entry, "\"");
  }
  check_agreement(*kernel, *metadata);
  check_memory(stage, *kernel, *metadata);
  check_registers(*kernel, *metadata);
  check_block(stage, *metadata);
  check_arguments(stage, *metadata);
}

void AmdgpuCheck::check_agreement(const ObjectKernel& kernel, const KernelMetadata& metadata) {
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

void AmdgpuCheck::refuse_above(double value, CapabilityKey key, std::string_view what,
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

void AmdgpuCheck::check_memory(const CodeStage& stage, const ObjectKernel& kernel,
                               const KernelMetadata& metadata) {
  if (!stage.shared_bytes || *stage.shared_bytes < 0) {
    findings_.refuse("cannot be held against the shared memory of \"", stage.entry,
                     "\", which more than its parameters decides");
  }
  const auto fixed =
      std::max<std::uint64_t>(kernel.descriptor.group_segment_bytes, metadata.group_segment_bytes);
  refuse_above(static_cast<double>(fixed) +
                   static_cast<double>(std::max<std::int64_t>(stage.shared_bytes.value_or(0), 0)),
               CapabilityKey::kLimitSharedBytes, "bytes of shared memory", stage.entry);
  if (kernel.descriptor.private_segment_bytes > kMostScratchBytes) {
    findings_.refuse("has ", kernel.descriptor.private_segment_bytes,
                     " bytes of scratch memory for each lane of \"", stage.entry, "\", more than ",
                     kMostScratchBytes);
  }
  if (metadata.uses_dynamic_stack ||
      kernel.descriptor.field(object::KernelField::kUsesDynamicStack) != 0) {
    findings_.refuse("has a stack in \"", stage.entry, "\" whose size is not known");
  }
}

void AmdgpuCheck::check_registers(const ObjectKernel& kernel, const KernelMetadata& metadata) {
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

void AmdgpuCheck::check_block(const CodeStage& stage, const KernelMetadata& metadata) {
  if (stage.subgroup_size && *stage.subgroup_size != metadata.wavefront_size) {
    findings_.refuse("has waves of ", metadata.wavefront_size, " lanes in \"", stage.entry,
                     "\", and kernel.json says ", *stage.subgroup_size);
  }
  refuse_above(metadata.max_flat_workgroup_size, CapabilityKey::kLimitWorkgroupInvocations,
               "lanes in a workgroup", stage.entry);
  double lanes = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!stage.block[d] || *stage.block[d] < 1) {
      return findings_.refuse("cannot be held against dimension ", d, " of the workgroups of \"",
                              stage.entry, "\", which more than its parameters decides");
    }
    lanes *= static_cast<double>(*stage.block[d]);
    if (metadata.required_workgroup_size &&
        (*metadata.required_workgroup_size)[d] != *stage.block[d]) {
      findings_.refuse("has workgroups of ", (*metadata.required_workgroup_size)[d],
                       " in dimension ", d, " of \"", stage.entry, "\", and kernel.json says ",
                       *stage.block[d]);
    }
  }
  if (lanes > metadata.max_flat_workgroup_size) {
    findings_.refuse("takes ", metadata.max_flat_workgroup_size, " lanes in a workgroup of \"",
                     stage.entry, "\", and kernel.json says ", lanes);
  }
}

void AmdgpuCheck::check_arguments(const CodeStage& stage, const KernelMetadata& metadata) {
  std::vector<const object::KernelArgument*> taken;
  for (const object::KernelArgument& argument : metadata.arguments) {
    const bool is_refused = std::find(kRefusedHidden.begin(), kRefusedHidden.end(),
                                      argument.value_kind) != kRefusedHidden.end();
    if (is_refused) {
      findings_.refuse("wants what no kernel may have in \"", stage.entry,
                       "\": ", argument.value_kind);
    }
    if (argument.offset > metadata.kernarg_segment_bytes ||
        argument.size_bytes > metadata.kernarg_segment_bytes - argument.offset) {
      findings_.refuse("has an argument of \"", stage.entry, "\" (offset ", argument.offset, ", ",
                       argument.size_bytes, " bytes) past its ", metadata.kernarg_segment_bytes,
                       " bytes of arguments");
    }
    if (!argument.value_kind.starts_with("hidden_")) taken.push_back(&argument);
  }
  std::vector<const CodeArgument*> given;
  for (const CodeArgument& argument : stage.arguments) {
    if (!argument.is_hidden) given.push_back(&argument);
  }
  if (taken.size() != given.size()) {
    return findings_.refuse("takes ", taken.size(), " arguments in \"", stage.entry,
                            "\", and kernel.json gives ", given.size());
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const bool is_address = taken[i]->value_kind == "global_buffer";
    if (is_address == given[i]->is_address && taken[i]->size_bytes == given[i]->size_bytes &&
        (is_address || taken[i]->value_kind == "by_value")) {
      continue;
    }
    findings_.refuse("takes argument ", i, " of \"", stage.entry, "\" as ",
                     printable(taken[i]->value_kind), " of ", taken[i]->size_bytes,
                     " bytes, and kernel.json gives ",
                     given[i]->is_address ? "an address" : "a value", " of ", given[i]->size_bytes);
  }
}

}  // namespace

std::vector<Finding> check_amdgpu_code(std::string_view bytes,
                                       const AmdgpuExpectation& expectation) {
  FindingList findings(base::concat("The code of kernel \"", printable(expectation.kernel), "\""));
  if (bytes.size() > kMostObjectBytes) {
    findings.refuse("has ", bytes.size(), " bytes, more than ", kMostObjectBytes);
    return std::move(findings).take();
  }
  const auto object = object::parse_amdgpu_object(bytes, "the object");
  if (!object) {
    findings.refuse("is no code object that can be read (", reason_of(object.error()), ")");
    return std::move(findings).take();
  }
  if (object->elf.segments.size() > kMostSegments) {
    findings.refuse("has ", object->elf.segments.size(), " segments, more than ", kMostSegments);
    return std::move(findings).take();
  }
  if (expectation.capabilities == nullptr || expectation.instruction_set == nullptr) {
    findings.refuse("is for ", printable(expectation.target),
                    ", whose limits and instructions are not known");
    return std::move(findings).take();
  }
  AmdgpuCheck(*object, expectation, findings).run();
  return std::move(findings).take();
}

}  // namespace halyard::verification
