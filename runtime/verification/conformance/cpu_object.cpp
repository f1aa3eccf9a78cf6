// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/cpu_object.h"

#include "runtime/verification/conformance/cpu_code_scan.h"
#include "runtime/verification/conformance/elf_image.h"
#include "runtime/verification/conformance/finding_list.h"

#include <algorithm>
#include <array>
#include <utility>

namespace halyard::verification {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::size_t kMostFileBytes = std::size_t{64} << 20;

struct NamedTag {
  std::int64_t tag;
  std::string_view what;  // the end of a sentence
};

// What a loader does more than map the file, by the entry that asks for it.
constexpr std::array kRefusedTags = {
    NamedTag{DT_NEEDED, "needs another library (DT_NEEDED)"},
    NamedTag{DT_INIT, "has code that runs when it is loaded (DT_INIT)"},
    NamedTag{DT_FINI, "has code that runs when it is unloaded (DT_FINI)"},
    NamedTag{DT_INIT_ARRAY, "has code that runs when it is loaded (DT_INIT_ARRAY)"},
    NamedTag{DT_FINI_ARRAY, "has code that runs when it is unloaded (DT_FINI_ARRAY)"},
    NamedTag{DT_PREINIT_ARRAY, "has code that runs when it is loaded (DT_PREINIT_ARRAY)"},
    NamedTag{DT_RPATH, "says where libraries are looked for (DT_RPATH)"},
    NamedTag{DT_RUNPATH, "says where libraries are looked for (DT_RUNPATH)"},
    NamedTag{DT_TEXTREL, "changes its own code when it is loaded (DT_TEXTREL)"},
    NamedTag{DT_AUDIT, "names an auditing library (DT_AUDIT)"},
    NamedTag{DT_DEPAUDIT, "names an auditing library (DT_DEPAUDIT)"},
    NamedTag{DT_FILTER, "stands for another library (DT_FILTER)"},
    NamedTag{DT_AUXILIARY, "stands for another library (DT_AUXILIARY)"},
    NamedTag{DT_CONFIG, "names a configuration of the loader (DT_CONFIG)"},
    NamedTag{DT_VERNEED, "needs versions of another library (DT_VERNEED)"},
    NamedTag{DT_REL, "has relocations without addends, which x86-64 has not (DT_REL)"},
};

constexpr std::array<std::int64_t, 18> kKnownTags = {
    DT_HASH,   DT_GNU_HASH, DT_STRTAB,   DT_SYMTAB, DT_STRSZ,     DT_SYMENT,
    DT_RELA,   DT_RELASZ,   DT_RELAENT,  DT_JMPREL, DT_PLTRELSZ,  DT_PLTREL,
    DT_PLTGOT, DT_SONAME,   DT_BIND_NOW, DT_FLAGS,  DT_RELACOUNT, DT_FLAGS_1,
};

constexpr std::array<std::int64_t, 6> kTableTags = {DT_HASH,   DT_GNU_HASH, DT_STRTAB,
                                                    DT_SYMTAB, DT_RELA,     DT_JMPREL};

constexpr std::array<std::uint32_t, 8> kKnownSegments = {
    PT_LOAD, PT_DYNAMIC, PT_NOTE, PT_PHDR, PT_NULL, PT_GNU_EH_FRAME, PT_GNU_STACK, PT_GNU_RELRO};
constexpr std::uint32_t kPropertySegment = 0x6474e553;  // PT_GNU_PROPERTY

class CpuObjectCheck {
 public:
  CpuObjectCheck(const ElfImage& image, const CpuObjectExpectation& expectation,
                 FindingList& findings)
      : image_(image),
        expectation_(expectation),
        findings_(findings) {}

  void run() {
    check_header();
    check_segments();
    check_dynamic();
    check_symbols();
    check_relocations();
    check_writable();
    check_entries();
  }

