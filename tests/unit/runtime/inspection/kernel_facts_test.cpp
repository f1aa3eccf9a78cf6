// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/kernel_facts.h"

#include "runtime/base/file.h"
#include "runtime/inspection/fact_sheet.h"
#include "tests/unit/runtime/inspection/instruction_set_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::services {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

descriptors::Descriptor small_descriptor() {
  using descriptors::CapabilityKey;
  using descriptors::CapabilityOrigin;
  descriptors::Descriptor descriptor;
  descriptor.id = "test/small";
  descriptor.name = "A small device";
  descriptor.targets = {"amdgcn-small"};
  descriptor.capabilities.set_number(CapabilityKey::kSubgroupSize, 32,
                                     CapabilityOrigin::kDocumented);
  descriptor.capabilities.set_number(CapabilityKey::kVgprPerSimd, 1536, CapabilityOrigin::kDerived);
  descriptor.capabilities.set_number(CapabilityKey::kRateMatrixF16, 512,
                                     CapabilityOrigin::kMeasured);
  descriptor.capabilities.set_number(CapabilityKey::kRateMatrixI8, 1024,
                                     CapabilityOrigin::kMeasured);
  descriptor.missing = {"memory.bandwidth_bytes_per_s"};
  descriptors::MatrixOperation operation;
  operation.instruction = "V_WMMA_F32_16X16X16_F16";
  operation.m = operation.n = operation.k = 16;
  operation.a_type = operation.b_type = "f16";
  operation.c_type = "f32";
  operation.lanes = 32;
  operation.cycles = 32;
  operation.a = {16, "lane % 16", "item", ""};
  descriptor.matrix_operations = {operation};
  descriptor.notes = {{"hazards", "Hazard text.", ""},
                      {"launch", "Launch text.", ""},
                      {"waits", "Wait text.", ""},
                      {"memory model", "Fence text.", ""}};
  return descriptor;
}

class KernelFactsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    target_.descriptor = &descriptor_;
    target_.instruction_set = &set_;
  }

  void use_contract(const std::string& name) {
    const std::string path =
        std::string(HALYARD_SOURCE_DIR) + "/kernel-store/contracts/" + name + ".json";
    const auto text = base::read_text_file(path, 1 << 20);
    ASSERT_TRUE(text);
    auto contract = operators::Contract::parse(*text, path);
    ASSERT_TRUE(contract) << contract.error().message();
    contract_ = std::move(*contract);
    target_.contract = contract_.get();
  }

  std::string facts(std::size_t tokens = 0) const {
    const auto text = kernel_facts(target_, tokens);
    return text ? *text : text.error().message();
  }

  descriptors::Descriptor descriptor_ = small_descriptor();
  isa::InstructionSet set_ = testing::small_instruction_set();
  base::Ref<const operators::Contract> contract_;
  KernelTarget target_;
};

