// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/elf_image.h"

#include "runtime/base/text.h"
#include "runtime/verification/conformance/finding_list.h"

#include <algorithm>

namespace halyard::verification {
namespace {

using base::concat;

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kMostMemoryBytes = std::uint64_t{64} << 20;
constexpr std::size_t kMostSegments = 64;
constexpr std::size_t kMostDynamicEntries = 256;
constexpr std::size_t kMostSymbols = std::size_t{1} << 16;
constexpr std::size_t kMostRelocations = std::size_t{1} << 20;
constexpr std::size_t kMostNameBytes = 4096;

std::uint64_t page_of(std::uint64_t address) {
  return address / kPageBytes;
}

}  // namespace

std::string ElfImage::read(std::string_view bytes, ElfImage* out) {
  out->bytes_ = bytes;
  using Step = std::string (ElfImage::*)();
  for (const Step step : {&ElfImage::read_header, &ElfImage::read_segments, &ElfImage::read_dynamic,
                          &ElfImage::read_symbols}) {
    if (std::string fault = (out->*step)(); !fault.empty()) return fault;
  }
  if (std::string fault = out->read_relocations(DT_RELA, DT_RELASZ); !fault.empty()) return fault;
  return out->read_relocations(DT_JMPREL, DT_PLTRELSZ);
}

std::string ElfImage::read_header() {
  const auto header = value_in<Elf64_Ehdr>(bytes_, 0);
  if (!header || bytes_.substr(0, SELFMAG) != ELFMAG) {
    return concat("(", bytes_.size(), " bytes) does not start as an ELF file");
  }
  header_ = *header;
  if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB) {
    return "is no 64-bit little-endian ELF file";
  }
  if (header_.e_ident[EI_VERSION] != EV_CURRENT || header_.e_version != EV_CURRENT) {
    return concat("has ELF version ", header_.e_version, ", not ", EV_CURRENT);
  }
  if (header_.e_ehsize != sizeof(Elf64_Ehdr)) {
    return concat("has an ELF header of ", header_.e_ehsize, " bytes, not ", sizeof(Elf64_Ehdr));
  }
  return "";
}

std::string ElfImage::read_segments() {
  if (header_.e_phnum == 0 || header_.e_phentsize != sizeof(Elf64_Phdr)) {
    return concat("has ", header_.e_phnum, " program headers of ", header_.e_phentsize,
                  " bytes each, not of ", sizeof(Elf64_Phdr));
  }
  if (header_.e_phnum > kMostSegments) {
    return concat("has ", header_.e_phnum, " program headers, more than ", kMostSegments);
  }
  const std::uint64_t size = std::uint64_t{header_.e_phnum} * sizeof(Elf64_Phdr);
  if (header_.e_phoff < sizeof(Elf64_Ehdr) || !holds(header_.e_phoff, size)) {
    return concat("has program headers (offset ", header_.e_phoff, ", ", size,
                  " bytes) over its ELF header or past its end (", bytes_.size(), " bytes)");
  }
  for (std::size_t i = 0; i < header_.e_phnum; ++i) {
    const auto segment =
        value_in<Elf64_Phdr>(bytes_, header_.e_phoff + i * sizeof(Elf64_Phdr)).value();
    if (std::string fault = read_segment(segment, i); !fault.empty()) return fault;
    segments_.push_back(segment);
  }
  return "";
}

std::string ElfImage::read_segment(const Elf64_Phdr& segment, std::size_t index) {
  if (!holds(segment.p_offset, segment.p_filesz)) {
    return concat("has segment ", index, " (offset ", segment.p_offset, ", ", segment.p_filesz,
                  " bytes) past its end (", bytes_.size(), " bytes)");
  }
  if (segment.p_memsz > kMostMemoryBytes || segment.p_vaddr > kMostMemoryBytes ||
      segment.p_vaddr + segment.p_memsz > kMostMemoryBytes) {
    return concat("has segment ", index, " at address ", segment.p_vaddr, " with ", segment.p_memsz,
                  " bytes in memory, beyond ", kMostMemoryBytes);
  }
  const bool is_once = segment.p_type == PT_DYNAMIC || segment.p_type == PT_GNU_STACK ||
                       segment.p_type == PT_GNU_RELRO;
  if (is_once && find_segment(segment.p_type) != nullptr) {
    return concat("has two segments of type ", hexadecimal(segment.p_type));
  }
  return segment.p_type == PT_LOAD ? check_load(segment, index) : "";
}

