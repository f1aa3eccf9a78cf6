// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/amdgpu_code.h"

#include "capability-descriptors/object/amdgpu_object.h"
#include "runtime/verification/conformance/amdgpu_code_scan.h"
#include "runtime/verification/conformance/amdgpu_kernel_check.h"
#include "runtime/verification/conformance/finding_list.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <utility>

namespace halyard::verification {
namespace {

using object::ObjectKernel;

constexpr std::size_t kMostObjectBytes = std::size_t{64} << 20;
constexpr std::size_t kMostSegments = 64;
constexpr std::uint32_t kRelative64 = 13;  // R_AMDGPU_RELATIVE64
constexpr std::uint32_t kNoteMetadata = 32;
constexpr std::string_view kNoteName = "AMDGPU";
constexpr std::string_view kDescriptorSuffix = ".kd";
constexpr std::string_view kTargetPrefix = "amdgcn-";
// Marks the translation unit; clang gives one to every object of HIP, and no code reads it.
constexpr std::string_view kUnitMark = "__hip_cuid_";

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
      check_amdgpu_kernel(object_, stage, expectation_, findings_);
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
