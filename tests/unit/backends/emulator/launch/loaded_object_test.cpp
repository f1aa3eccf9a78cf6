// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/loaded_object.h"

#include "tests/unit/backends/emulator/emulator_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace halyard::emulator {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

std::vector<std::byte> object_bytes() {
  return testing::file_bytes(std::string(HALYARD_TEST_OBJECTS) + "/launched.gfx1100.hsaco");
}

base::Result<std::unique_ptr<const LoadedObject>> load(const std::vector<std::byte>& bytes,
                                                       std::string_view processor = "gfx1100") {
  return LoadedObject::load(testing::tables_of(processor), bytes, "object");
}

// One field of the file, changed.
template <typename T>
void change(std::vector<std::byte>& bytes, std::size_t offset,
            const std::function<void(T&)>& edit) {
  T value;
  ASSERT_LE(offset + sizeof(T), bytes.size());
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  edit(value);
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

Elf64_Ehdr header_of(const std::vector<std::byte>& bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

// The offset in the file of the header of the n-th segment to load.
std::size_t load_segment(const std::vector<std::byte>& bytes, std::size_t n) {
  const Elf64_Ehdr header = header_of(bytes);
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const std::size_t offset = header.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes.data() + offset, sizeof(segment));
    if (segment.p_type == PT_LOAD && n-- == 0) return offset;
  }
  return 0;
}

// The offset in the file of the descriptor of a kernel.
std::size_t descriptor_offset(const std::vector<std::byte>& bytes, std::string_view kernel) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto object = object::parse_amdgpu_object(text, "object");
  EXPECT_TRUE(object);
  for (const object::ObjectKernel& found : object->kernels) {
    // The read-only segment lies in the file as it does in memory.
    if (found.name == kernel) return found.descriptor_address;
  }
  return 0;
}

void expect_error(const std::vector<std::byte>& bytes, ErrorCode code, std::string_view message) {
  const auto loaded = load(bytes);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code(), code);
  EXPECT_THAT(loaded.error().message(), HasSubstr(message));
}

TEST(LoadedObject, HasItsKernels) {
  const auto loaded = load(object_bytes());
  ASSERT_TRUE(loaded) << loaded.error().message();
  const auto kernel = (*loaded)->kernel("reverse");
  ASSERT_TRUE(kernel);
  EXPECT_EQ((*kernel)->lanes, 32U);
  EXPECT_EQ((*kernel)->descriptor.group_segment_bytes, 1024U);
  EXPECT_NE((*kernel)->entry, nullptr);
  EXPECT_GT((*kernel)->vector_registers, 0U);
  EXPECT_EQ((*kernel)->accumulation_registers, 0U);
}

TEST(LoadedObject, NamesTheKernelsThereAre) {
  const auto loaded = load(object_bytes());
  ASSERT_TRUE(loaded);
  const auto kernel = (*loaded)->kernel("other");
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(kernel.error().message(), HasSubstr("no kernel \"other\""));
  EXPECT_THAT(kernel.error().message(), HasSubstr("reverse"));
}

TEST(LoadedObject, CountsBothKindsOfVectorRegisters) {
  const auto bytes =
      testing::file_bytes(std::string(HALYARD_TEST_OBJECTS) + "/launched.gfx942.hsaco");
  const auto loaded = load(bytes, "gfx942");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const auto kernel = (*loaded)->kernel("reverse");
  ASSERT_TRUE(kernel);
  EXPECT_EQ((*kernel)->lanes, 64U);
  EXPECT_EQ(((*kernel)->vector_registers + (*kernel)->accumulation_registers) % 8, 0U);
}

TEST(LoadedObject, OnlyDataCanBeWritten) {
  const auto loaded = load(object_bytes());
  ASSERT_TRUE(loaded);
  std::size_t writable = 0;
  for (const MemoryRegion& region : (*loaded)->regions()) {
    if (!region.is_writable) continue;
    ++writable;
    EXPECT_GT(region.address, (*loaded)->code_base());
  }
  EXPECT_GT(writable, 0U);
}

TEST(LoadedObject, RefusesAnotherProcessor) {
  const auto loaded = load(object_bytes(), "gfx942");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code(), ErrorCode::kUnsupported);
  EXPECT_THAT(loaded.error().message(), HasSubstr("is for gfx1100, not for gfx942"));
}

TEST(LoadedObject, RefusesAFileThatIsCutOff) {
  const std::vector<std::byte> whole = object_bytes();
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    const std::vector<std::byte> part(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(load(part)) << size;
  }
}

TEST(LoadedObject, RefusesSegmentsThatOverlap) {
  auto bytes = object_bytes();
  change<Elf64_Phdr>(bytes, load_segment(bytes, 1),
                     [](Elf64_Phdr& segment) { segment.p_vaddr = 16; });
  expect_error(bytes, ErrorCode::kCorruptData, "A segment at address 16 has");
}

