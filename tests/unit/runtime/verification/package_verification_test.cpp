// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/package_verification.h"

#include "capability-descriptors/descriptor_catalog.h"
#include "runtime/base/text.h"

#include <gmock/gmock.h>

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace halyard::verification {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::string_view kRecord = R"({
  "format": "halyard.kernel/1", "name": "silu_mul_gfx942", "version": "1.0.0",
  "contract": "silu_mul@1", "language": "amdgcn-asm", "source": "silu_mul.s",
  "targets": ["amdgcn-gfx942"], "types": [{"T": "f32"}],
  "stages": [{"name": "main", "cadence": "per-launch", "entry": "silu_mul", "grid": ["tokens", 1, 1],
              "block": [64, 1, 1], "arguments": [{"tensor": "x"}, {"tensor": "y"}]}],
  "provenance": {"project": "halyard"}, "license": "Apache-2.0"})";

// `body` before the end of the program.
std::string assembly(std::string_view body) {
  return base::concat(R"(
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl silu_mul
.p2align 8
.type silu_mul,@function
silu_mul:
)",
                      body, R"(
  s_endpgm
.Lend:
.size silu_mul, .Lend - silu_mul
.rodata
.p2align 6
.amdhsa_kernel silu_mul
  .amdhsa_kernarg_size 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
  .amdhsa_accum_offset 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: silu_mul
    .symbol: silu_mul.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - {.address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}
      - {.address_space: global, .offset: 8, .size: 8, .value_kind: global_buffer}
...
.end_amdgpu_metadata
)");
}

// A device that no machine needs to have: nothing is launched after the deadline.
class AmdgcnPackage : public ::testing::Test {
 protected:
  AmdgcnPackage() {
    std::string name = (fs::temp_directory_path() / "halyard-package-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    const auto catalog =
        descriptors::DescriptorCatalog::open({HALYARD_BUNDLED_DATA "/descriptors"}).value();
    device_.id = "hip:0";
    device_.targets = {"amdgcn-gfx942"};
    device_.capabilities = catalog.find_by_target("amdgcn-gfx942").value().value().capabilities;
  }
  ~AmdgcnPackage() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  base::Result<VerificationReport> verify(std::string_view body) {
    std::ofstream(folder_ / "kernel.json") << kRecord;
    std::ofstream(folder_ / "silu_mul.s") << assembly(body);
    const operators::ContractCatalog contracts(HALYARD_BUNDLED_DATA);
    HALYARD_TRY_ASSIGN(const store::Bundle bundle, store::Bundle::open(HALYARD_BUNDLED_DATA));
    const VerificationSetting setting{&contracts, &bundle, HALYARD_BUNDLED_DATA,
                                      HALYARD_WORKER_PROGRAM};
    VerificationOptions options;
    options.seed = 1;
    options.budget = std::chrono::milliseconds(0);
    return verify_package(folder_.string(), device_, setting, options);
  }

  fs::path folder_;
  VerifiedDevice device_;
};

TEST_F(AmdgcnPackage, IsReadWithTheInstructionSetOfItsTarget) {
  const auto report = verify("  s_load_dwordx4 s[0:3], s[0:1], 0x0\n  s_waitcnt lgkmcnt(0)\n");
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_EQ(report->stages.size(), 4U) << report->decision.finding->sentence;
  EXPECT_EQ(report->stages[2].result.stage, Stage::kConformance);
  EXPECT_FALSE(report->stages[2].result.finding);
  ASSERT_TRUE(report->decision.finding);
  EXPECT_EQ(report->decision.verdict, VerdictClass::kUndecided);
  EXPECT_THAT(report->decision.finding->sentence, HasSubstr("The deadline passes after 0 of "));
}

TEST_F(AmdgcnPackage, IsRefusedForATrap) {
  const auto report = verify("  s_trap 2\n");
  ASSERT_TRUE(report) << report.error().message();
  ASSERT_TRUE(report->decision.finding);
  EXPECT_EQ(report->decision.finding->stage, Stage::kConformance);
  EXPECT_EQ(report->decision.verdict, VerdictClass::kStatic);
  EXPECT_THAT(report->decision.finding->sentence, HasSubstr("what no kernel may do: s_trap 2."));
}

}  // namespace
}  // namespace halyard::verification
