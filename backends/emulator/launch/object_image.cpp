// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/object_image.h"

#include "runtime/base/text.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace halyard::emulator {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

// Below the addresses that an address space gives by itself.
constexpr std::uint64_t kImageBias = std::uint64_t{1} << 40;
constexpr std::uint64_t kLargestImage = std::uint64_t{64} << 20;
constexpr std::uint64_t kLargestAddress = std::uint64_t{1} << 39;

// Types of relocations, by the ELF ABI of AMDGCN.
enum RelocationType : std::uint32_t {
  kNone = 0,
  kAbsolute32Low = 1,
  kAbsolute32High = 2,
  kAbsolute64 = 3,
  kRelative32 = 4,
  kRelative64 = 5,
  kAbsolute32 = 6,
  kRelative32Low = 10,
  kRelative32High = 11,
  kBaseRelative64 = 13,
};

struct RelocatedValue {
  std::uint64_t value = 0;
  std::size_t size_bytes = 8;
};

class ImageMaker {
 public:
  ImageMaker(const object::ElfFile& elf, std::string_view name) : elf_(elf), name_(name) {}

  Result<ObjectImage> make() {
    HALYARD_TRY(place_segments());
    for (const object::ElfSection& section : elf_.sections) {
      const bool is_loaded = (section.flags & SHF_ALLOC) != 0;
      if (section.type == SHT_RELA && is_loaded) HALYARD_TRY(relocate(section));
      if (section.type == SHT_REL && is_loaded) {
        return Error(ErrorCode::kUnsupported,
                     concat(name_, ": Section \"", section.name,
                            "\" has relocations without addends, which are not executed."));
      }
    }
    return std::move(image_);
  }

 private:
  Status place_segments();
  Status relocate(const object::ElfSection& section);
  Status apply(const Elf64_Rela& relocation, const object::ElfSection& symbols);
  Result<std::uint64_t> symbol_address(std::uint64_t index, const object::ElfSection& symbols);
  std::optional<RelocatedValue> value_of(std::uint32_t type, std::uint64_t target,
                                         std::uint64_t place) const;

  Error corrupt(std::string_view what) const {
    return {ErrorCode::kCorruptData, concat(name_, ": ", what)};
  }

  const object::ElfFile& elf_;
  std::string_view name_;
  ObjectImage image_;
};

Status ImageMaker::place_segments() {
  std::vector<const object::ElfSegment*> segments;
  for (const object::ElfSegment& segment : elf_.segments) {
    if (segment.type == PT_LOAD && segment.memory_bytes > 0) segments.push_back(&segment);
  }
  if (segments.empty()) return corrupt("The file has no segment to load.");
  std::sort(segments.begin(), segments.end(),
            [](const auto* left, const auto* right) { return left->address < right->address; });
  std::uint64_t end = segments.front()->address;
  image_.first_address = end;
  image_.bias = kImageBias;
  for (const object::ElfSegment* const segment : segments) {
    if (segment->address < end || segment->address > kLargestAddress ||
        segment->bytes.size() > segment->memory_bytes) {
      return corrupt(concat("A segment at address ", segment->address, " has ",
                            segment->bytes.size(), " bytes in the file and ", segment->memory_bytes,
                            " in memory; the one before it ends at ", end, "."));
    }
    if (segment->memory_bytes > kLargestImage ||
        segment->address + segment->memory_bytes - image_.first_address > kLargestImage) {
      return Error(ErrorCode::kUnsupported,
                   concat(name_, ": A segment at address ", segment->address, " of ",
                          segment->memory_bytes, " bytes is more than ", kLargestImage,
                          " bytes from the first one, which are the most."));
    }
    end = segment->address + segment->memory_bytes;
  }
  image_.bytes.resize(end - image_.first_address);
  for (const object::ElfSegment* const segment : segments) {
    std::byte* const host = image_.bytes.data() + (segment->address - image_.first_address);
    if (!segment->bytes.empty()) std::memcpy(host, segment->bytes.data(), segment->bytes.size());
    MemoryRegion region;
    region.name = "code object";
    region.address = segment->address + kImageBias;
    region.size_bytes = segment->memory_bytes;
    region.host = host;
    region.is_writable = (segment->flags & PF_W) != 0;
    image_.regions.push_back(std::move(region));
  }
  return base::ok();
}

