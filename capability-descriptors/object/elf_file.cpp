// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/elf_file.h"

#include "runtime/base/text.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace halyard::object {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

// Names longer than this are no names of a compiler's; together they are bounded too, because many
// symbols may share one long text.
constexpr std::size_t kMaxNameBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxNamesBytes = std::size_t{64} << 20;
// Segments may overlap, so the notes of a short file could be endless.
constexpr std::size_t kMaxNotes = 1024;

class ElfReader {
 public:
  ElfReader(std::string_view bytes, std::string_view source_name)
      : bytes_(bytes),
        source_name_(source_name) {}

  Result<ElfFile> read();

 private:
  Status read_sections(const Elf64_Ehdr& header);
  Status read_segments(const Elf64_Ehdr& header);
  Status read_symbols();
  Status read_symbol_table(const ElfSection& table);
  Status read_notes();
  Status read_notes_in(std::string_view region);

  Error corrupt(std::string_view what) const {
    return {ErrorCode::kCorruptData, concat(source_name_, ": ", what)};
  }

  Result<std::string_view> range(std::uint64_t offset, std::uint64_t size_bytes,
                                 std::string_view what) const {
    if (offset > bytes_.size() || size_bytes > bytes_.size() - offset) {
      return corrupt(concat("The ", what, " (offset ", offset, ", ", size_bytes,
                            " bytes) is past the end of the file (", bytes_.size(), " bytes)."));
    }
    return bytes_.substr(offset, size_bytes);
  }

  Result<std::string_view> name_in(std::string_view table, std::uint64_t offset,
                                   std::string_view what) const {
    if (offset >= table.size()) {
      return corrupt(concat("The ", what, " has its name at offset ", offset,
                            " of a table of names of ", table.size(), " bytes."));
    }
    const auto text = table.substr(offset, kMaxNameBytes);
    const auto end = text.find('\0');
    if (end == std::string_view::npos) {
      return corrupt(concat("The ", what, " has a name without end within ", text.size(),
                            " bytes (the most is ", kMaxNameBytes, ")."));
    }
    return text.substr(0, end);
  }

  std::string_view bytes_;
  std::string_view source_name_;
  ElfFile file_;
};

Result<ElfFile> ElfReader::read() {
  if (bytes_.size() < EI_NIDENT || bytes_.substr(0, SELFMAG) != ELFMAG) {
    return corrupt("The file does not start as an ELF file.");
  }
  if (bytes_[EI_CLASS] != ELFCLASS64 || bytes_[EI_DATA] != ELFDATA2LSB) {
    return Error(ErrorCode::kUnsupported,
                 concat(source_name_, ": The file is no 64-bit little-endian ELF file."));
  }
  Elf64_Ehdr header;
  HALYARD_TRY_ASSIGN(const std::string_view head, range(0, sizeof(header), "ELF header"));
  std::memcpy(&header, head.data(), sizeof(header));
  file_.os_abi = header.e_ident[EI_OSABI];
  file_.abi_version = header.e_ident[EI_ABIVERSION];
  file_.type = header.e_type;
  file_.machine = header.e_machine;
  file_.flags = header.e_flags;
  HALYARD_TRY(read_sections(header));
  HALYARD_TRY(read_segments(header));
  HALYARD_TRY(read_symbols());
  HALYARD_TRY(read_notes());
  return std::move(file_);
}

Status ElfReader::read_sections(const Elf64_Ehdr& header) {
  if (header.e_shoff == 0 || header.e_shnum == 0) return base::ok();
  if (header.e_shentsize != sizeof(Elf64_Shdr)) {
    return corrupt(concat("A section header has ", header.e_shentsize, " bytes, not ",
                          sizeof(Elf64_Shdr), "."));
  }
  HALYARD_TRY_ASSIGN(
      const std::string_view table,
      range(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr), "section table"));
  std::vector<std::uint32_t> name_offsets;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr raw;
    std::memcpy(&raw, table.data() + i * sizeof(raw), sizeof(raw));
    ElfSection section;
    section.type = raw.sh_type;
    section.flags = raw.sh_flags;
    section.address = raw.sh_addr;
    section.offset = raw.sh_offset;
    section.size_bytes = raw.sh_size;
    section.link = raw.sh_link;
    if (raw.sh_type != SHT_NULL && raw.sh_type != SHT_NOBITS) {
      HALYARD_TRY_ASSIGN(section.bytes, range(raw.sh_offset, raw.sh_size, concat("section ", i)));
    }
    name_offsets.push_back(raw.sh_name);
    file_.sections.push_back(std::move(section));
  }
  if (header.e_shstrndx == SHN_UNDEF) return base::ok();
  if (header.e_shstrndx >= file_.sections.size()) {
    return corrupt(concat("The names of sections are in section ", header.e_shstrndx, " of ",
                          file_.sections.size(), "."));
  }
  const std::string_view names = file_.sections[header.e_shstrndx].bytes;
  for (std::size_t i = 0; i < file_.sections.size(); ++i) {
    if (file_.sections[i].type == SHT_NULL) continue;
    HALYARD_TRY_ASSIGN(file_.sections[i].name,
                       name_in(names, name_offsets[i], concat("section ", i)));
  }
  return base::ok();
}