std::string ElfImage::check_load(const Elf64_Phdr& segment, std::size_t index) {
  if (segment.p_filesz > segment.p_memsz) {
    return concat("has segment ", index, " with ", segment.p_filesz, " bytes in the file and ",
                  segment.p_memsz, " in memory");
  }
  const std::uint64_t alignment = segment.p_align;
  const bool is_aligned = alignment >= kPageBytes && (alignment & (alignment - 1)) == 0 &&
                          alignment <= kMostMemoryBytes &&
                          segment.p_vaddr % alignment == segment.p_offset % alignment;
  if (!is_aligned) {
    return concat("has segment ", index, " at address ", segment.p_vaddr, " and offset ",
                  segment.p_offset, " with alignment ", alignment, ", which no page has");
  }
  if (segment.p_memsz == 0) return "";
  for (const Elf64_Phdr& other : segments_) {
    if (other.p_type != PT_LOAD || other.p_memsz == 0) continue;
    if (page_of(other.p_vaddr + other.p_memsz - 1) < page_of(segment.p_vaddr)) continue;
    return concat("has segment ", index, " at address ", segment.p_vaddr,
                  ", on or before the last page of another (address ", other.p_vaddr, ", ",
                  other.p_memsz, " bytes)");
  }
  return "";
}

std::string ElfImage::read_dynamic() {
  const Elf64_Phdr* segment = find_segment(PT_DYNAMIC);
  if (segment == nullptr) return "has no dynamic table";
  // The loader reads the table in memory, not at the offset in the file.
  const std::string_view table = bytes_at(segment->p_vaddr);
  if (table.size() < segment->p_filesz || table.data() != bytes_.data() + segment->p_offset) {
    return concat("has its dynamic table (address ", segment->p_vaddr, ", offset ",
                  segment->p_offset, ", ", segment->p_filesz,
                  " bytes) elsewhere in memory than in the file");
  }
  for (std::uint64_t i = 0; (i + 1) * sizeof(Elf64_Dyn) <= segment->p_filesz; ++i) {
    const auto entry = value_in<Elf64_Dyn>(table, i * sizeof(Elf64_Dyn)).value();
    if (entry.d_tag == DT_NULL) return "";
    if (i == kMostDynamicEntries) {
      return concat("has more than ", kMostDynamicEntries, " dynamic entries");
    }
    const bool repeats = entry.d_tag != DT_NEEDED && dynamic_value(entry.d_tag).has_value();
    if (repeats) {
      return concat("has two dynamic entries of tag ",
                    hexadecimal(static_cast<std::uint64_t>(entry.d_tag)));
    }
    dynamic_.push_back(entry);
  }
  return concat("has a dynamic table (", segment->p_filesz, " bytes) without end");
}

std::string ElfImage::count_gnu_hash(std::string_view table, std::uint64_t* count) const {
  const auto word = [&](std::uint64_t offset) { return value_in<std::uint32_t>(table, offset); };
  constexpr std::uint64_t kHeadBytes = 16;
  const auto buckets = word(0);
  const auto first = word(4);
  const auto bloom_words = word(8);
  if (!word(12) || *buckets == 0 || *bloom_words == 0 || (*bloom_words & (*bloom_words - 1)) != 0) {
    return "has a hash table of symbols without a whole head";
  }
  const std::uint64_t at_buckets = kHeadBytes + std::uint64_t{*bloom_words} * 8;
  const std::uint64_t at_chains = at_buckets + std::uint64_t{*buckets} * 4;
  if (at_chains > table.size()) return "has a hash table of symbols past its segment";
  // A whole table leads to each symbol once, so chains that share symbols are cut short here.
  std::uint64_t visited = 0;
  std::uint64_t end = *first;
  for (std::uint64_t i = 0; i < *buckets; ++i) {
    std::uint64_t symbol = *word(at_buckets + i * 4);
    if (symbol == 0) continue;
    if (symbol < *first) {
      return concat("has a hash table that leads to symbol ", symbol, ", before its first (",
                    *first, ")");
    }
    for (bool is_last = false; !is_last; ++symbol) {
      const auto hash = word(at_chains + (symbol - *first) * 4);
      if (!hash || ++visited > kMostSymbols) {
        return concat("has a hash table whose chain of symbol ", symbol, " has no end");
      }
      is_last = (*hash & 1) != 0;
    }
    end = std::max(end, symbol);
  }
  *count = end;
  return "";
}

std::string ElfImage::count_symbols(std::uint64_t* count) const {
  const auto gnu = dynamic_value(DT_GNU_HASH);
  const auto old = dynamic_value(DT_HASH);
  std::uint64_t by_gnu = 0;
  if (gnu) {
    if (std::string fault = count_gnu_hash(bytes_at(*gnu), &by_gnu); !fault.empty()) return fault;
    *count = by_gnu;
  }
  if (!old) return gnu ? "" : "has no hash table of symbols";
  const std::string_view table = bytes_at(*old);
  const auto buckets = value_in<std::uint32_t>(table, 0);
  const auto chains = value_in<std::uint32_t>(table, 4);
  if (!chains || *buckets == 0 || 8 + (std::uint64_t{*buckets} + *chains) * 4 > table.size()) {
    return "has a hash table of symbols past its segment";
  }
  for (std::uint64_t i = 0; i < std::uint64_t{*buckets} + *chains; ++i) {
    if (*value_in<std::uint32_t>(table, 8 + i * 4) >= *chains) {
      return "has a hash table that leads past its symbols";
    }
  }
  *count = std::max<std::uint64_t>(by_gnu, *chains);
  return "";
}