Status ImageMaker::relocate(const object::ElfSection& section) {
  if (section.link >= elf_.sections.size()) {
    return corrupt(concat("The symbols of section \"", section.name, "\" are in section ",
                          section.link, " of ", elf_.sections.size(), "."));
  }
  const object::ElfSection& symbols = elf_.sections[section.link];
  for (std::size_t i = 0; i < section.bytes.size() / sizeof(Elf64_Rela); ++i) {
    Elf64_Rela relocation;
    std::memcpy(&relocation, section.bytes.data() + i * sizeof(relocation), sizeof(relocation));
    HALYARD_TRY(apply(relocation, symbols));
  }
  return base::ok();
}

Result<std::uint64_t> ImageMaker::symbol_address(std::uint64_t index,
                                                 const object::ElfSection& symbols) {
  if (index == 0) return std::uint64_t{0};
  const std::size_t count = symbols.bytes.size() / sizeof(Elf64_Sym);
  if (symbols.type != SHT_DYNSYM || index >= count) {
    return corrupt(concat("A relocation names symbol ", index, " of ", count, "."));
  }
  Elf64_Sym symbol;
  std::memcpy(&symbol, symbols.bytes.data() + index * sizeof(symbol), sizeof(symbol));
  if (symbol.st_shndx == SHN_UNDEF) {
    return Error(ErrorCode::kUnsupported, concat(name_, ": A relocation names symbol ", index,
                                                 ", which another object defines."));
  }
  return symbol.st_value + kImageBias;
}

std::optional<RelocatedValue> ImageMaker::value_of(std::uint32_t type, std::uint64_t target,
                                                   std::uint64_t place) const {
  switch (type) {
    case kAbsolute64:
      return RelocatedValue{target, 8};
    case kAbsolute32:
    case kAbsolute32Low:
      return RelocatedValue{target, 4};
    case kAbsolute32High:
      return RelocatedValue{target >> 32, 4};
    case kRelative64:
      return RelocatedValue{target - place, 8};
    case kRelative32:
    case kRelative32Low:
      return RelocatedValue{target - place, 4};
    case kRelative32High:
      return RelocatedValue{(target - place) >> 32, 4};
    default:
      return std::nullopt;
  }
}

Status ImageMaker::apply(const Elf64_Rela& relocation, const object::ElfSection& symbols) {
  const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(relocation.r_info));
  if (type == kNone) return base::ok();
  const auto addend = static_cast<std::uint64_t>(relocation.r_addend);
  std::optional<RelocatedValue> value;
  if (type == kBaseRelative64) {
    value = RelocatedValue{addend + kImageBias, 8};
  } else {
    HALYARD_TRY_ASSIGN(const std::uint64_t symbol,
                       symbol_address(ELF64_R_SYM(relocation.r_info), symbols));
    value = value_of(type, symbol + addend, relocation.r_offset + kImageBias);
  }
  if (!value) {
    return Error(ErrorCode::kUnsupported,
                 concat(name_, ": A relocation at address ", relocation.r_offset, " has type ",
                        type, ", which is not executed."));
  }
  std::byte* const host = image_.find(relocation.r_offset, value->size_bytes);
  if (host == nullptr) {
    return corrupt(concat("A relocation of ", value->size_bytes, " bytes at address ",
                          relocation.r_offset, " is within no segment."));
  }
  std::memcpy(host, &value->value, value->size_bytes);
  return base::ok();
}

}  // namespace

std::byte* ObjectImage::find(std::uint64_t address, std::uint64_t size_bytes) {
  for (const MemoryRegion& region : regions) {
    const std::uint64_t offset = address + bias - region.address;
    if (offset <= region.size_bytes && size_bytes <= region.size_bytes - offset) {
      return region.host + offset;
    }
  }
  return nullptr;
}

Result<ObjectImage> make_image(const object::ElfFile& elf, std::string_view name) {
  return ImageMaker(elf, name).make();
}

}  // namespace halyard::emulator
