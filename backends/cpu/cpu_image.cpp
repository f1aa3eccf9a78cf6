// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_image.h"

#include "runtime/base/text.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

namespace halyard::cpu {
namespace {

class Image {
 public:
  explicit Image(std::span<const std::byte> code) : code_(code) {}

  // What is wrong with it, as the end of a sentence; empty when nothing is.
  std::string fault() const;

 private:
  bool holds(std::uint64_t offset, std::uint64_t length) const {
    return offset <= code_.size() && length <= code_.size() - offset;
  }
  template <typename T>
  std::optional<T> at(std::uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!holds(offset, sizeof(T))) return std::nullopt;
    T value;
    std::memcpy(&value, code_.data() + offset, sizeof(T));
    return value;
  }
  std::string segment_fault(const Elf64_Phdr& segment) const;
  std::string dynamic_fault(const Elf64_Phdr& segment) const;

  std::span<const std::byte> code_;
};

std::string Image::fault() const {
  const auto header = at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return "is not an ELF file";
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_machine != EM_X86_64) {
    return base::concat("is for ELF machine ", header->e_machine, ", not for x86-64");
  }
  if (header->e_type != ET_DYN) {
    return base::concat("has ELF type ", header->e_type, ", not that of a shared object (", ET_DYN,
                        ")");
  }
  if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum == 0) {
    return "has no program headers";
  }
  bool has_dynamic = false;
  for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
    std::uint64_t offset = 0;
    if (__builtin_add_overflow(header->e_phoff, i * sizeof(Elf64_Phdr), &offset)) {
      return "has program headers past its end";
    }
    const auto segment = at<Elf64_Phdr>(offset);
    if (!segment) return base::concat("ends (", code_.size(), " bytes) before its program headers");
    if (std::string fault = segment_fault(*segment); !fault.empty()) return fault;
    has_dynamic = has_dynamic || segment->p_type == PT_DYNAMIC;
  }
  return has_dynamic ? "" : "has no dynamic section";
}

std::string Image::segment_fault(const Elf64_Phdr& segment) const {
  if (segment.p_type == PT_INTERP) return "is a program";
  if (segment.p_type == PT_TLS) return "has thread-local data";
  if (segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC) return "";
  if (!holds(segment.p_offset, segment.p_filesz)) {
    return base::concat("ends (", code_.size(), " bytes) inside a segment (offset ",
                        segment.p_offset, ", ", segment.p_filesz, " bytes)");
  }
  return segment.p_type == PT_DYNAMIC ? dynamic_fault(segment) : "";
}

std::string Image::dynamic_fault(const Elf64_Phdr& segment) const {
  const std::uint64_t count = segment.p_filesz / sizeof(Elf64_Dyn);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto entry = at<Elf64_Dyn>(segment.p_offset + i * sizeof(Elf64_Dyn));
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_NEEDED) return "needs another library";
    if (entry->d_tag == DT_INIT || entry->d_tag == DT_INIT_ARRAY || entry->d_tag == DT_FINI ||
        entry->d_tag == DT_FINI_ARRAY) {
      return "has code that runs when it is loaded or unloaded";
    }
  }
  return "";
}

}  // namespace

base::Status check_image(std::string_view name, std::span<const std::byte> code) {
  const std::string fault = Image(code).fault();
  if (fault.empty()) return base::ok();
  return base::Error(
      base::ErrorCode::kCorruptData,
      base::concat("The code of kernel \"", name, "\" (", code.size(), " bytes) ", fault, "."));
}

}  // namespace halyard::cpu