std::string ElfImage::read_symbols() {
  const auto table_address = dynamic_value(DT_SYMTAB);
  const auto names_address = dynamic_value(DT_STRTAB);
  const auto names_bytes = dynamic_value(DT_STRSZ);
  if (!table_address || !names_address || !names_bytes) return "has no table of symbols";
  if (dynamic_value(DT_SYMENT).value_or(sizeof(Elf64_Sym)) != sizeof(Elf64_Sym)) {
    return concat("has symbols of ", *dynamic_value(DT_SYMENT), " bytes, not ", sizeof(Elf64_Sym));
  }
  std::uint64_t count = 0;
  if (std::string fault = count_symbols(&count); !fault.empty()) return fault;
  const std::string_view table = bytes_at(*table_address);
  std::string_view names = bytes_at(*names_address);
  if (count > kMostSymbols || count * sizeof(Elf64_Sym) > table.size()) {
    return concat("has ", count, " symbols, more than ", kMostSymbols, " or past their segment (",
                  table.size(), " bytes)");
  }
  if (*names_bytes > names.size()) {
    return concat("has names of symbols (", *names_bytes, " bytes) past their segment (",
                  names.size(), " bytes)");
  }
  names = names.substr(0, *names_bytes);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto raw = value_in<Elf64_Sym>(table, i * sizeof(Elf64_Sym)).value();
    ImageSymbol symbol;
    const std::string_view rest = names.substr(std::min<std::uint64_t>(raw.st_name, names.size()));
    const std::size_t end = rest.substr(0, kMostNameBytes).find('\0');
    if (end == std::string_view::npos) {
      return concat("has symbol ", i, " with a name (offset ", raw.st_name,
                    ") that has no end within its table (", names.size(), " bytes) or ",
                    kMostNameBytes, " bytes");
    }
    symbol.name = rest.substr(0, end);
    symbol.address = raw.st_value;
    symbol.size_bytes = raw.st_size;
    symbol.type = ELF64_ST_TYPE(raw.st_info);
    symbol.binding = ELF64_ST_BIND(raw.st_info);
    symbol.visibility = ELF64_ST_VISIBILITY(raw.st_other);
    symbol.is_defined = raw.st_shndx != SHN_UNDEF;
    symbol.is_absolute = raw.st_shndx >= SHN_LORESERVE;
    symbols_.push_back(symbol);
  }
  return "";
}

std::string ElfImage::read_relocations(std::int64_t table_tag, std::int64_t size_tag) {
  const auto address = dynamic_value(table_tag);
  const auto size = dynamic_value(size_tag);
  if (!address && !size) return "";
  const std::string_view table = bytes_at(address.value_or(0));
  if (!address || !size || *size > table.size() || *size % sizeof(Elf64_Rela) != 0) {
    return concat("has relocations (address ", address.value_or(0), ", ", size.value_or(0),
                  " bytes) that are not whole or past their segment (", table.size(), " bytes)");
  }
  const std::uint64_t count = *size / sizeof(Elf64_Rela);
  if (relocations_.size() + count > kMostRelocations) {
    return concat("has ", count, " relocations, more than ", kMostRelocations);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto raw = value_in<Elf64_Rela>(table, i * sizeof(Elf64_Rela)).value();
    relocations_.push_back({raw.r_offset, static_cast<std::uint32_t>(ELF64_R_TYPE(raw.r_info)),
                            static_cast<std::uint32_t>(ELF64_R_SYM(raw.r_info)), raw.r_addend});
  }
  return "";
}

std::string_view ElfImage::bytes_at(std::uint64_t address) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t offset = address - segment.p_vaddr;
    if (offset < segment.p_filesz) {
      return bytes_.substr(segment.p_offset + offset, segment.p_filesz - offset);
    }
  }
  return {};
}

std::optional<std::uint64_t> ElfImage::file_offset_of(std::uint64_t address) const {
  const std::string_view bytes = bytes_at(address);
  if (bytes.empty()) return std::nullopt;
  return static_cast<std::uint64_t>(bytes.data() - bytes_.data());
}

const Elf64_Phdr* ElfImage::segment_of(std::uint64_t address, std::uint64_t size_bytes) const {
  const auto found =
      std::find_if(segments_.begin(), segments_.end(), [&](const Elf64_Phdr& segment) {
        return segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
               address - segment.p_vaddr <= segment.p_memsz &&
               size_bytes <= segment.p_memsz - (address - segment.p_vaddr);
      });
  return found == segments_.end() ? nullptr : &*found;
}

const Elf64_Phdr* ElfImage::find_segment(std::uint32_t type) const {
  const auto found = std::find_if(segments_.begin(), segments_.end(),
                                  [&](const Elf64_Phdr& s) { return s.p_type == type; });
  return found == segments_.end() ? nullptr : &*found;
}

std::optional<std::uint64_t> ElfImage::dynamic_value(std::int64_t tag) const {
  const auto found = std::find_if(dynamic_.begin(), dynamic_.end(),
                                  [&](const Elf64_Dyn& entry) { return entry.d_tag == tag; });
  if (found == dynamic_.end()) return std::nullopt;
  return found->d_un.d_val;
}

}  // namespace halyard::verification
