// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_image.h"

#include "tests/unit/backends/cpu/cpu_fixture.h"

#include <gmock/gmock.h>

#include <elf.h>

#include <cstring>
#include <string>
#include <vector>

namespace halyard::cpu {
namespace {

std::string fault_of(std::span<const std::byte> code) {
  const auto status = check_image("k", code);
  if (status) return "";
  EXPECT_EQ(status.error().code(), base::ErrorCode::kCorruptData);
  return status.error().message();
}

TEST(CpuImage, KernelPasses) {
  EXPECT_EQ(fault_of(probe_kernel()), "");
}

TEST(CpuImage, TextIsNoElfFile) {
  const std::string text = "#!/bin/sh\n";
  EXPECT_EQ(fault_of(std::as_bytes(std::span(text))),
            "The code of kernel \"k\" (10 bytes) is not an ELF file.");
  EXPECT_EQ(fault_of({}), "The code of kernel \"k\" (0 bytes) is not an ELF file.");
}

TEST(CpuImage, OtherMachineIsNamed) {
  std::vector<std::byte> code = probe_kernel();
  code[offsetof(Elf64_Ehdr, e_machine)] = std::byte{EM_AARCH64};
  EXPECT_THAT(fault_of(code), testing::HasSubstr("is for ELF machine 183, not for x86-64."));
}

TEST(CpuImage, EveryTruncationOfTheHeadersIsRefused) {
  const std::vector<std::byte>& code = probe_kernel();
  Elf64_Ehdr header;
  std::memcpy(&header, code.data(), sizeof(header));
  const std::size_t headers_end = header.e_phoff + header.e_phnum * sizeof(Elf64_Phdr);
  for (std::size_t size = 0; size <= headers_end; ++size)
    EXPECT_NE(fault_of(std::span(code).first(size)), "") << size;
}

TEST(CpuImage, SegmentPastTheEndIsRefused) {
  std::vector<std::byte> code = probe_kernel();
  Elf64_Ehdr header;
  std::memcpy(&header, code.data(), sizeof(header));
  const std::uint64_t size = UINT64_MAX;
  std::memcpy(code.data() + header.e_phoff + offsetof(Elf64_Phdr, p_filesz), &size, sizeof(size));
  EXPECT_THAT(fault_of(code), testing::HasSubstr("inside a segment"));
}

// The kernel with the first entry of its dynamic section replaced by one of `tag`.
std::vector<std::byte> with_dynamic_tag(std::int64_t tag) {
  std::vector<std::byte> code = probe_kernel();
  Elf64_Ehdr header;
  std::memcpy(&header, code.data(), sizeof(header));
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, code.data() + header.e_phoff + i * sizeof(segment), sizeof(segment));
    if (segment.p_type == PT_DYNAMIC) {
      std::memcpy(code.data() + segment.p_offset, &tag, sizeof(tag));
    }
  }
  return code;
}

TEST(CpuImage, KernelThatNeedsALibraryIsRefused) {
  EXPECT_THAT(fault_of(with_dynamic_tag(DT_NEEDED)), testing::HasSubstr("needs another library."));
}

TEST(CpuImage, KernelWithAConstructorIsRefused) {
  EXPECT_THAT(fault_of(with_dynamic_tag(DT_INIT_ARRAY)),
              testing::HasSubstr("has code that runs when it is loaded or unloaded."));
}

}  // namespace
}  // namespace halyard::cpu