TEST_F(KernelFactsTest, ProductGetsMatrixOperationsWithLanesInstructionsAndEncodings) {
  use_contract("gemm");
  const std::string text = facts();
  for (const char* const words :
       {"# A kernel of gemm for test/small: A small device\nmachine code: amdgcn-small\n",
        "subgroup: size 32\n", "vgpr: per_simd 1536 (derived)\n",
        "rate: matrix_f16 512 operation/clock (measured)\n",
        "not known: memory.bandwidth_bytes_per_s\n", "reads B: T[N, K] constant aligned to 16\n",
        "V_WMMA_F32_16X16X16_F16: D f32 16x16 = A f16 16x16 * B f16 16x16 + C, 32 lanes, 32 cycles",
        "  A: 16 items a lane; row lane % 16; column item\n",
        "V_WMMA_F32_16X16X16_F16 v[8]:f32 = ", "VOP3P: 64 bits, first dword & ", "Launch text.\n",
        "Hazard text.\n", "Wait text.\n", "memory model: Fence text.\n"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
  EXPECT_TRUE(text.ends_with("\n2 instructions are not listed, since gemm does not need them.\n"))
      << text;
}

TEST_F(KernelFactsTest, OperationsThatLayTheirElementsOutAlikeShareTheLines) {
  descriptors::MatrixOperation other = descriptor_.matrix_operations[0];
  other.instruction = "V_WMMA_F32_16X16X16_BF16";
  other.a_type = other.b_type = "bf16";
  descriptor_.matrix_operations.push_back(other);
  other.instruction = "V_WMMA_BF16_16X16X16_BF16";
  other.c_type = "bf16";
  descriptor_.matrix_operations.push_back(other);
  other.sparse = true;
  other.c_type = "f32";
  other.instruction = "V_SWMMAC_F32_16X16X32_BF16";
  descriptor_.matrix_operations.push_back(other);
  use_contract("gemm");
  const std::string text = facts();
  EXPECT_THAT(text, HasSubstr("(documented)\nV_WMMA_F32_16X16X16_BF16: D f32 "));
  EXPECT_THAT(text, HasSubstr("(documented)\n  A: 16 items a lane;"));
  EXPECT_THAT(text, Not(HasSubstr("V_WMMA_BF16_"))) << "The contract sums in f32.";
  EXPECT_GT(text.find("V_SWMMAC_F32"), text.find("# Encodings"));
}

TEST_F(KernelFactsTest, WhatAContractDoesNotNeedIsNotInItsFacts) {
  use_contract("rms_norm");
  const std::string text = facts();
  EXPECT_THAT(text, HasSubstr("V_RSQ_F32"));
  EXPECT_THAT(text, Not(HasSubstr("WMMA")));
  EXPECT_GT(text.find("matrix_f16"), text.find("# Other capabilities"));
  EXPECT_THAT(text, Not(HasSubstr("IMAGE_SAMPLE")));
}

TEST_F(KernelFactsTest, MatrixInstructionsOfSubgroupsAreForDevicesThatHaveThem) {
  set_.instructions[0].name = "OpCooperativeMatrixMulAddKHR";
  use_contract("gemm");
  EXPECT_THAT(facts(), Not(HasSubstr("OpCooperativeMatrix")));
  descriptor_.capabilities.set_flag(descriptors::CapabilityKey::kMatrixCooperative, true);
  EXPECT_THAT(facts(), HasSubstr("OpCooperativeMatrixMulAddKHR"));
}

TEST_F(KernelFactsTest, RelevantComesFirst) {
  use_contract("gemm");
  const std::string text = facts();
  std::size_t last = 0;
  for (const char* const title :
       {"# The contract", "# How a kernel starts", "# Matrix operations", "# Waits", "# Hazards",
        "# Instructions", "# Matrix products", "# Global memory", "# Encodings"}) {
    const std::size_t at = text.find(title);
    ASSERT_NE(at, std::string::npos) << title;
    EXPECT_GT(at, last) << title;
    last = at;
  }
}

TEST_F(KernelFactsTest, RatesOfOtherTypesStandFarBehind) {
  use_contract("gemm");
  const std::string text = facts();
  EXPECT_GT(text.find("matrix_i8"), text.find("# Other capabilities"));
}

TEST_F(KernelFactsTest, BudgetIsKeptAndEqualInputsGiveEqualTexts) {
  use_contract("gemm");
  for (const std::size_t tokens : {200, 300, 500, 650}) {
    const std::string text = facts(tokens);
    EXPECT_LE(text.size(), tokens * kBytesPerToken);
    EXPECT_THAT(text, HasSubstr("Left out for the budget of "));
    EXPECT_EQ(text, facts(tokens));
  }
  EXPECT_THAT(facts(10), HasSubstr("The budget of 10 tokens is below the "));
}

TEST_F(KernelFactsTest, WithoutContractEverythingIsListed) {
  const std::string text = facts();
  for (const isa::Instruction& instruction : set_.instructions)
    EXPECT_THAT(text, HasSubstr("\n" + instruction.name)) << instruction.name;
  EXPECT_TRUE(text.ends_with("\nNothing is left out.\n"));
}

TEST_F(KernelFactsTest, TargetWithoutInstructionSetHasItsCapabilities) {
  target_.instruction_set = nullptr;
  EXPECT_THAT(facts(), HasSubstr("vgpr: per_simd 1536"));
  EXPECT_THAT(facts(), Not(HasSubstr("# Instructions")));
  descriptor_.instruction_set = "test/other";
  EXPECT_THAT(facts(), HasSubstr("\nThe instruction set test/other is not known here.\n"));
}

}  // namespace
}  // namespace halyard::services
