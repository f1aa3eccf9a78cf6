// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/elf_file.h"

#include "tests/unit/capability-descriptors/object/compiled_kernels.h"

#include <gtest/gtest.h>

#include <elf.h>

#include <cstring>

namespace halyard::object {
namespace {

using testing::kernel_bytes;

// A file with a text section, two symbols and one note.
class SmallElf {
 public:
  SmallElf() {
    header_.e_ident[EI_CLASS] = ELFCLASS64;
    header_.e_ident[EI_DATA] = ELFDATA2LSB;
    std::memcpy(header_.e_ident, ELFMAG, SELFMAG);
    header_.e_type = ET_DYN;
    header_.e_machine = 224;
    header_.e_shentsize = sizeof(Elf64_Shdr);
    header_.e_shoff = sizeof(Elf64_Ehdr);
    header_.e_shnum = 6;
    header_.e_shstrndx = 1;
    add("", SHT_NULL, "");
    add(".names", SHT_STRTAB, std::string("\0.names\0.text\0.symtab\0.note\0main\0end\0", 37));
    add(".text", SHT_PROGBITS, std::string(16, 'T'));
    sections_[2].sh_addr = 0x1000;
    add(".symtab", SHT_SYMTAB, symbols());
    sections_[3].sh_link = 1;
    add(".note", SHT_NOTE, std::string("\7\0\0\0\5\0\0\0\x20\0\0\0AMDGPU\0\0value\0\0\0", 28));
    add("", SHT_NOBITS, "");
    sections_[5].sh_size = 1ULL << 40;
    sections_[1].sh_name = 1;
    sections_[2].sh_name = 8;
    sections_[3].sh_name = 14;
    sections_[4].sh_name = 22;
  }

  Elf64_Ehdr& header() { return header_; }
  Elf64_Shdr& section(std::size_t index) { return sections_[index]; }

  std::string bytes() const {
    std::string out(reinterpret_cast<const char*>(&header_), sizeof(header_));
    out.append(reinterpret_cast<const char*>(sections_.data()),
               sections_.size() * sizeof(Elf64_Shdr));
    return out + contents_;
  }

 private:
  void add(std::string_view, std::uint32_t type, const std::string& content) {
    Elf64_Shdr section{};
    section.sh_type = type;
    section.sh_offset = sizeof(Elf64_Ehdr) + 6 * sizeof(Elf64_Shdr) + contents_.size();
    section.sh_size = content.size();
    sections_.push_back(section);
    contents_ += content;
  }

  static std::string symbols() {
    std::array<Elf64_Sym, 3> table{};
    table[1] = {28, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), STV_PROTECTED, 2, 0x1004, 8};
    table[2] = {33, ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE), STV_DEFAULT, SHN_ABS, 7, 0};
    return {reinterpret_cast<const char*>(table.data()), sizeof(table)};
  }

  Elf64_Ehdr header_{};
  std::vector<Elf64_Shdr> sections_;
  std::string contents_;
};

std::string failure(const std::string& bytes) {
  const auto file = parse_elf_file(bytes, "a.hsaco");
  return file ? "" : file.error().message();
}

TEST(ElfFile, SectionsSymbolsAndNotesAreRead) {
  const std::string bytes = SmallElf().bytes();
  const auto file = parse_elf_file(bytes, "a.hsaco");
  ASSERT_TRUE(file) << file.error().message();
  ASSERT_EQ(file->sections.size(), 6U);
  EXPECT_EQ(file->sections[2].name, ".text");
  EXPECT_EQ(file->sections[2].address, 0x1000U);
  EXPECT_EQ(file->sections[2].bytes, std::string(16, 'T'));
  EXPECT_EQ(file->sections[5].bytes, "");
  ASSERT_EQ(file->symbols.size(), 2U);
  EXPECT_EQ(file->symbols[0].name, "main");
  EXPECT_EQ(file->symbols[0].address, 0x1004U);
  EXPECT_EQ(file->symbols[0].size_bytes, 8U);
  EXPECT_EQ(file->symbols[0].type, STT_FUNC);
  EXPECT_EQ(file->symbols[0].binding, STB_GLOBAL);
  EXPECT_EQ(file->symbols[0].visibility, STV_PROTECTED);
  EXPECT_EQ(file->symbols[0].section, 2U);
  EXPECT_EQ(file->symbols[1].name, "end");
  EXPECT_EQ(file->symbols[1].section, kNoSection);
  ASSERT_EQ(file->notes.size(), 1U);
  EXPECT_EQ(file->notes[0].name, "AMDGPU");
  EXPECT_EQ(file->notes[0].type, 32U);
  EXPECT_EQ(file->notes[0].bytes, "value");
}

