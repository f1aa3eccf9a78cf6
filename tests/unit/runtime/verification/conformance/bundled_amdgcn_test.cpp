// SPDX-License-Identifier: Apache-2.0
// The bundled kernels for AMD hardware: what their code is allowed to hold and to occupy. It has
// never run on that hardware; what it computes is tested on emulated devices.
#include "capability-descriptors/descriptor_catalog.h"
#include "kernel-store/bundle.h"
#include "runtime/base/text.h"
#include "runtime/toolchain/resource_use.h"
#include "runtime/verification/conformance/conformance.h"
#include "tests/unit/runtime/verification/conformance/test_bytes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace halyard::verification {
namespace {

using testing::bundled_builds;
using testing::file_bytes;
using testing::sentences;

// The most that any build of a kernel may occupy: vector and accumulation registers of a lane,
// which decide how many waves a SIMD holds, and bytes of shared memory. A build with more is a
// change that someone has to want.
struct Bound {
  std::string_view kernel;
  std::uint32_t registers = 0;
  std::uint64_t shared_bytes = 0;
};

constexpr std::array kBounds = {
    Bound{"add_rms_norm_hip", 40, 32},
    Bound{"argmax_hip", 24, 64},
    Bound{"attention_decode_paged_hip", 120, 0},
    Bound{"attention_decode_paged_matrix_hip", 80, 13312},
    Bound{"cast_hip", 40, 0},
    Bound{"copy_strided_hip", 40, 0},
    Bound{"embedding_hip", 16, 0},
    Bound{"gemm_gfx1100_amdgcn", 88, 0},
    Bound{"gemm_gfx942_amdgcn", 40, 0},
    Bound{"gemm_hip", 136, 8704},
    Bound{"gemm_matrix_hip", 224, 20480},
    Bound{"gemm_rows_hip", 96, 0},
    Bound{"kv_append_paged_hip", 24, 0},
    Bound{"probe_fma_hip", 56, 0},
    Bound{"probe_read_hip", 48, 32},
    Bound{"rms_norm_gfx1100_amdgcn", 16, 16},
    Bound{"rms_norm_gfx942_amdgcn", 16, 16},
    Bound{"rms_norm_hip", 40, 32},
    Bound{"rope_gptj_hip", 24, 0},
    Bound{"rope_neox_hip", 24, 0},
    Bound{"silu_mul_hip", 32, 0},
    Bound{"softmax_gfx1100_amdgcn", 16, 32},
    Bound{"softmax_gfx942_amdgcn", 16, 32},
    Bound{"softmax_hip", 64, 64},
};

struct AmdgcnBuild {
  std::filesystem::path path;
  store::KernelRecord record;
  store::KernelBuild build;
};

// Each build for AMD with its entry in builds.json.
std::vector<AmdgcnBuild> amdgcn_builds() {
  std::vector<AmdgcnBuild> builds;
  const auto bundle = store::Bundle::open(HALYARD_BUNDLED_DATA);
  if (!bundle) return builds;
  for (const auto& path : bundled_builds(".co")) {
    const std::string contract = path.parent_path().parent_path().filename();
    const auto kernels = bundle->kernels(contract);
    if (!kernels) continue;
    for (const store::BuiltKernel& kernel : (*kernels)->kernels) {
      if (kernel.package.record.name != path.parent_path().filename()) continue;
      for (const store::KernelBuild& build : kernel.builds) {
        if (build.file == path.filename()) builds.push_back({path, kernel.package.record, build});
      }
    }
  }
  return builds;
}

TEST(BundledAmdgcn, CodeConforms) {
  const auto catalog =
      descriptors::DescriptorCatalog::open({std::string(HALYARD_BUNDLED_DATA) + "/descriptors"});
  ASSERT_TRUE(catalog) << catalog.error().message();
  std::map<std::string, isa::InstructionSet> sets;
  std::set<std::string> checked;
  for (const AmdgcnBuild& each : amdgcn_builds()) {
    // One type for each kernel and target: what they hold differs in conversions only.
    if (!checked.insert(each.record.name + each.build.target).second) continue;
    const auto descriptor = catalog->find_by_target(each.build.target);
    ASSERT_TRUE(descriptor && *descriptor) << each.build.target;
    const std::string& set = (*descriptor)->instruction_set;
    if (!sets.contains(set)) {
      auto found = catalog->find_instruction_set(set);
      ASSERT_TRUE(found) << found.error().message();
      sets.emplace(set, std::move(*found));
    }
    const std::string bytes = file_bytes(each.path);
    CodeUnderTest code;
    code.record = &each.record;
    code.target = each.build.target;
    code.parameters = each.build.parameters;
    code.bytes = bytes;
    code.is_foreign = false;
    code.capabilities = &(*descriptor)->capabilities;
    code.instruction_set = &sets.at(set);
    EXPECT_EQ(sentences(check_code(code)), "") << each.path;
  }
}

TEST(BundledAmdgcn, EveryTargetHasItsBuilds) {
  std::map<std::string, std::set<std::string>> kernels;
  for (const AmdgcnBuild& each : amdgcn_builds())
    kernels[each.build.target].insert(each.record.name);
  EXPECT_EQ(kernels["amdgcn-gfx90a"].size(), 18U);
  EXPECT_EQ(kernels["amdgcn-gfx1201"].size(), 18U);
  EXPECT_EQ(kernels["amdgcn-gfx942"].size(), 21U);
  EXPECT_EQ(kernels["amdgcn-gfx1100"].size(), 21U);
}

TEST(BundledAmdgcn, RecordsSayWhatTheBinariesSay) {
  for (const AmdgcnBuild& each : amdgcn_builds()) {
    const auto resources = toolchain::resource_use(file_bytes(each.path), each.path.string());
    ASSERT_TRUE(resources) << resources.error().message();
    EXPECT_EQ(each.build.resources, *resources) << each.path;
    EXPECT_EQ(each.build.resources.size(), each.record.stages.size()) << each.path;
  }
}

TEST(BundledAmdgcn, NothingSpills) {
  for (const AmdgcnBuild& each : amdgcn_builds()) {
    for (const store::EntryResources& entry : each.build.resources) {
      EXPECT_EQ(entry.vector_spills, 0U) << each.path;
      EXPECT_EQ(entry.scalar_spills, 0U) << each.path;
      EXPECT_EQ(entry.scratch_bytes, 0U) << each.path;
    }
  }
}

TEST(BundledAmdgcn, RegistersAndSharedMemoryStayWithinTheirBounds) {
  std::set<std::string_view> seen;
  for (const AmdgcnBuild& each : amdgcn_builds()) {
    const auto bound = std::find_if(kBounds.begin(), kBounds.end(),
                                    [&](const Bound& b) { return b.kernel == each.record.name; });
    ASSERT_NE(bound, kBounds.end()) << each.record.name << " has no bound.";
    seen.insert(bound->kernel);
    for (const store::EntryResources& entry : each.build.resources) {
      EXPECT_LE(entry.vector_registers + entry.accumulation_registers, bound->registers)
          << each.path;
      EXPECT_LE(entry.shared_bytes, bound->shared_bytes) << each.path;
    }
  }
  EXPECT_EQ(seen.size(), kBounds.size()) << "Some kernel of the table has no build.";
}

}  // namespace
}  // namespace halyard::verification