TEST(LoadedObject, RefusesAHugeSegment) {
  auto bytes = object_bytes();
  change<Elf64_Phdr>(bytes, load_segment(bytes, 3),
                     [](Elf64_Phdr& segment) { segment.p_memsz = std::uint64_t{1} << 40; });
  expect_error(bytes, ErrorCode::kUnsupported, "of 1099511627776 bytes is more than");
}

TEST(LoadedObject, RefusesCodeOutsideOfSegments) {
  auto bytes = object_bytes();
  change<Elf64_Phdr>(bytes, load_segment(bytes, 1),
                     [](Elf64_Phdr& segment) { segment.p_type = PT_NULL; });
  expect_error(bytes, ErrorCode::kCorruptData, "is within no segment");
}

TEST(LoadedObject, RefusesAKernelThatStartsOutsideOfTheCode) {
  auto bytes = object_bytes();
  change<std::int64_t>(bytes, descriptor_offset(bytes, "count") + 16,
                       [](std::int64_t& offset) { offset = -64; });
  expect_error(bytes, ErrorCode::kCorruptData, "where no instruction can be");
}

TEST(LoadedObject, RefusesADescriptorThatContradictsTheMetadata) {
  auto bytes = object_bytes();
  change<std::uint32_t>(bytes, descriptor_offset(bytes, "count"),
                        [](std::uint32_t& group_bytes) { group_bytes = 4096; });
  expect_error(bytes, ErrorCode::kCorruptData,
               "\"count\" has 4096 bytes of group memory by its descriptor and 0 by its metadata");
}

TEST(LoadedObject, RefusesTooFewUserRegisters) {
  auto bytes = object_bytes();
  change<std::uint32_t>(bytes, descriptor_offset(bytes, "count") + 52,
                        [](std::uint32_t& rsrc2) { rsrc2 &= ~0x3eU; });
  expect_error(bytes, ErrorCode::kCorruptData, "user registers and counts 0");
}

// The offset in the file of the first relocation.
std::size_t relocation_offset(const std::vector<std::byte>& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto elf = object::parse_elf_file(text, "object");
  EXPECT_TRUE(elf);
  for (const object::ElfSection& section : elf->sections) {
    if (section.type == SHT_RELA) return section.offset;
  }
  ADD_FAILURE() << "There are no relocations.";
  return 0;
}

TEST(LoadedObject, RefusesARelocationOutsideOfSegments) {
  auto bytes = object_bytes();
  change<Elf64_Rela>(bytes, relocation_offset(bytes),
                     [](Elf64_Rela& relocation) { relocation.r_offset = UINT64_MAX - 2; });
  expect_error(bytes, ErrorCode::kCorruptData, "A relocation of 8 bytes at address");
}

TEST(LoadedObject, RefusesARelocationOfAnotherType) {
  auto bytes = object_bytes();
  change<Elf64_Rela>(bytes, relocation_offset(bytes),
                     [](Elf64_Rela& relocation) { relocation.r_info = ELF64_R_INFO(0, 77); });
  expect_error(bytes, ErrorCode::kUnsupported, "has type 77, which is not executed");
}

TEST(LoadedObject, RefusesARelocationOfNoSymbol) {
  auto bytes = object_bytes();
  constexpr std::uint32_t kAbsolute64 = 3;
  change<Elf64_Rela>(bytes, relocation_offset(bytes), [](Elf64_Rela& relocation) {
    relocation.r_info = ELF64_R_INFO(9999, kAbsolute64);
  });
  expect_error(bytes, ErrorCode::kCorruptData, "A relocation names symbol 9999 of");
}

TEST(LoadedObject, TakesOrRefusesAnyChangedByte) {
  const std::vector<std::byte> whole = object_bytes();
  std::size_t refused = 0;
  for (std::size_t i = 4; i < whole.size(); i += 499) {
    auto bytes = whole;
    bytes[i] ^= std::byte{0xff};
    const auto loaded = load(bytes);
    if (loaded) continue;
    ++refused;
    EXPECT_FALSE(loaded.error().message().empty());
  }
  EXPECT_GT(refused, 0U);
}

TEST(LoadedObject, TakesAnyBytesInTheCode) {
  auto bytes = object_bytes();
  Elf64_Phdr code;
  std::memcpy(&code, bytes.data() + load_segment(bytes, 1), sizeof(code));
  for (std::size_t i = 0; i < code.p_filesz; ++i)
    bytes[code.p_offset + i] = static_cast<std::byte>(i * 73 + (i >> 8));
  EXPECT_TRUE(load(bytes));
}

}  // namespace
}  // namespace halyard::emulator