 private:
  void check_header();
  void check_segments();
  void check_segment(const Elf64_Phdr& segment, std::size_t index);
  void check_dynamic();
  void check_flags();
  void check_symbols();
  void check_relocations();
  void check_relocation(const ImageRelocation& relocation, std::size_t index);
  void check_bound_symbol(const ImageRelocation& relocation);
  void check_writable();
  void check_entries();
  bool is_read_only_after_load(std::uint64_t begin, std::uint64_t end) const;
  std::uint64_t memory_end() const;

  const ElfImage& image_;
  const CpuObjectExpectation& expectation_;
  FindingList& findings_;
};

void CpuObjectCheck::check_header() {
  const Elf64_Ehdr& header = image_.header();
  if (header.e_machine != EM_X86_64) {
    findings_.refuse("is for ELF machine ", header.e_machine, ", not for x86-64 (", EM_X86_64, ")");
  }
  if (header.e_type != ET_DYN) {
    findings_.refuse("has ELF type ", header.e_type, ", not that of a shared object (", ET_DYN,
                     ")");
  }
  const unsigned abi = header.e_ident[EI_OSABI];
  if (abi != ELFOSABI_SYSV && abi != ELFOSABI_GNU) {
    findings_.refuse("has the ABI ", abi, ", not System V's (", ELFOSABI_SYSV, ")");
  }
  if (header.e_entry != 0) {
    findings_.refuse("starts as a program at address ", hexadecimal(header.e_entry));
  }
}

void CpuObjectCheck::check_segments() {
  for (std::size_t i = 0; i < image_.segments().size(); ++i)
    check_segment(image_.segments()[i], i);
  const Elf64_Phdr* headers = image_.find_segment(PT_PHDR);
  if (headers != nullptr && image_.file_offset_of(headers->p_vaddr) != image_.header().e_phoff) {
    findings_.refuse("has its program headers (offset ", image_.header().e_phoff,
                     ") elsewhere in memory (address ", hexadecimal(headers->p_vaddr), ")");
  }
  const Elf64_Phdr* dynamic = image_.find_segment(PT_DYNAMIC);
  const Elf64_Phdr* around = image_.segment_of(dynamic->p_vaddr, dynamic->p_memsz);
  if (around == nullptr || (around->p_flags & PF_W) == 0) {
    findings_.refuse("has its dynamic table (address ", hexadecimal(dynamic->p_vaddr),
                     ") in memory that the loader cannot write");
  }
  const Elf64_Phdr* stack = image_.find_segment(PT_GNU_STACK);
  if (stack == nullptr) {
    findings_.refuse("does not say that its stack holds no code (PT_GNU_STACK is missing)");
  } else if ((stack->p_flags & PF_X) != 0) {
    findings_.refuse("wants a stack that holds code (PT_GNU_STACK has flags ", stack->p_flags, ")");
  }
}

void CpuObjectCheck::check_segment(const Elf64_Phdr& segment, std::size_t index) {
  if (segment.p_type == PT_INTERP) return findings_.refuse("is a program (PT_INTERP)");
  if (segment.p_type == PT_TLS) {
    return findings_.refuse("has thread-local data (PT_TLS, ", segment.p_memsz, " bytes)");
  }
  const bool is_known = segment.p_type == kPropertySegment ||
                        std::find(kKnownSegments.begin(), kKnownSegments.end(), segment.p_type) !=
                            kKnownSegments.end();
  if (!is_known) {
    return findings_.refuse("has segment ", index, " of type ", hexadecimal(segment.p_type),
                            ", which no kernel needs");
  }
  const bool is_both = (segment.p_flags & PF_W) != 0 && (segment.p_flags & PF_X) != 0;
  if (segment.p_type == PT_LOAD && is_both) {
    findings_.refuse("has segment ", index, " (address ", hexadecimal(segment.p_vaddr), ", ",
                     segment.p_memsz, " bytes) that is both writable and executable");
  }
}

void CpuObjectCheck::check_dynamic() {
  for (const Elf64_Dyn& entry : image_.dynamic()) {
    const auto refused = std::find_if(kRefusedTags.begin(), kRefusedTags.end(),
                                      [&](const NamedTag& t) { return t.tag == entry.d_tag; });
    if (refused != kRefusedTags.end()) {
      findings_.refuse(refused->what);
      continue;
    }
    if (std::find(kKnownTags.begin(), kKnownTags.end(), entry.d_tag) != kKnownTags.end()) continue;
    // The sizes of what is refused are refused with it.
    const bool is_size = entry.d_tag == DT_INIT_ARRAYSZ || entry.d_tag == DT_FINI_ARRAYSZ ||
                         entry.d_tag == DT_PREINIT_ARRAYSZ || entry.d_tag == DT_VERNEEDNUM ||
                         entry.d_tag == DT_VERSYM;
    if (is_size && !findings_.empty()) continue;
    findings_.refuse("has dynamic entry ", hexadecimal(static_cast<std::uint64_t>(entry.d_tag)),
                     ", which no kernel needs");
  }
  for (const std::int64_t tag : kTableTags) {
    const auto address = image_.dynamic_value(tag);
    if (!address) continue;
    const Elf64_Phdr* segment = image_.segment_of(*address, 1);
    if (segment != nullptr && (segment->p_flags & PF_W) != 0) {
      findings_.refuse("has a table of the loader (dynamic entry ",
                       hexadecimal(static_cast<std::uint64_t>(tag)),
                       ") in memory that is written (address ", hexadecimal(*address), ")");
    }
  }
  check_flags();
}

void CpuObjectCheck::check_flags() {
  const std::uint64_t flags = image_.dynamic_value(DT_FLAGS).value_or(0);
  const std::uint64_t more = image_.dynamic_value(DT_FLAGS_1).value_or(0);
  if ((flags & DF_TEXTREL) != 0) {
    findings_.refuse("changes its own code when it is loaded (DF_TEXTREL)");
  }
  if ((flags & ~std::uint64_t{DF_BIND_NOW | DF_TEXTREL}) != 0) {
    findings_.refuse("has dynamic flags ", hexadecimal(flags), ", of which a kernel needs only ",
                     hexadecimal(DF_BIND_NOW));
  }
  if ((more & ~std::uint64_t{DF_1_NOW}) != 0) {
    findings_.refuse("has dynamic flags ", hexadecimal(more), " (DT_FLAGS_1), of which a kernel ",
                     "needs only ", hexadecimal(DF_1_NOW));
  }
  const auto entry_bytes = image_.dynamic_value(DT_RELAENT);
  if (entry_bytes && *entry_bytes != sizeof(Elf64_Rela)) {
    findings_.refuse("has relocations of ", *entry_bytes, " bytes, not ", sizeof(Elf64_Rela));
  }
  const auto plt = image_.dynamic_value(DT_PLTREL);
  if (plt && *plt != DT_RELA) {
    findings_.refuse("has relocations of its linkage table of kind ", *plt, ", not ", DT_RELA);
  }
}

void CpuObjectCheck::check_symbols() {
  for (std::size_t i = 1; i < image_.symbols().size(); ++i) {
    const ImageSymbol& symbol = image_.symbols()[i];
    const std::string name = printable(symbol.name);
    if (!symbol.is_defined) {
      findings_.refuse("takes \"", name, "\" from another library (an undefined symbol)");
    } else if (symbol.is_absolute) {
      findings_.refuse("has symbol \"", name, "\" at an address of the process (",
                       hexadecimal(symbol.address), "), not within itself");
    } else if (symbol.type == STT_GNU_IFUNC) {
      findings_.refuse("chooses \"", name, "\" by code that runs when it is loaded (an IFUNC at ",
                       hexadecimal(symbol.address), ")");
    } else if (symbol.type == STT_TLS) {
      findings_.refuse("has thread-local data (symbol \"", name, "\")");
    } else if (symbol.binding == STB_GNU_UNIQUE) {
      findings_.refuse("shares \"", name, "\" with every other library (a unique symbol)");
    } else if (symbol.type > STT_FILE) {
      findings_.refuse("has symbol \"", name, "\" of kind ", unsigned{symbol.type},
                       ", which no kernel needs");
    }
    if (findings_.is_full()) return;
  }
}

void CpuObjectCheck::check_relocations() {
  // The loader takes the first ones for relative without a look at their type.
  const std::uint64_t relative = image_.dynamic_value(DT_RELACOUNT).value_or(0);
  const std::uint64_t count = image_.dynamic_value(DT_RELASZ).value_or(0) / sizeof(Elf64_Rela);
  for (std::uint64_t i = 0; i < relative; ++i) {
    if (i < count && image_.relocations()[i].type == R_X86_64_RELATIVE) continue;
    findings_.refuse("says that ", relative, " of its ", count,
                     " relocations are relative, and number ", i, " is not");
    break;
  }
  for (std::size_t i = 0; i < image_.relocations().size() && !findings_.is_full(); ++i)
    check_relocation(image_.relocations()[i], i);
}

void CpuObjectCheck::check_relocation(const ImageRelocation& relocation, std::size_t index) {
  if (relocation.type == R_X86_64_NONE) return;
  if (relocation.type == R_X86_64_IRELATIVE) {
    return findings_.refuse("runs the code at ",
                            hexadecimal(static_cast<std::uint64_t>(relocation.addend)),
                            " when it is loaded (relocation ", index, " is IRELATIVE)");
  }
  const bool is_bound = relocation.type == R_X86_64_64 || relocation.type == R_X86_64_GLOB_DAT ||
                        relocation.type == R_X86_64_JUMP_SLOT;
  if (relocation.type != R_X86_64_RELATIVE && !is_bound) {
    return findings_.refuse("has relocation ", index, " of type ", relocation.type,
                            ", which no kernel needs");
  }
  const std::uint64_t end = relocation.address + 8;
  const Elf64_Phdr* segment = image_.segment_of(relocation.address, 8);
  if (segment == nullptr || (segment->p_flags & PF_W) == 0 || (segment->p_flags & PF_X) != 0) {
    findings_.refuse("has relocation ", index, " at address ", hexadecimal(relocation.address),
                     ", which is in no writable data of its own");
  }
  const Elf64_Phdr* dynamic = image_.find_segment(PT_DYNAMIC);
  if (relocation.address < dynamic->p_vaddr + dynamic->p_memsz && end > dynamic->p_vaddr) {
    findings_.refuse("has relocation ", index, " at address ", hexadecimal(relocation.address),
                     ", within its dynamic table");
  }
  if (is_bound) return check_bound_symbol(relocation);
  if (static_cast<std::uint64_t>(relocation.addend) > memory_end()) {
    findings_.refuse("has relocation ", index, " to address ",
                     hexadecimal(static_cast<std::uint64_t>(relocation.addend)),
                     ", past its end in memory (", hexadecimal(memory_end()), ")");
  }
}

// A symbol that others may define too is looked for in the program first: a definition of `getenv`
// of one's own gives the C library's.
void CpuObjectCheck::check_bound_symbol(const ImageRelocation& relocation) {
  if (relocation.symbol == 0 || relocation.symbol >= image_.symbols().size()) {
    return findings_.refuse("has a relocation to symbol ", relocation.symbol, " of ",
                            image_.symbols().size());
  }
  const ImageSymbol& symbol = image_.symbols()[relocation.symbol];
  const bool is_own = symbol.binding == STB_LOCAL || symbol.visibility != STV_DEFAULT;
  if (symbol.is_defined && !is_own) {
    findings_.refuse("calls or reads \"", printable(symbol.name),
                     "\" by name, which other libraries may define too");
  }
}

bool CpuObjectCheck::is_read_only_after_load(std::uint64_t begin, std::uint64_t end) const {
  const Elf64_Phdr* relro = image_.find_segment(PT_GNU_RELRO);
  if (relro == nullptr) return false;
  // The loader protects whole pages.
  const std::uint64_t from = relro->p_vaddr / kPageBytes * kPageBytes;
  const std::uint64_t to = (relro->p_vaddr + relro->p_memsz) / kPageBytes * kPageBytes;
  return begin >= from && end <= to;
}

void CpuObjectCheck::check_writable() {
  for (const Elf64_Phdr& segment : image_.segments()) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0 || segment.p_memsz == 0) {
      continue;
    }
    const std::uint64_t end = segment.p_vaddr + segment.p_memsz;
    if (is_read_only_after_load(segment.p_vaddr, end)) continue;
    std::uint64_t state = segment.p_memsz;
    const Elf64_Phdr* relro = image_.find_segment(PT_GNU_RELRO);
    if (relro != nullptr && relro->p_vaddr <= segment.p_vaddr &&
        relro->p_vaddr + relro->p_memsz > segment.p_vaddr) {
      const std::uint64_t from = (relro->p_vaddr + relro->p_memsz) / kPageBytes * kPageBytes;
      state = end - std::clamp(from, segment.p_vaddr, end);
    }
    findings_.refuse("has ", state, " bytes of writable data that outlive a launch (address ",
                     hexadecimal(end - state), ")");
  }
}

