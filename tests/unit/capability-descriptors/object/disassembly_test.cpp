// SPDX-License-Identifier: Apache-2.0
// Compared with LLVM 19 on kernels that were compiled when the tests were built.
#include "capability-descriptors/object/disassembly.h"

#include "capability-descriptors/isa/operand_text.h"
#include "capability-descriptors/object/amdgpu_object.h"
#include "tests/unit/capability-descriptors/isa/shipped_instruction_set.h"
#include "tests/unit/capability-descriptors/object/compiled_kernels.h"
#include "tests/unit/capability-descriptors/object/llvm_tools.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace halyard::object {
namespace {

using isa::testing::shipped_instruction_set;
using testing::file_text;
using testing::kernel_bytes;
using testing::kernel_path;
using testing::kKernelFiles;
using testing::output_of;
using testing::TemporaryFolder;

struct Target {
  std::string_view name;
  std::string_view instruction_set;
  std::uint32_t wavefront_size;
};

class DisassemblyOf : public ::testing::TestWithParam<Target> {};

INSTANTIATE_TEST_SUITE_P(Disassembly, DisassemblyOf,
                         ::testing::Values(Target{"gfx1100", "rdna3", 32},
                                           Target{"gfx1201", "rdna4", 32},
                                           Target{"gfx942", "cdna3", 64}),
                         [](const auto& target) { return std::string(target.param.name); });

struct LlvmLine {
  std::string text;
  std::vector<std::uint32_t> words;
};

// "<tab>v_mov_b32_e32 v0, v1   // 000000001600: 7E000301 <label>", as llvm-objdump writes it.
std::optional<LlvmLine> read_llvm_line(const std::string& line) {
  const auto comment = line.find("// ");
  if (line.empty() || line[0] != '\t' || comment == std::string::npos) return std::nullopt;
  LlvmLine result;
  result.text = line.substr(1, line.find_last_not_of(' ', comment - 1));
  std::istringstream words(line.substr(line.find(": ", comment) + 2));
  for (std::string word; words >> word && word[0] != '<';)
    result.words.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
  return result;
}

TEST_P(DisassemblyOf, EveryInstructionHasTheTextOfLlvm) {
  const isa::InstructionSet set = shipped_instruction_set(GetParam().instruction_set);
  const auto decoder = isa::InstructionDecoder::create(set);
  ASSERT_TRUE(decoder);
  const isa::InstructionWriter writer(set, GetParam().wavefront_size);
  std::size_t count = 0;
  std::size_t kernels = 0;
  for (const std::string_view file : kKernelFiles) {
    const std::string bytes = kernel_bytes(file, GetParam().name);
    kernels += parse_amdgpu_object(bytes, file)->kernels.size();
    std::istringstream lines(
        output_of(HALYARD_LLVM_OBJDUMP " -d " + kernel_path(file, GetParam().name)));
    for (std::string line; std::getline(lines, line);) {
      const auto expected = read_llvm_line(line);
      if (!expected) continue;
      ++count;
      isa::DecodedInstruction decoded;
      ASSERT_TRUE(decoder->decode(expected->words, &decoded)) << line;
      EXPECT_EQ(decoded.size_bytes, expected->words.size() * 4) << line;
      EXPECT_EQ(writer.text(decoded, expected->words), expected->text) << line;
    }
  }
  EXPECT_GE(kernels, 30U);
  EXPECT_GT(count, 4000U);
}

// The bytes of a section of an object, but those that tell its place.
std::string section_bytes(const AmdgpuObject& object, std::string_view name) {
  const auto section = std::find_if(object.elf.sections.begin(), object.elf.sections.end(),
                                    [&](const ElfSection& s) { return s.name == name; });
  return section == object.elf.sections.end() ? "" : std::string(section->bytes);
}

// Literals that have a short form, as LLVM writes them, would be assembled shorter.
constexpr std::array<std::string_view, 4> kAssembledFiles = {"arithmetic", "matrix", "memory",
                                                             "reduction"};

TEST_P(DisassemblyOf, AssemblerMakesTheSameCodeAndDescriptorsAgain) {
  const isa::InstructionSet set = shipped_instruction_set(GetParam().instruction_set);
  const TemporaryFolder folder;
  for (const std::string_view file : kAssembledFiles) {
    const std::string bytes = kernel_bytes(file, GetParam().name);
    const auto text = disassemble_object(bytes, file, set);
    ASSERT_TRUE(text) << text.error().message();
    const std::string source = (folder.path() / "a.s").string();
    const std::string assembled = (folder.path() / "a.o").string();
    std::ofstream(source) << *text;
    output_of(HALYARD_LLVM_MC " -triple=amdgcn-amd-amdhsa -filetype=obj -mcpu=" +
              std::string(GetParam().name) + " -o " + assembled + ' ' + source);
    const std::string again = file_text(assembled);
    const auto expected = parse_amdgpu_object(bytes, file);
    const auto actual = parse_amdgpu_object(again, file);
    ASSERT_TRUE(actual) << actual.error().message();
    EXPECT_TRUE(section_bytes(*expected, ".text") == section_bytes(*actual, ".text")) << file;
    ASSERT_EQ(expected->kernels.size(), actual->kernels.size());
    for (std::size_t i = 0; i < expected->kernels.size(); ++i) {
      KernelDescriptor left = expected->kernels[i].descriptor;
      const KernelDescriptor right = actual->kernels[i].descriptor;
      EXPECT_EQ(expected->kernels[i].name, actual->kernels[i].name);
      EXPECT_EQ(left.group_segment_bytes, right.group_segment_bytes);
      EXPECT_EQ(left.private_segment_bytes, right.private_segment_bytes);
      EXPECT_EQ(left.kernarg_bytes, right.kernarg_bytes);
      // The count of scalar registers means nothing from gfx10 on; the compiler fills it all the
      // same.
      if (expected->target.generation() >= 10) left.rsrc1 &= ~0x3c0U;
      EXPECT_EQ(left.rsrc1, right.rsrc1) << expected->kernels[i].name;
      EXPECT_EQ(left.rsrc2, right.rsrc2) << expected->kernels[i].name;
      EXPECT_EQ(left.rsrc3, right.rsrc3) << expected->kernels[i].name;
      EXPECT_EQ(left.properties, right.properties) << expected->kernels[i].name;
      EXPECT_EQ(left.kernarg_preload, right.kernarg_preload);
    }
    ASSERT_TRUE(actual->metadata);
    EXPECT_EQ(actual->metadata->document, expected->metadata->document) << file;
  }
}

TEST(Disassembly, ListingHasLabelsAddressesAndDwords) {
  const isa::InstructionSet set = shipped_instruction_set("rdna3");
  const std::string bytes = kernel_bytes("matrix", "gfx1100");
  const auto text = disassemble_object(bytes, "matrix.hsaco", set);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_EQ(text->find("  .amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n"
                       "  .amdhsa_code_object_version 5\n"),
            0U);
  EXPECT_NE(text->find("\n  .globl gemm_plain\n  .protected gemm_plain\n"
                       "  .type gemm_plain,@function\ngemm_plain:\n  s_"),
            std::string::npos);
  const auto branch = text->find("  s_cbranch_scc0 L");
  ASSERT_NE(branch, std::string::npos);
  const std::string label = text->substr(branch + 17, 7);
  EXPECT_NE(text->find('\n' + label + ":\n"), std::string::npos) << label;
  EXPECT_NE(text->find("// 000000"), std::string::npos);
  EXPECT_NE(text->find("4, 0xBF9F0000"), std::string::npos);
  EXPECT_NE(text->find("\n.amdhsa_kernel gemm_plain\n"), std::string::npos);
  EXPECT_NE(text->find("\n    .name: gemm_plain\n"), std::string::npos);
}

TEST(Disassembly, WhatIsNoInstructionIsData) {
  const isa::InstructionSet set = shipped_instruction_set("rdna4");
  std::string bytes = kernel_bytes("matrix", "gfx1201");
  const auto object = parse_amdgpu_object(bytes, "a");
  ASSERT_TRUE(object);
  const auto& sections = object->elf.sections;
  const auto code = std::find_if(sections.begin(), sections.end(),
                                 [](const ElfSection& s) { return s.name == ".text"; });
  ASSERT_NE(code, sections.end());
  bytes.replace(code->offset, 4, "\xff\xff\xff\xff");
  const auto text = disassemble_object(bytes, "a", set);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_NE(text->find("  .long 0xFFFFFFFF "), std::string::npos);
}

TEST(Disassembly, TargetIsNamedWithItsFeatures) {
  std::string bytes = kernel_bytes("matrix", "gfx942");
  EXPECT_EQ(*target_of(bytes, "a"), "amdgcn-gfx942");
  bytes[49] = '\x0e';  // of the flags: sramecc on, xnack off
  EXPECT_EQ(*target_of(bytes, "a"), "amdgcn-gfx942:sramecc+:xnack-");
  const auto failure = target_of("text", "a.txt");
  ASSERT_FALSE(failure);
  EXPECT_EQ(failure.error().message(), "a.txt: The file does not start as an ELF file.");
}

TEST(Disassembly, NamesAreWrittenSoThatTheyStayNames) {
  const isa::InstructionSet set = shipped_instruction_set("rdna3");
  std::string bytes = kernel_bytes("reduction", "gfx1100");
  for (auto at = bytes.find("softmax"); at != std::string::npos; at = bytes.find("softmax", at))
    bytes.replace(at, 7, "a\"\nb c\\");
  const auto text = disassemble_object(bytes, "a", set);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_NE(text->find("\n\"a\\\"?b c\\\\\":\n"), std::string::npos);
  EXPECT_EQ(text->find("a\"\nb c\\"), std::string::npos);
}

// Code may be any bytes. What is written for them does not matter; it must be written.
TEST(Disassembly, AnyDwordsAreWritten) {
  for (const std::string_view architecture : {"rdna3", "rdna4", "cdna3"}) {
    const isa::InstructionSet set = shipped_instruction_set(architecture);
    const auto decoder = isa::InstructionDecoder::create(set);
    const isa::InstructionWriter writer(set, 32);
    std::uint32_t state = 1;
    const auto next = [&] { return state = state * 1664525 + 1013904223; };
    for (int i = 0; i < 20000; ++i) {
      std::array<std::uint32_t, 4> words = {next(), next(), next(), next()};
      words[0] = i % 2 == 0 ? words[0] : words[0] | 0xc0000000;
      isa::DecodedInstruction decoded;
      if (!decoder->decode(words, &decoded)) continue;
      EXPECT_FALSE(writer.text(decoded, words).empty());
    }
  }
}

}  // namespace
}  // namespace halyard::object
