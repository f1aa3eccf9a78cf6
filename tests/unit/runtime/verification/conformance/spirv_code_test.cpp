// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/spirv_code.h"

#include "kernel-store/kernel_record.h"
#include "tests/unit/runtime/verification/conformance/test_bytes.h"

#include <gmock/gmock.h>

#include <random>
#include <spirv-tools/libspirv.hpp>

namespace halyard::verification {
namespace {

using descriptors::CapabilityKey;
using testing::bundled_builds;
using testing::file_bytes;
using ::testing::HasSubstr;
using testing::sentences;

std::string assembled(const std::string& text) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  std::string fault;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char*, const spv_position_t& at, const char* message) {
        fault += std::to_string(at.line) + ": " + message + "\n";
      });
  std::vector<std::uint32_t> words;
  EXPECT_TRUE(tools.Assemble(text, &words)) << fault << text;
  if (words.size() > 1) words[1] = 0x00010300;
  std::string out(words.size() * 4, '\0');
  std::memcpy(out.data(), words.data(), out.size());
  return out;
}

// A kernel in text, with parts that a test may replace.
struct Parts {
  std::string capabilities;
  std::string imports;
  std::string addressing = "Logical";
  std::string model = "GLCompute";
  std::string name = "main";
  std::string modes = "OpExecutionMode %main LocalSize 64 1 1\n";
  std::string set = "0";
  std::string binding = "0";
  std::string decorations;
  std::string types;
  std::string body;

  std::string text() const {
    return "OpCapability Shader\n" + capabilities + imports + "OpMemoryModel " + addressing +
           " GLSL450\nOpEntryPoint " + model + " %main \"" + name + "\"\n" + modes +
           "OpDecorate %array ArrayStride 4\nOpMemberDecorate %block 0 Offset 0\n"
           "OpDecorate %block Block\nOpDecorate %buffer DescriptorSet " +
           set + "\nOpDecorate %buffer Binding " + binding + "\n" + decorations +
           "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
           "%array = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %array\n"
           "%pointer = OpTypePointer StorageBuffer %block\n"
           "%buffer = OpVariable %pointer StorageBuffer\n"
           "%element = OpTypePointer StorageBuffer %uint\n%zero = OpConstant %uint 0\n" +
           types + "%main = OpFunction %void None %function\n%start = OpLabel\n" + body +
           "%at = OpAccessChain %element %buffer %zero %zero\nOpStore %at %zero\n"
           "OpReturn\nOpFunctionEnd\n";
  }
};

SpirvExpectation expectation() {
  SpirvExpectation out;
  out.kernel = "saxpy";
  out.target = "spirv-1.3";
  CodeStage stage;
  stage.entry = "main";
  stage.block = {64, 1, 1};
  stage.bindings = {0};
  out.stages.push_back(stage);
  return out;
}

std::string verdict(const Parts& parts, const SpirvExpectation& expected = expectation()) {
  return sentences(check_spirv_code(assembled(parts.text()), expected));
}

TEST(SpirvCode, EveryBundledBuildIsAccepted) {
  descriptors::CapabilitySet capabilities;
  for (const CapabilityKey key :
       {CapabilityKey::kTypeI64, CapabilityKey::kSubgroupArithmetic, CapabilityKey::kStorage16bit,
        CapabilityKey::kStorage8bit, CapabilityKey::kVulkanBufferDeviceAddress}) {
    capabilities.set_flag(key, true);
  }
  capabilities.set_number(CapabilityKey::kSubgroupSize, 8);
  capabilities.set_number(CapabilityKey::kLimitWorkgroupInvocations, 1024);
  capabilities.set_number(CapabilityKey::kLimitPushConstantBytes, 256);
  capabilities.set_number(CapabilityKey::kLimitSharedBytes, 32768);
  const auto builds = bundled_builds(".spv");
  EXPECT_GT(builds.size(), 40U);
  std::size_t with_addresses = 0;
  for (const auto& path : builds) {
    const auto json = file_bytes(path.parent_path() / "kernel.json");
    const auto record = store::parse_kernel_record(json, path.string());
    ASSERT_TRUE(record) << record.error().message();
    SpirvExpectation expected;
    expected.kernel = record->name;
    expected.target = "spirv-1.5";
    expected.capabilities = &capabilities;
    expected.is_foreign = false;
    for (const store::KernelParameter& parameter : record->parameters) {
      if (parameter.kind != store::ParameterKind::kConstant) continue;
      expected.constants[parameter.constant_id] = parameter.default_value;
    }
    expected.stages = code_stages(*record, {}, &capabilities);
    EXPECT_EQ(sentences(check_spirv_code(file_bytes(path), expected)), "") << path;
    expected.is_foreign = true;
    if (!sentences(check_spirv_code(file_bytes(path), expected)).empty()) ++with_addresses;
  }
  EXPECT_GT(with_addresses, 0U);
  EXPECT_LT(with_addresses, builds.size() / 2);
}

