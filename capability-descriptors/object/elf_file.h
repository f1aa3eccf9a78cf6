// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::object {

// Stands for "none" where a section is named by its index.
inline constexpr std::uint32_t kNoSection = std::numeric_limits<std::uint32_t>::max();

struct ElfSection {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;  // in the file
  std::uint64_t size_bytes = 0;
  std::uint32_t link = 0;
  std::string_view bytes;  // borrowed from the file; empty for a section that has none in it
};

struct ElfSegment {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint64_t address = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t alignment = 0;
  std::string_view bytes;  // borrowed from the file
};

struct ElfSymbol {
  std::string_view name;               // borrowed from the file
  std::uint64_t address = 0;           // in a relocatable file: within its section
  std::uint64_t size_bytes = 0;        // 0: not said
  std::uint8_t type = 0;               // STT_*
  std::uint8_t binding = 0;            // STB_*
  std::uint8_t visibility = 0;         // STV_*
  std::uint32_t section = kNoSection;  // none: undefined, absolute or common
};

struct ElfNote {
  std::string_view name;  // borrowed from the file, without its zero byte
  std::uint32_t type = 0;
  std::string_view bytes;  // borrowed from the file
};

// What a 64-bit little-endian ELF file says of itself. Every range lies within the file.
struct ElfFile {
  std::uint8_t os_abi = 0;
  std::uint8_t abi_version = 0;
  std::uint16_t type = 0;  // ET_*
  std::uint16_t machine = 0;
  std::uint32_t flags = 0;
  std::vector<ElfSection> sections;  // by index; the first stands for none
  std::vector<ElfSegment> segments;
  std::vector<ElfSymbol> symbols;  // of the full table where there is one, else of the dynamic one
  std::vector<ElfNote> notes;
};

// Reads bytes that may be anything. The result borrows `bytes`.
// Errors: kCorruptData, naming the part, its offset and the size of the file; kUnsupported for a
// file of 32 bits or of big-endian numbers.
base::Result<ElfFile> parse_elf_file(std::string_view bytes, std::string_view source_name);

}  // namespace halyard::object
