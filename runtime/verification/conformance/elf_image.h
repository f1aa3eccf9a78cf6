// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace halyard::verification {

struct ImageSymbol {
  std::string_view name;  // borrowed from the file
  std::uint64_t address = 0;
  std::uint64_t size_bytes = 0;
  std::uint8_t type = 0;     // STT_*
  std::uint8_t binding = 0;  // STB_*
  std::uint8_t visibility = 0;
  bool is_defined = false;
  bool is_absolute = false;  // or in another section that is none
};

struct ImageRelocation {
  std::uint64_t address = 0;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;
  std::int64_t addend = 0;
};

// A 64-bit little-endian ELF file as a dynamic loader sees it: segments and the dynamic table and
// what these lead to. Section headers, which a loader does not read, are not read here either, so
// they cannot say one thing while the loader does another. Borrows the bytes, which may be
// anything.
class ElfImage {
 public:
  // What is wrong with it, as the end of a sentence ("ends (60 bytes) before its header"); nothing
  // is wrong where that is empty, and only then may the others be called.
  static std::string read(std::string_view bytes, ElfImage* out);

  const Elf64_Ehdr& header() const { return header_; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  const std::vector<Elf64_Dyn>& dynamic() const { return dynamic_; }  // without DT_NULL
  const std::vector<ImageSymbol>& symbols() const { return symbols_; }
  const std::vector<ImageRelocation>& relocations() const { return relocations_; }

  // The bytes of the file from `address` to the end of what its segment has in the file; empty
  // where no loaded segment has any there.
  std::string_view bytes_at(std::uint64_t address) const;
  // Where in the file the byte at `address` comes from.
  std::optional<std::uint64_t> file_offset_of(std::uint64_t address) const;
  // The loaded segment that holds all of a range of memory; null where none does.
  const Elf64_Phdr* segment_of(std::uint64_t address, std::uint64_t size_bytes) const;
  const Elf64_Phdr* find_segment(std::uint32_t type) const;
  std::optional<std::uint64_t> dynamic_value(std::int64_t tag) const;

 private:
  bool holds(std::uint64_t offset, std::uint64_t size_bytes) const {
    return offset <= bytes_.size() && size_bytes <= bytes_.size() - offset;
  }
  template <typename T>
  static std::optional<T> value_in(std::string_view bytes, std::uint64_t offset) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (offset > bytes.size() || sizeof(T) > bytes.size() - offset) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
  }

  std::string read_header();
  std::string read_segments();
  std::string read_segment(const Elf64_Phdr& segment, std::size_t index);
  std::string check_load(const Elf64_Phdr& segment, std::size_t index);
  std::string read_dynamic();
  std::string read_symbols();
  std::string read_relocations(std::int64_t table_tag, std::int64_t size_tag);
  std::string count_symbols(std::uint64_t* count) const;
  std::string count_gnu_hash(std::string_view table, std::uint64_t* count) const;

  std::string_view bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Dyn> dynamic_;
  std::vector<ImageSymbol> symbols_;
  std::vector<ImageRelocation> relocations_;
};

}  // namespace halyard::verification
