// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/amdgpu_object.h"

#include "tests/unit/capability-descriptors/object/compiled_kernels.h"

#include <gtest/gtest.h>

#include <elf.h>

#include <algorithm>

namespace halyard::object {
namespace {

using testing::kernel_bytes;
using testing::kTargets;

TEST(AmdgpuObject, CompiledKernelsLieAtTheirEntries) {
  for (const std::string_view target : kTargets) {
    const std::string bytes = kernel_bytes("memory", target);
    const auto object = parse_amdgpu_object(bytes, "memory");
    ASSERT_TRUE(object) << object.error().message();
    EXPECT_EQ(object->target.processor, target);
    EXPECT_EQ(object->code_object_version, 5U);
    ASSERT_TRUE(object->metadata);
    EXPECT_EQ(object->kernels.size(), object->metadata->kernels.size());
    ASSERT_GT(object->kernels.size(), 5U);
    for (const ObjectKernel& kernel : object->kernels) {
      const auto& symbols = object->elf.symbols;
      const auto symbol = std::find_if(symbols.begin(), symbols.end(), [&](const ElfSymbol& s) {
        return s.name == kernel.name && s.type == STT_FUNC;
      });
      ASSERT_NE(symbol, symbols.end()) << kernel.name;
      EXPECT_EQ(symbol->address, kernel.entry_address) << kernel.name;
      const auto& listed = object->metadata->kernels;
      const auto metadata = std::find_if(listed.begin(), listed.end(), [&](const auto& m) {
        return m.symbol == kernel.name + ".kd";
      });
      ASSERT_NE(metadata, listed.end()) << kernel.name;
      EXPECT_EQ(metadata->kernarg_segment_bytes, kernel.descriptor.kernarg_bytes);
      EXPECT_EQ(metadata->group_segment_bytes, kernel.descriptor.group_segment_bytes);
      EXPECT_EQ(metadata->private_segment_bytes, kernel.descriptor.private_segment_bytes);
      EXPECT_EQ(metadata->wavefront_size, kernel.descriptor.wavefront_size(object->target));
      EXPECT_LE(metadata->vgpr_count, kernel.descriptor.vgprs(object->target)) << kernel.name;
      EXPECT_TRUE(kernel.descriptor.reserved_bytes_are_zero);
    }
  }
}

std::string failure(const std::string& bytes) {
  const auto object = parse_amdgpu_object(bytes, "a.hsaco");
  return object ? "" : object.error().message();
}

TEST(AmdgpuObject, FilesOfOtherKindsAreNamed) {
  std::string bytes = kernel_bytes("memory", "gfx942");
  EXPECT_EQ(failure("__CLANG_OFFLOAD_BUNDLE__ and more"),
            "a.hsaco: The file is a bundle of code objects, not one of them.");
  std::string machine = bytes;
  machine[18] = 62;
  EXPECT_EQ(failure(machine), "a.hsaco: The file is for machine 62, not for AMDGCN (224).");
  std::string abi = bytes;
  abi[EI_OSABI] = 65;
  EXPECT_EQ(failure(abi), "a.hsaco: The file has the ABI 65, not HSA's (64).");
  std::string version = bytes;
  version[EI_ABIVERSION] = 1;
  EXPECT_EQ(failure(version),
            "a.hsaco: The code object has version 3; versions 4 to 6 can be read.");
  std::string processor = bytes;
  processor[48] = '\x03';
  EXPECT_EQ(failure(processor), "a.hsaco: The processor of number 3 is not known.");
}

TEST(AmdgpuObject, DescriptorSymbolOfAnotherSizeIsNamed) {
  std::string bytes = kernel_bytes("matrix", "gfx1100");
  const auto object = parse_amdgpu_object(bytes, "a");
  ASSERT_TRUE(object);
  const auto& sections = object->elf.sections;
  const auto table = std::find_if(sections.begin(), sections.end(),
                                  [](const ElfSection& s) { return s.type == SHT_SYMTAB; });
  ASSERT_NE(table, sections.end());
  const auto& symbols = object->elf.symbols;
  const auto symbol = std::find_if(symbols.begin(), symbols.end(),
                                   [](const ElfSymbol& s) { return s.name == "gemm_plain.kd"; });
  ASSERT_NE(symbol, symbols.end());
  const auto index = static_cast<std::size_t>(symbol - symbols.begin()) + 1;
  bytes[table->offset + index * sizeof(Elf64_Sym) + offsetof(Elf64_Sym, st_size)] = 60;
  EXPECT_EQ(failure(bytes), "a.hsaco: Symbol \"gemm_plain.kd\" (60 bytes at address " +
                                std::to_string(symbol->address) +
                                ") is no kernel descriptor of 64 bytes within its section.");
}

// Whatever the reader says of a damaged file, it neither crashes nor reads beyond it.
TEST(AmdgpuObject, DamagedFilesAreReadSafely) {
  const std::string whole = kernel_bytes("matrix", "gfx942");
  const auto object = parse_amdgpu_object(whole, "a");
  ASSERT_TRUE(object);
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    const std::string cut(whole.data(), size);
    EXPECT_FALSE(parse_amdgpu_object(cut, "a"));
  }
  std::vector<std::pair<std::size_t, std::size_t>> regions = {{0, 64 + 8 * 56}};
  for (const ElfSection& section : object->elf.sections) {
    if (section.type == SHT_PROGBITS && section.name == ".text") continue;
    regions.emplace_back(section.offset, section.bytes.size());
  }
  for (const auto& [offset, size] : regions) {
    for (std::size_t i = 0; i < size; i += 11) {
      std::string changed = whole;
      changed[offset + i] = static_cast<char>(~changed[offset + i]);
      static_cast<void>(parse_amdgpu_object(changed, "a"));
    }
  }
}

}  // namespace
}  // namespace halyard::object