TEST(ElfFile, WhatIsNoElfIsRefused) {
  EXPECT_EQ(failure(""), "a.hsaco: The file does not start as an ELF file.");
  EXPECT_EQ(failure(std::string(100, 'x')), "a.hsaco: The file does not start as an ELF file.");
  SmallElf elf;
  elf.header().e_ident[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(failure(elf.bytes()), "a.hsaco: The file is no 64-bit little-endian ELF file.");
}

TEST(ElfFile, PartsBeyondTheFileAreNamed) {
  SmallElf table;
  table.header().e_shoff = ~0ULL - 8;
  EXPECT_EQ(failure(table.bytes()),
            "a.hsaco: The section table (offset 18446744073709551607, 384 bytes) is past the end "
            "of the file (" +
                std::to_string(table.bytes().size()) + " bytes).");
  SmallElf section;
  section.section(2).sh_size = ~0ULL;
  EXPECT_NE(failure(section.bytes()).find("The section 2 (offset 485, 18446744073709551615 bytes)"),
            std::string::npos)
      << failure(section.bytes());
  SmallElf segment;
  segment.header().e_phoff = 64;
  segment.header().e_phnum = 1000;
  segment.header().e_phentsize = sizeof(Elf64_Phdr);
  EXPECT_NE(failure(segment.bytes()).find("The segment table (offset 64, 56000 bytes)"),
            std::string::npos);
}

TEST(ElfFile, IndicesBeyondTheirTableAreNamed) {
  SmallElf names;
  names.header().e_shstrndx = 77;
  EXPECT_EQ(failure(names.bytes()), "a.hsaco: The names of sections are in section 77 of 6.");
  SmallElf link;
  link.section(3).sh_link = 9;
  EXPECT_EQ(failure(link.bytes()), "a.hsaco: The names of symbols are in section 9 of 6.");
  SmallElf name;
  name.section(2).sh_name = 500;
  EXPECT_EQ(failure(name.bytes()),
            "a.hsaco: The section 2 has its name at offset 500 of a table of names of 37 bytes.");
  SmallElf open;
  open.section(1).sh_size = 36;
  EXPECT_EQ(failure(open.bytes()),
            "a.hsaco: The symbol 2 has a name without end within 3 bytes (the most is 65536).");
}

TEST(ElfFile, NoteBeyondItsSectionIsRefused) {
  SmallElf elf;
  elf.section(4).sh_size = 24;
  EXPECT_EQ(failure(elf.bytes()),
            "a.hsaco: A note of 7 and 5 bytes is past the end of its section (12 bytes are left).");
}

// The reader must not crash or hang on any of these; what it returns does not matter.
TEST(ElfFile, NoChangedByteAndNoCutMakesTheReaderFail) {
  const std::string whole = SmallElf().bytes();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    static_cast<void>(parse_elf_file(std::string(whole.substr(0, i)), "a"));
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[i] = value;
      static_cast<void>(parse_elf_file(changed, "a"));
    }
  }
}

TEST(ElfFile, CompiledKernelsAreRead) {
  const std::string bytes = kernel_bytes("matrix", "gfx942");
  const auto file = parse_elf_file(bytes, "matrix");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->machine, 224);
  EXPECT_EQ(file->type, ET_DYN);
  EXPECT_GT(file->segments.size(), 3U);
  EXPECT_EQ(file->notes.size(), 1U);
}

}  // namespace
}  // namespace halyard::object
