// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_record.h"

#include "runtime/base/canonical_json.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace halyard::store {
namespace {

using ::testing::HasSubstr;
using testing::kernel_json;

namespace fs = std::filesystem;

const fs::path kAwkward = fs::path(HALYARD_STORE_FIXTURES) / "awkward";

KernelRecord awkward(const std::string& name) {
  const std::string path = (kAwkward / (name + ".json")).string();
  auto record = parse_kernel_record(testing::read_file(path), path);
  EXPECT_TRUE(record.has_value()) << record.error().message();
  return record ? std::move(*record) : KernelRecord();
}

std::string error_of(std::string_view text) {
  const auto record = parse_kernel_record(text, "kernel.json");
  EXPECT_FALSE(record.has_value());
  if (record) return "";
  EXPECT_EQ(record.error().code(), base::ErrorCode::kCorruptData);
  return record.error().message();
}

TEST(KernelRecord, CarriesEveryAwkwardKernelThereAndBack) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(kAwkward)) {
    const KernelRecord record = awkward(entry.path().stem().string());
    EXPECT_EQ(base::canonical_json(kernel_record_to_json(record)), record.canonical_json)
        << entry.path();
    ++count;
  }
  EXPECT_EQ(count, 12U);
}

TEST(KernelRecord, KeepsTheStagesOfASplitGemm) {
  const KernelRecord record = awkward("split_k_gemm");
  ASSERT_EQ(record.stages.size(), 2U);
  EXPECT_EQ(record.workspace[1].initial, WorkspaceInitial::kZero);
  EXPECT_EQ(record.stages[0].grid[2].text, "SPLIT");
  EXPECT_EQ(record.stages[0].arguments[7].kind, ArgumentKind::kStride);
  EXPECT_EQ(record.default_parameters(), (ParameterValues{{"SPLIT", 4}, {"TILE_N", 64}}));
}

TEST(KernelRecord, KeepsTensorMapsAndClusters) {
  const KernelRecord record = awkward("tma_gemm");
  const KernelStage& stage = record.stages[0];
  ASSERT_TRUE(stage.cluster.has_value());
  EXPECT_EQ((*stage.cluster)[0].text, "2");
  ASSERT_TRUE(stage.arguments[1].tensor_map.has_value());
  EXPECT_EQ(stage.arguments[1].name, "B");
  EXPECT_EQ(stage.arguments[1].tensor_map->box[0].text, "min(N, 128)");
  EXPECT_EQ(stage.arguments[1].tensor_map->l2_promotion, TensorMapPromotion::k256Bytes);
}

TEST(KernelRecord, KeepsPackedLayoutsWithTheirStage) {
  const KernelRecord record = awkward("w4_gemm");
  ASSERT_EQ(record.packed_layouts.size(), 2U);
  EXPECT_EQ(record.find_stage("pack")->cadence, StageCadence::kPerConstant);
  EXPECT_EQ(record.find_stage("main")->arguments[1].packed, "kn64");
  EXPECT_EQ(record.file_names(), (std::vector<std::string>{"gemm_w4.cpp", "nibbles.h", "pack.h"}));
}

TEST(KernelRecord, KeepsPlacesOfVulkanArguments) {
  const KernelRecord address = awkward("vulkan_device_address");
  EXPECT_EQ(address.stages[0].arguments[1].push, 8U);
  EXPECT_EQ(address.stages[0].split->multiple, 64U);
  EXPECT_EQ(address.parameters[0].constant_id, 3U);
  const KernelRecord bindings = awkward("vulkan_bindings");
  EXPECT_EQ(bindings.stages[0].arguments[2].binding, 2U);
  EXPECT_EQ(bindings.stages[0].subgroup_size, 8U);
}

TEST(KernelRecord, UnknownKeyNamesTheNearest) {
  EXPECT_EQ(error_of(kernel_json("\"where\"", "\"were\"")),
            "kernel.json: /were is an unknown key; the nearest is \"where\".");
}

TEST(KernelRecord, UnknownArgumentNamesTheNearestKind) {
  const std::string error = error_of(kernel_json("{\"tensor\": \"x\"}", "{\"tensr\": \"x\"}"));
  EXPECT_THAT(error, HasSubstr("/stages/0/arguments/0 is no argument"));
  EXPECT_THAT(error, HasSubstr("the nearest is \"tensor\""));
}

TEST(KernelRecord, WrongTypeNamesPointerAndKind) {
  EXPECT_EQ(error_of(kernel_json("\"1.0.0\"", "1")),
            "kernel.json: /version is a number, not a string.");
}

