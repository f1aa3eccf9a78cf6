// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/conformance.h"

#include "tests/unit/runtime/verification/conformance/test_bytes.h"

#include <gmock/gmock.h>

namespace halyard::verification {
namespace {

using testing::bundled_builds;
using testing::file_bytes;
using ::testing::HasSubstr;
using testing::sentences;

// The check follows from the target, and what it is held against from kernel.json.
TEST(Conformance, BundledBuildsPassByTheirTargets) {
  std::size_t count = 0;
  for (const std::string_view extension : {".so", ".spv"}) {
    for (const auto& path : bundled_builds(extension)) {
      const auto record =
          store::parse_kernel_record(file_bytes(path.parent_path() / "kernel.json"), "kernel.json");
      ASSERT_TRUE(record) << record.error().message();
      const std::string bytes = file_bytes(path);
      CodeUnderTest code;
      code.record = &*record;
      code.target = extension == ".so" ? "x86_64-v3" : "spirv-1.5";
      code.bytes = bytes;
      code.is_foreign = false;
      EXPECT_EQ(sentences(check_code(code)), "") << path;
      ++count;
    }
  }
  EXPECT_GT(count, 150U);
}

TEST(Conformance, EachTargetHasItsCheck) {
  store::KernelRecord record;
  record.name = "saxpy";
  CodeUnderTest code;
  code.record = &record;
  code.bytes = "nothing";
  const auto judged = [&](std::string_view target) {
    code.target = target;
    return sentences(check_code(code));
  };
  EXPECT_THAT(judged("x86_64-v2"), HasSubstr("(7 bytes) does not start as an ELF file."));
  EXPECT_THAT(judged("amdgcn-gfx942"), HasSubstr("is no code object that can be read ("));
  EXPECT_THAT(judged("spirv-1.6"), HasSubstr("has 7 bytes, not a multiple of 4"));
  EXPECT_THAT(judged("ptx-8.0/sm_80"), HasSubstr("has PTX version \"\", which is none like 8.0."));
  EXPECT_THAT(judged("nvsass-sm_90"),
              HasSubstr("is for target \"nvsass-sm_90\", whose code cannot be checked before it is "
                        "loaded."));
}

TEST(Conformance, ConstantsFollowTheParameters) {
  for (const auto& path : bundled_builds(".spv")) {
    const auto record =
        store::parse_kernel_record(file_bytes(path.parent_path() / "kernel.json"), "kernel.json");
    ASSERT_TRUE(record);
    const std::string bytes = file_bytes(path);
    CodeUnderTest code;
    code.record = &*record;
    code.target = "spirv-1.5";
    code.bytes = bytes;
    code.is_foreign = false;
    for (const store::KernelParameter& parameter : record->parameters)
      code.parameters[parameter.name] = parameter.domain.back();
    EXPECT_EQ(sentences(check_code(code)), "") << path;
  }
}

}  // namespace
}  // namespace halyard::verification