std::uint64_t CpuObjectCheck::memory_end() const {
  std::uint64_t end = 0;
  for (const Elf64_Phdr& segment : image_.segments()) {
    if (segment.p_type == PT_LOAD) end = std::max(end, segment.p_vaddr + segment.p_memsz);
  }
  return end;
}

void CpuObjectCheck::check_entries() {
  if (expectation_.entries.empty()) findings_.refuse("has no entry that is asked for");
  std::vector<CodeRange> ranges;
  for (const std::string& entry : expectation_.entries) {
    const auto& symbols = image_.symbols();
    const auto symbol = std::find_if(symbols.begin(), symbols.end(), [&](const ImageSymbol& s) {
      return s.name == entry && s.is_defined && s.binding != STB_LOCAL;
    });
    const bool is_twice = symbol != symbols.end() &&
                          std::any_of(symbol + 1, symbols.end(),
                                      [&](const auto& other) { return other.name == entry; });
    if (is_twice) findings_.refuse("has two symbols \"", printable(entry), "\"");
    if (symbol == symbols.end()) {
      findings_.refuse("does not export the entry \"", printable(entry), "\"");
      continue;
    }
    if (symbol->type != STT_FUNC) {
      findings_.refuse("has the entry \"", entry, "\" as symbol of kind ", unsigned{symbol->type},
                       ", not as a function (", STT_FUNC, ")");
      continue;
    }
    const Elf64_Phdr* segment = image_.segment_of(symbol->address, symbol->size_bytes);
    const std::string_view code = image_.bytes_at(symbol->address);
    if (segment == nullptr || (segment->p_flags & PF_X) == 0 || code.empty() ||
        code.size() < symbol->size_bytes) {
      findings_.refuse("has the entry \"", entry, "\" (address ", hexadecimal(symbol->address),
                       ", ", symbol->size_bytes, " bytes) outside of its executable code");
      continue;
    }
    ranges.push_back({symbol->address, symbol->size_bytes});
  }
  scan_cpu_code(image_, ranges, findings_);
}

}  // namespace

std::vector<Finding> check_cpu_object(std::string_view bytes,
                                      const CpuObjectExpectation& expectation) {
  FindingList findings(base::concat("The code of kernel \"", printable(expectation.kernel), "\""));
  if (bytes.size() > kMostFileBytes) {
    findings.refuse("has ", bytes.size(), " bytes, more than ", kMostFileBytes);
    return std::move(findings).take();
  }
  ElfImage image;
  if (const std::string fault = ElfImage::read(bytes, &image); !fault.empty()) {
    findings.refuse(fault);
    return std::move(findings).take();
  }
  CpuObjectCheck(image, expectation, findings).run();
  return std::move(findings).take();
}

}  // namespace halyard::verification
