// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/amdgpu_code.h"

#include "capability-descriptors/descriptor_catalog.h"
#include "capability-descriptors/object/amdgpu_object.h"
#include "tests/unit/runtime/verification/conformance/test_bytes.h"

#include <gmock/gmock.h>

#include <elf.h>

#include <cstring>
#include <map>
#include <random>

namespace halyard::verification {
namespace {

using ::testing::HasSubstr;
using testing::object_bytes;
using testing::sentences;

constexpr std::size_t kFlagsOffset = offsetof(Elf64_Ehdr, e_flags);
constexpr char kProcessorGfx90a = '\x3f';

// What is known of a target; read once.
struct Target {
  descriptors::Descriptor descriptor;
  isa::InstructionSet set;
};

const Target& target_facts(const std::string& target) {
  static std::map<std::string, Target> known;
  const auto found = known.find(target);
  if (found != known.end()) return found->second;
  const auto catalog =
      descriptors::DescriptorCatalog::open({HALYARD_SOURCE_DIR "/capability-descriptors/data"})
          .value();
  Target out;
  out.descriptor = catalog.find_by_target(target).value().value();
  out.set = catalog.find_instruction_set(out.descriptor.instruction_set).value();
  return known.emplace(target, std::move(out)).first->second;
}

CodeStage stage(std::string entry, std::vector<CodeArgument> arguments) {
  CodeStage out;
  out.entry = std::move(entry);
  out.block = {256, 1, 1};
  out.shared_bytes = 0;
  out.arguments = std::move(arguments);
  return out;
}

constexpr CodeArgument kAddress{true, false, 8};
constexpr CodeArgument kWord{false, false, 4};
constexpr CodeArgument kLong{false, false, 8};

AmdgpuExpectation expectation(const std::string& processor, std::vector<CodeStage> stages) {
  const Target& facts = target_facts("amdgcn-" + processor);
  AmdgpuExpectation out;
  out.kernel = "saxpy";
  out.target = facts.descriptor.targets.front();
  out.stages = std::move(stages);
  out.capabilities = &facts.descriptor.capabilities;
  out.instruction_set = &facts.set;
  return out;
}

AmdgpuExpectation of_entry(const std::string& processor) {
  return expectation(processor, {stage("entry", {kAddress, kAddress})});
}

std::string verdict(std::string_view bytes, const AmdgpuExpectation& expected) {
  return sentences(check_amdgpu_code(bytes, expected));
}

TEST(AmdgpuCode, CompiledKernelsAreAccepted) {
  for (const std::string processor : {"gfx90a", "gfx942", "gfx1100", "gfx1201"}) {
    const auto expected = expectation(
        processor,
        {stage("saxpy", {kAddress, kAddress, kWord, kLong}), stage("divide", {kAddress, kAddress}),
         stage("reduce", {kAddress, kAddress, kWord}), stage("calls", {kAddress, kAddress, kWord}),
         stage("choose", {kAddress, kAddress, kWord})});
    EXPECT_EQ(verdict(object_bytes("honest." + processor + ".hsaco"), expected), "") << processor;
  }
}

TEST(AmdgpuCode, ModeThatIsRestoredIsAccepted) {
  for (const std::string processor : {"gfx942", "gfx1100"}) {
    EXPECT_EQ(verdict(object_bytes("restored_mode." + processor + ".hsaco"), of_entry(processor)),
              "");
  }
}

struct Hostile {
  std::string_view name;
  std::string_view sentence;
};

class HostileCode : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostileCode, IsRefused) {
  for (const std::string processor : {"gfx942", "gfx1100"}) {
    const auto bytes = object_bytes(std::string(GetParam().name) + "." + processor + ".hsaco");
    EXPECT_THAT(verdict(bytes, of_entry(processor)), HasSubstr(std::string(GetParam().sentence)))
        << processor;
  }
}

INSTANTIATE_TEST_SUITE_P(
    AmdgpuCode, HostileCode,
    ::testing::Values(
        Hostile{"counter", "has 5 bytes of writable data that outlive a launch (address 0x"},
        Hostile{"trap", "what no kernel may do: s_trap 2."},
        Hostile{"message", "what no kernel may do: s_sendmsg sendmsg(MSG_INTERRUPT)."},
        Hostile{"halt", "what no kernel may do: s_sethalt 1."},
        Hostile{"jump_to_data", "to an address that its code does not give: s_setpc_b64 s["},
        Hostile{"false_return", "does not give: s_setpc_b64 s[30:31]."},
        Hostile{"jump_out", "which is not in its code: s_setpc_b64 s[20:21]."},
        Hostile{"mode", "(bits 0x3) and does not restore it."},
        Hostile{"data_in_code", "what is no instruction of gfx"},
        Hostile{"branch_out", ", which is not in its code."},
        Hostile{"undefined", "takes \"elsewhere\" from elsewhere (an undefined symbol)."},
        Hostile{"small_block",
                "takes 128 lanes in a workgroup of \"entry\", and kernel.json says "
                "256."}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

// What calls a function that nobody knows may print, allocate and launch.
TEST(AmdgpuCode, WhatTheDriverWouldServeIsRefused) {
  const std::string text = verdict(object_bytes("undefined.gfx942.hsaco"), of_entry("gfx942"));
  for (const std::string_view what :
       {"hidden_hostcall_buffer", "hidden_heap_v1", "hidden_default_queue"}) {
    EXPECT_THAT(text,
                HasSubstr("wants what no kernel may have in \"entry\": " + std::string(what)));
  }
  EXPECT_THAT(text, HasSubstr("has a stack in \"entry\" whose size is not known."));
}

TEST(AmdgpuCode, OtherHardwareRegistersAreRefused) {
  EXPECT_THAT(verdict(object_bytes("other_register.gfx942.hsaco"), of_entry("gfx942")),
              HasSubstr("a write to a register of the hardware that no kernel needs: "
                        "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS"));
}

TEST(AmdgpuCode, InstructionOfAnotherTargetIsNamed) {
  std::string bytes = object_bytes("fp8.gfx942.hsaco");
  EXPECT_EQ(verdict(bytes, of_entry("gfx942")), "");
  // Says that it is for MI200, which has no matrix operations on fp8.
  bytes[kFlagsOffset] = kProcessorGfx90a;
  AmdgpuExpectation expected = of_entry("gfx90a");
  const isa::InstructionSet* others[] = {&target_facts("amdgcn-gfx942").set};
  expected.other_instruction_sets = others;
  EXPECT_THAT(verdict(bytes, expected),
              ::testing::ContainsRegex("has at 0x[0-9a-f]+ what is no instruction of gfx90a: "
                                       "0x[0-9a-f]+ \\(V_MFMA_F32_16X16X32_FP8_FP8 of amd/cdna3"));
}

TEST(AmdgpuCode, AnotherTargetIsRefused) {
  EXPECT_THAT(verdict(object_bytes("honest.gfx942.hsaco"), of_entry("gfx90a")),
              HasSubstr("is for amdgcn-gfx942, not for amdgcn-gfx90a."));
}

TEST(AmdgpuCode, SharedMemoryBeyondTheTargetIsRefused) {
  AmdgpuExpectation expected =
      expectation("gfx942", {stage("reduce", {kAddress, kAddress, kWord})});
  const std::string bytes = object_bytes("honest.gfx942.hsaco");
  expected.stages[0].shared_bytes = 65536 - 1024;
  EXPECT_EQ(verdict(bytes, expected), "");
  expected.stages[0].shared_bytes = 65792 - 1024;
  EXPECT_THAT(verdict(bytes, expected),
              HasSubstr("has 65792 bytes of shared memory in \"reduce\", and amdgcn-gfx942 has "
                        "65536."));
  expected.stages[0].shared_bytes = std::nullopt;
  EXPECT_THAT(verdict(bytes, expected), HasSubstr("which more than its parameters decides."));
}

// Changes a field of the descriptor of a kernel.
std::string with_descriptor(std::string bytes, std::string_view kernel, std::size_t offset,
                            std::uint32_t value) {
  const auto object = object::parse_amdgpu_object(bytes, "a").value();
  for (const auto& each : object.kernels) {
    if (each.name != kernel) continue;
    for (const auto& segment : object.elf.segments) {
      if (segment.type != PT_LOAD || each.descriptor_address < segment.address ||
          each.descriptor_address - segment.address >= segment.bytes.size()) {
        continue;
      }
      const auto at = static_cast<std::size_t>(segment.bytes.data() - bytes.data()) +
                      each.descriptor_address - segment.address + offset;
      std::memcpy(bytes.data() + at, &value, sizeof(value));
      return bytes;
    }
  }
  ADD_FAILURE() << kernel;
  return bytes;
}

TEST(AmdgpuCode, DescriptorThatTheMetadataDenyIsRefused) {
  const auto expected = expectation("gfx942", {stage("reduce", {kAddress, kAddress, kWord})});
  const std::string whole = object_bytes("honest.gfx942.hsaco");
  const std::string shared = verdict(with_descriptor(whole, "reduce", 0, 65792), expected);
  EXPECT_THAT(shared, HasSubstr("that \"reduce\" has 1024 bytes of shared memory and in its "
                                "descriptor 65792."));
  EXPECT_THAT(shared, HasSubstr("has 65792 bytes of shared memory in \"reduce\""));
  const std::string scratch = verdict(with_descriptor(whole, "reduce", 4, 131073), expected);
  EXPECT_THAT(scratch, HasSubstr("has 131073 bytes of scratch memory for each lane of \"reduce\", "
                                 "more than 131072."));
  EXPECT_THAT(verdict(with_descriptor(whole, "reduce", 12, 1), expected),
              HasSubstr("has reserved bytes in the descriptor of \"reduce\" that are not zero."));
  EXPECT_THAT(verdict(with_descriptor(whole, "reduce", 16, 0x40), expected),
              HasSubstr("which is no multiple of 256 within its code."));
}

// A reader of sections must see what a loader of segments does.
TEST(AmdgpuCode, SectionElsewhereThanItsMemoryIsRefused) {
  std::string bytes = object_bytes("honest.gfx942.hsaco");
  const auto expected = expectation("gfx942", {stage("divide", {kAddress, kAddress})});
  const auto object = object::parse_amdgpu_object(bytes, "a").value();
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  for (std::size_t i = 0; i < object.elf.sections.size(); ++i) {
    if (object.elf.sections[i].name != ".rodata") continue;
    const std::uint64_t offset = object.elf.sections[i].offset - 64;
    std::memcpy(
        bytes.data() + header.e_shoff + i * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_offset),
        &offset, sizeof(offset));
  }
  EXPECT_THAT(verdict(bytes, expected), HasSubstr("has section \".rodata\" (offset "));
}

TEST(AmdgpuCode, TablesOfSymbolsThatDifferAreRefused) {
  std::string bytes = object_bytes("honest.gfx942.hsaco");
  const auto expected = expectation("gfx942", {stage("divide", {kAddress, kAddress})});
  const auto object = object::parse_amdgpu_object(bytes, "a").value();
  for (const auto& section : object.elf.sections) {
    if (section.type != SHT_DYNSYM) continue;
    for (std::size_t at = 0; at < section.bytes.size(); at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, section.bytes.data() + at, sizeof(symbol));
      if (symbol.st_value != object.kernels.front().descriptor_address) continue;
      symbol.st_value = object.kernels.back().descriptor_address;
      std::memcpy(bytes.data() + section.offset + at, &symbol, sizeof(symbol));
    }
  }
  EXPECT_THAT(verdict(bytes, expected), HasSubstr("has other kernels in its table of symbols at "));
}

TEST(AmdgpuCode, ArgumentsAreTheRecordsOwn) {
  const std::string bytes = object_bytes("honest.gfx1100.hsaco");
  const auto judged = [&](std::vector<CodeArgument> arguments) {
    return verdict(bytes, expectation("gfx1100", {stage("saxpy", std::move(arguments))}));
  };
  EXPECT_THAT(judged({kAddress, kAddress, kWord}),
              HasSubstr("takes 4 arguments in \"saxpy\", and kernel.json gives 3."));
  EXPECT_THAT(judged({kAddress, kAddress, kLong, kLong}),
              HasSubstr("takes argument 2 of \"saxpy\" as by_value of 4 bytes, and kernel.json "
                        "gives a value of 8."));
  EXPECT_THAT(judged({kAddress, kLong, kWord, kLong}),
              HasSubstr("takes argument 1 of \"saxpy\" as global_buffer of 8 bytes, and "
                        "kernel.json gives a value of 8."));
}

TEST(AmdgpuCode, EntryAndWavesAreTheRecordsOwn) {
  const std::string bytes = object_bytes("honest.gfx1100.hsaco");
  EXPECT_THAT(verdict(bytes, expectation("gfx1100", {stage("other", {})})),
              HasSubstr("has no kernel \"other\"."));
  auto expected = expectation("gfx1100", {stage("divide", {kAddress, kAddress})});
  expected.stages[0].subgroup_size = 64;
  EXPECT_THAT(verdict(bytes, expected),
              HasSubstr("has waves of 32 lanes in \"divide\", and kernel.json says 64."));
  expected.stages[0].subgroup_size = 32;
  expected.stages[0].block = {std::nullopt, 1, 1};
  EXPECT_THAT(verdict(bytes, expected), HasSubstr("cannot be held against dimension 0 of"));
}

TEST(AmdgpuCode, UnknownTargetAndOtherFilesAreRefused) {
  AmdgpuExpectation expected = of_entry("gfx942");
  EXPECT_THAT(verdict("MZ", expected), HasSubstr("is no code object that can be read ("));
  expected.instruction_set = nullptr;
  EXPECT_THAT(verdict(object_bytes("fp8.gfx942.hsaco"), expected),
              HasSubstr("is for amdgcn-gfx942, whose limits and instructions are not known."));
}

TEST(AmdgpuCode, CutAndDamagedFilesAreReadSafely) {
  const std::string whole = object_bytes("fp8.gfx942.hsaco");
  const AmdgpuExpectation expected = of_entry("gfx942");
  for (std::size_t size = 0; size < whole.size(); size += 61) {
    static_cast<void>(verdict(std::string(whole.data(), size), expected));
  }
  std::mt19937 random(20261130);
  for (int round = 0; round < 200; ++round) {
    std::string changed = whole;
    for (int i = 0; i < 3; ++i)
      changed[random() % changed.size()] = static_cast<char>(random());
    static_cast<void>(verdict(changed, expected));
  }
}

}  // namespace
}  // namespace halyard::verification
