// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/amdgpu_metadata.h"

#include "capability-descriptors/object/amdgpu_object.h"
#include "runtime/base/json.h"
#include "tests/unit/capability-descriptors/object/compiled_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace halyard::object {
namespace {

using testing::kernel_bytes;

TEST(AmdgpuMetadata, CompiledKernelHasItsArguments) {
  const std::string bytes = kernel_bytes("matrix", "gfx1100");
  const auto object = parse_amdgpu_object(bytes, "matrix");
  ASSERT_TRUE(object) << object.error().message();
  ASSERT_TRUE(object->metadata);
  EXPECT_EQ(object->metadata->target, "amdgcn-amd-amdhsa--gfx1100");
  const auto& kernels = object->metadata->kernels;
  const auto plain = std::find_if(kernels.begin(), kernels.end(),
                                  [](const KernelMetadata& k) { return k.name == "gemm_plain"; });
  ASSERT_NE(plain, kernels.end());
  EXPECT_EQ(plain->symbol, "gemm_plain.kd");
  EXPECT_EQ(plain->kernarg_segment_bytes, 36U);
  EXPECT_EQ(plain->kernarg_segment_alignment, 8U);
  EXPECT_EQ(plain->wavefront_size, 32U);
  EXPECT_EQ(plain->max_flat_workgroup_size, 1024U);
  EXPECT_GT(plain->vgpr_count, 0U);
  EXPECT_FALSE(plain->required_workgroup_size);
  ASSERT_EQ(plain->arguments.size(), 6U);
  EXPECT_EQ(plain->arguments[1].value_kind, "global_buffer");
  EXPECT_EQ(plain->arguments[1].address_space, "global");
  EXPECT_EQ(plain->arguments[1].offset, 8U);
  EXPECT_EQ(plain->arguments[5].value_kind, "by_value");
  EXPECT_EQ(plain->arguments[5].offset, 32U);
  EXPECT_EQ(plain->arguments[5].size_bytes, 4U);
}

TEST(AmdgpuMetadata, RequiredWorkgroupSizeIsRead) {
  const std::string bytes =
      "\x81\xae"
      "amdhsa.kernels\x91\x83\xa5.name\xa1k\xa7.symbol\xa4k.kd\xb4.reqd_workgroup_size"
      "\x93\x08\x04\x01";
  const auto metadata = parse_amdgpu_metadata(bytes, "note");
  ASSERT_TRUE(metadata) << metadata.error().message();
  const std::array<std::uint32_t, 3> expected = {8, 4, 1};
  EXPECT_EQ(metadata->kernels.at(0).required_workgroup_size, expected);
}

TEST(AmdgpuMetadata, MemberOfAWrongKindIsNamed) {
  const auto metadata = parse_amdgpu_metadata(
      "\x81\xae"
      "amdhsa.kernels\x91\x81\xa5.name\x07",
      "note");
  ASSERT_FALSE(metadata);
  EXPECT_EQ(metadata.error().message(), "note: /amdhsa.kernels/0/.name is a number, not a string.");
}

TEST(AmdgpuMetadata, TextIsYaml) {
  const auto document = base::parse_json(
      R"json({"amdhsa.kernels": [{".args": [{".offset": 8, ".size": 4}, 7],)json"
      R"json( ".name": "f<int>(a: b)", ".empty": [], ".flag": false, ".word": "true",)json"
      R"json( ".bytes": "a\u0001\"\u00e9"}], "amdhsa.version": [1, 2]})json",
      "test");
  ASSERT_TRUE(document) << document.error().message();
  EXPECT_EQ(metadata_text(*document),
            "amdhsa.kernels:\n"
            "  - .args:\n"
            "      - .offset: 8\n"
            "        .size: 4\n"
            "      - 7\n"
            "    .name: \"f<int>(a: b)\"\n"
            "    .empty: []\n"
            "    .flag: false\n"
            "    .word: \"true\"\n"
            "    .bytes: \"a\\x01\\\"\\xc3\\xa9\"\n"
            "amdhsa.version:\n"
            "  - 1\n"
            "  - 2\n");
}

}  // namespace
}  // namespace halyard::object