TEST(SpirvCode, PlainModuleIsAccepted) {
  EXPECT_EQ(verdict({}), "");
}

TEST(SpirvCode, OtherFilesAreNamed) {
  const SpirvExpectation expected = expectation();
  EXPECT_EQ(sentences(check_spirv_code("short", expected)),
            "The code of kernel \"saxpy\" has 5 bytes, not a multiple of 4 from 20 to 16777216.\n");
  EXPECT_THAT(sentences(check_spirv_code(std::string(20, '\x01'), expected)),
              HasSubstr("starts with 0x1010101, not as SPIR-V (0x7230203)."));
  EXPECT_THAT(sentences(check_spirv_code(std::string((16U << 20) + 4, '\0'), expected)),
              HasSubstr("has 16777220 bytes, not a multiple of 4 from 20 to 16777216."));
  std::string newer = assembled(Parts{}.text());
  newer[9 - 3] = 6;
  newer[5] = 6;
  EXPECT_THAT(sentences(check_spirv_code(newer, expected)), HasSubstr("newer than its target"));
  SpirvExpectation other = expectation();
  other.target = "spirv-2.0";
  EXPECT_THAT(verdict({}, other), HasSubstr("is built for target \"spirv-2.0\", which is no"));
}

TEST(SpirvCode, InvalidModuleIsRefusedWithTheValidatorsWords) {
  Parts parts;
  parts.body = "%sum = OpIAdd %uint %zero %void\n";
  EXPECT_THAT(verdict(parts), HasSubstr("is no valid SPIR-V for spirv-1.3 (word "));
}

TEST(SpirvCode, CapabilitiesAreThoseOfKernelsAndOfTheDevice) {
  Parts image;
  image.capabilities = "OpCapability Sampled1D\n";
  EXPECT_THAT(verdict(image),
              HasSubstr("asks for SPIR-V capability 43, which kernels may not use"));
  Parts wide;
  wide.capabilities = "OpCapability Int64\n";
  EXPECT_EQ(verdict(wide), "");
  descriptors::CapabilitySet capabilities;
  SpirvExpectation expected = expectation();
  expected.capabilities = &capabilities;
  EXPECT_THAT(verdict(wide, expected),
              HasSubstr("asks for Int64, and the device does not say that it has type.i64."));
  capabilities.set_flag(CapabilityKey::kTypeI64, false);
  EXPECT_THAT(verdict(wide, expected), HasSubstr("does not say that it has type.i64."));
  capabilities.set_flag(CapabilityKey::kTypeI64, true, descriptors::CapabilityOrigin::kDocumented);
  EXPECT_THAT(verdict(wide, expected), HasSubstr("does not say that it has type.i64."));
  capabilities.set_flag(CapabilityKey::kTypeI64, true);
  EXPECT_EQ(verdict(wide, expected), "");
}

TEST(SpirvCode, ForeignKernelsGetNoAddresses) {
  Parts parts;
  parts.capabilities =
      "OpCapability PhysicalStorageBufferAddresses\n"
      "OpExtension \"SPV_KHR_physical_storage_buffer\"\n";
  parts.addressing = "PhysicalStorageBuffer64";
  const std::string text = verdict(parts);
  EXPECT_THAT(text, HasSubstr("with which a foreign kernel could reach any memory of the device."));
  EXPECT_THAT(text, HasSubstr("uses addressing model 5348, and a foreign kernel may use only"));
  SpirvExpectation own = expectation();
  own.is_foreign = false;
  EXPECT_EQ(verdict(parts, own), "");
}

TEST(SpirvCode, PrintingIsRefused) {
  Parts parts;
  parts.imports =
      "OpExtension \"SPV_KHR_non_semantic_info\"\n"
      "%print = OpExtInstImport \"NonSemantic.DebugPrintf\"\n";
  EXPECT_THAT(verdict(parts), HasSubstr("uses the instructions of \"NonSemantic.DebugPrintf\""));
}

TEST(SpirvCode, EntryPointIsTheRecordsOwn) {
  Parts other;
  other.name = "other";
  EXPECT_THAT(verdict(other), HasSubstr("has no entry point \"main\"."));
}

TEST(SpirvCode, WorkgroupIsTheRecordsOwn) {
  Parts parts;
  parts.modes = "OpExecutionMode %main LocalSize 32 2 1\n";
  const std::string text = verdict(parts);
  EXPECT_THAT(text, HasSubstr("has workgroups of 32 in dimension 0 of \"main\", and kernel.json "
                              "says 64."));
  EXPECT_THAT(text, HasSubstr("has workgroups of 2 in dimension 1 of \"main\", and kernel.json "
                              "says 1."));
  SpirvExpectation open = expectation();
  open.stages[0].block[0] = std::nullopt;
  EXPECT_THAT(verdict({}, open), HasSubstr("lets more than its parameters decide that."));
  descriptors::CapabilitySet capabilities;
  capabilities.set_number(CapabilityKey::kLimitWorkgroupInvocations, 32);
  SpirvExpectation small = expectation();
  small.capabilities = &capabilities;
  EXPECT_THAT(verdict({}, small), HasSubstr("has workgroups of 64 lanes in \"main\", and the "
                                            "device takes 32."));
}