Status ElfReader::read_segments(const Elf64_Ehdr& header) {
  if (header.e_phoff == 0 || header.e_phnum == 0) return base::ok();
  if (header.e_phentsize != sizeof(Elf64_Phdr)) {
    return corrupt(concat("A segment header has ", header.e_phentsize, " bytes, not ",
                          sizeof(Elf64_Phdr), "."));
  }
  HALYARD_TRY_ASSIGN(
      const std::string_view table,
      range(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr), "segment table"));
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr raw;
    std::memcpy(&raw, table.data() + i * sizeof(raw), sizeof(raw));
    ElfSegment segment;
    segment.type = raw.p_type;
    segment.flags = raw.p_flags;
    segment.address = raw.p_vaddr;
    segment.memory_bytes = raw.p_memsz;
    segment.alignment = raw.p_align;
    HALYARD_TRY_ASSIGN(segment.bytes, range(raw.p_offset, raw.p_filesz, concat("segment ", i)));
    file_.segments.push_back(segment);
  }
  return base::ok();
}

Status ElfReader::read_symbols() {
  for (const std::uint32_t wanted : {SHT_SYMTAB, SHT_DYNSYM}) {
    const auto table = std::find_if(file_.sections.begin(), file_.sections.end(),
                                    [&](const ElfSection& s) { return s.type == wanted; });
    if (table != file_.sections.end()) return read_symbol_table(*table);
  }
  return base::ok();
}

Status ElfReader::read_symbol_table(const ElfSection& table) {
  if (table.link >= file_.sections.size()) {
    return corrupt(concat("The names of symbols are in section ", table.link, " of ",
                          file_.sections.size(), "."));
  }
  const std::string_view names = file_.sections[table.link].bytes;
  std::size_t names_bytes = 0;
  // The first entry stands for no symbol.
  for (std::size_t i = 1; i < table.bytes.size() / sizeof(Elf64_Sym); ++i) {
    Elf64_Sym raw;
    std::memcpy(&raw, table.bytes.data() + i * sizeof(raw), sizeof(raw));
    ElfSymbol symbol;
    if (raw.st_name != 0) {
      HALYARD_TRY_ASSIGN(symbol.name, name_in(names, raw.st_name, concat("symbol ", i)));
    }
    names_bytes += symbol.name.size();
    if (names_bytes > kMaxNamesBytes) {
      return corrupt(concat("The names of the first ", i, " symbols have ", names_bytes,
                            " bytes together; the most is ", kMaxNamesBytes, "."));
    }
    symbol.address = raw.st_value;
    symbol.size_bytes = raw.st_size;
    symbol.type = ELF64_ST_TYPE(raw.st_info);
    symbol.binding = ELF64_ST_BIND(raw.st_info);
    symbol.visibility = ELF64_ST_VISIBILITY(raw.st_other);
    if (raw.st_shndx != SHN_UNDEF && raw.st_shndx < SHN_LORESERVE) {
      if (raw.st_shndx >= file_.sections.size()) {
        return corrupt(concat("Symbol ", i, " lies in section ", raw.st_shndx, " of ",
                              file_.sections.size(), "."));
      }
      symbol.section = raw.st_shndx;
    }
    file_.symbols.push_back(symbol);
  }
  return base::ok();
}

Status ElfReader::read_notes() {
  bool in_segments = false;
  for (const ElfSegment& segment : file_.segments) {
    if (segment.type != PT_NOTE) continue;
    in_segments = true;
    HALYARD_TRY(read_notes_in(segment.bytes));
  }
  if (in_segments) return base::ok();
  for (const ElfSection& section : file_.sections) {
    if (section.type == SHT_NOTE) HALYARD_TRY(read_notes_in(section.bytes));
  }
  return base::ok();
}

Status ElfReader::read_notes_in(std::string_view region) {
  const auto aligned = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
  while (!region.empty()) {
    Elf64_Nhdr raw;
    if (region.size() < sizeof(raw)) {
      return corrupt(concat("A note ends ", region.size(), " bytes after its start."));
    }
    std::memcpy(&raw, region.data(), sizeof(raw));
    region.remove_prefix(sizeof(raw));
    const std::uint64_t name_bytes = aligned(raw.n_namesz);
    // The last note may lack the bytes that align its end.
    if (name_bytes > region.size() || raw.n_descsz > region.size() - name_bytes) {
      return corrupt(concat("A note of ", raw.n_namesz, " and ", raw.n_descsz,
                            " bytes is past the end of its section (", region.size(),
                            " bytes are left)."));
    }
    ElfNote note;
    note.type = raw.n_type;
    note.name = region.substr(0, raw.n_namesz);
    if (!note.name.empty() && note.name.back() == '\0') note.name.remove_suffix(1);
    note.bytes = region.substr(name_bytes, raw.n_descsz);
    region.remove_prefix(
        std::min<std::uint64_t>(name_bytes + aligned(raw.n_descsz), region.size()));
    if (file_.notes.size() == kMaxNotes) {
      return corrupt(concat("The file has more than ", kMaxNotes, " notes."));
    }
    file_.notes.push_back(note);
  }
  return base::ok();
}

}  // namespace

Result<ElfFile> parse_elf_file(std::string_view bytes, std::string_view source_name) {
  return ElfReader(bytes, source_name).read();
}

}  // namespace halyard::object