TEST(KernelRecord, BadExpressionNamesItsColumn) {
  const std::string error = error_of(kernel_json("\"batch\", 1, 1", "\"batch + * 2\", 1, 1"));
  EXPECT_THAT(error, HasSubstr("/stages/0/grid element 0"));
  EXPECT_THAT(error, HasSubstr("column 9"));
}

TEST(KernelRecord, GridOfTwoIsRefused) {
  EXPECT_THAT(error_of(kernel_json("\"batch\", 1, 1", "\"batch\", 1")),
              HasSubstr("/stages/0/grid has 2 elements, not 3"));
}

TEST(KernelRecord, RefusesNamesThatLeaveThePackage) {
  for (const char* const name : {"\"../a.cpp\"", "\"/etc/passwd\"", "\".hidden\"", "\"a\\u0000b\"",
                                 "\"a\\\\b\"", "\"\"", "\"kernel.json\"", "\"builds.json\""}) {
    EXPECT_THAT(error_of(kernel_json("\"a.cpp\"", name)), HasSubstr("/source names")) << name;
  }
}

TEST(KernelRecord, RefusesDuplicateKeysWithTheirPlace) {
  EXPECT_THAT(error_of(kernel_json("\"name\":", "\"name\": \"other\", \"name\":")),
              HasSubstr("kernel.json:3:"));
}

TEST(KernelRecord, RefusesBytesThatAreNoUtf8) {
  EXPECT_THAT(error_of(kernel_json("rms_norm_plain", "rms\xff")), HasSubstr("kernel.json:3:"));
}

TEST(KernelRecord, RefusesJsonThatNestsTooDeep) {
  EXPECT_THAT(error_of(std::string(100, '[')), HasSubstr("kernel.json:1:"));
}

TEST(KernelRecord, RefusesReferencesToWhatItDoesNotHave) {
  EXPECT_THAT(error_of(kernel_json("{\"workspace\": \"sums\"}", "{\"workspace\": \"sum\"}")),
              HasSubstr("names the workspace \"sum\", which the kernel does not have; the nearest "
                        "is \"sums\""));
  EXPECT_THAT(error_of(kernel_json("{\"parameter\": \"CHUNK\"", "{\"parameter\": \"CHUNKS\"")),
              HasSubstr("names the parameter \"CHUNKS\""));
  EXPECT_THAT(
      error_of(kernel_json("{\"tensor\": \"x\"}", "{\"tensor\": \"x\", \"packed\": \"p\"}")),
      HasSubstr("names the packed layout \"p\""));
  EXPECT_THAT(error_of(kernel_json("{\"axis\": \"hidden\"", "{\"axis_offset\": \"hidden\"")),
              HasSubstr("along which the stage is not split"));
}

TEST(KernelRecord, RefusesPlacesOutsideVulkan) {
  EXPECT_THAT(error_of(kernel_json("{\"tensor\": \"x\"}", "{\"tensor\": \"x\", \"binding\": 0}")),
              HasSubstr("has a binding or push offset, which c++ has not"));
}

TEST(KernelRecord, RefusesVulkanArgumentsWithoutPlace) {
  EXPECT_THAT(error_of(kernel_json("\"c++\"", "\"glsl\"")),
              HasSubstr("does not have exactly one of binding and push"));
}

TEST(KernelRecord, RefusesHiddenArgumentsOutsideAmdgcn) {
  EXPECT_THAT(error_of(kernel_json("{\"tensor\": \"x\"}", "{\"hidden\": \"grid_dims\"}")),
              HasSubstr("is hidden, which c++ has not"));
}

TEST(KernelRecord, RefusesDefaultsOutsideTheDomain) {
  EXPECT_THAT(error_of(kernel_json("\"default\": 2", "\"default\": 3")),
              HasSubstr("/parameters/0/default is 3, which is not in the domain (1, 2)"));
}

TEST(KernelRecord, RefusesTwoThingsOfOneName) {
  EXPECT_THAT(error_of(kernel_json("\"CHUNK\", \"kind\"", "\"ROWS\", \"kind\"")),
              HasSubstr("/parameters has two elements named \"ROWS\""));
}

TEST(KernelRecord, RefusesAlignmentsThatAreNoPowerOfTwo) {
  EXPECT_THAT(error_of(kernel_json("\"alignment_bytes\": 64", "\"alignment_bytes\": 48")),
              HasSubstr("/workspace/0/alignment_bytes is 48, no power of two"));
}

}  // namespace
}  // namespace halyard::store