TEST(SpirvCode, SpecialisedWorkgroupFollowsTheParameter) {
  Parts parts;
  parts.decorations = "OpDecorate %lanes SpecId 7\nOpDecorate %size BuiltIn WorkgroupSize\n";
  parts.types =
      "%lanes = OpSpecConstant %uint 1\n%one = OpConstant %uint 1\n"
      "%vector = OpTypeVector %uint 3\n"
      "%size = OpSpecConstantComposite %vector %lanes %one %one\n";
  EXPECT_THAT(verdict(parts), HasSubstr("has workgroups of 1 in dimension 0"));
  SpirvExpectation expected = expectation();
  expected.constants[7] = 64;
  EXPECT_EQ(verdict(parts, expected), "");
}

TEST(SpirvCode, BindingsAreTheRecordsOwn) {
  Parts parts;
  parts.binding = "3";
  EXPECT_THAT(verdict(parts),
              HasSubstr("uses binding 3 in \"main\", which kernel.json does not bind."));
  parts.binding = "0";
  parts.set = "1";
  EXPECT_THAT(verdict(parts), HasSubstr("in descriptor set 1, binding 0; only set 0 is bound."));
}

TEST(SpirvCode, PushConstantsAreThoseThatArePushed) {
  Parts parts;
  parts.decorations =
      "OpDecorate %values Block\nOpMemberDecorate %values 0 Offset 0\n"
      "OpMemberDecorate %values 1 Offset 12\n";
  parts.types =
      "%values = OpTypeStruct %uint %uint\n%values_pointer = OpTypePointer PushConstant %values\n"
      "%pushed = OpVariable %values_pointer PushConstant\n";
  SpirvExpectation expected = expectation();
  expected.stages[0].push_bytes = 16;
  EXPECT_EQ(verdict(parts, expected), "");
  expected.stages[0].push_bytes = 12;
  EXPECT_THAT(
      verdict(parts, expected),
      HasSubstr("reads 16 bytes of push constants in \"main\", and kernel.json pushes 12."));
}

TEST(SpirvCode, SharedMemoryIsWithinTheDevice) {
  Parts parts;
  parts.decorations = "OpDecorate %count SpecId 1\n";
  parts.types =
      "%count = OpSpecConstant %uint 16\n%four = OpConstant %uint 4\n"
      "%scaled = OpSpecConstantOp %uint IMul %count %four\n"
      "%shared_array = OpTypeArray %uint %scaled\n"
      "%shared_pointer = OpTypePointer Workgroup %shared_array\n"
      "%shared = OpVariable %shared_pointer Workgroup\n";
  descriptors::CapabilitySet capabilities;
  capabilities.set_number(CapabilityKey::kLimitSharedBytes, 1024);
  SpirvExpectation expected = expectation();
  expected.capabilities = &capabilities;
  EXPECT_EQ(verdict(parts, expected), "");
  expected.constants[1] = 65;
  EXPECT_THAT(verdict(parts, expected), HasSubstr("has 1040 bytes of shared memory in \"main\", "
                                                  "and a workgroup of the device has 1024."));
}

TEST(SpirvCode, OtherStorageIsRefused) {
  Parts parts;
  parts.decorations =
      "OpDecorate %more DescriptorSet 0\nOpDecorate %more Binding 0\nOpDecorate %uniform Block\n"
      "OpMemberDecorate %uniform 0 Offset 0\n";
  parts.types =
      "%uniform = OpTypeStruct %uint\n%uniform_pointer = OpTypePointer Uniform %uniform\n"
      "%more = OpVariable %uniform_pointer Uniform\n";
  EXPECT_THAT(verdict(parts), HasSubstr("has a variable of storage class 2 in \"main\", which no "
                                        "launch fills."));
}

TEST(SpirvCode, CutAndDamagedModulesAreReadSafely) {
  Parts parts;
  parts.types =
      "%vector = OpTypeVector %uint 3\n%four = OpConstant %uint 4\n"
      "%shared_array = OpTypeArray %vector %four\n"
      "%shared_pointer = OpTypePointer Workgroup %shared_array\n"
      "%shared = OpVariable %shared_pointer Workgroup\n";
  const std::string whole = assembled(parts.text());
  const SpirvExpectation expected = expectation();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(check_spirv_code(std::string_view(whole).substr(0, size), expected).empty());
  }
  std::mt19937 random(20261130);
  for (int round = 0; round < 2000; ++round) {
    std::string changed = whole;
    changed[random() % changed.size()] = static_cast<char>(random());
    static_cast<void>(check_spirv_code(changed, expected));
  }
}

}  // namespace
}  // namespace halyard::verification
