// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/file_kind.h"

#include "runtime/base/file.h"
#include "tests/test_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace halyard::services {
namespace {

std::string kind_of(std::string_view bytes) {
  const auto kind = tell_file_kind(bytes, "x");
  return kind ? file_kind_name(*kind) : kind.error().message();
}

TEST(FileKind, FirstBytesTellXmlAndArchives) {
  EXPECT_EQ(kind_of("\xef\xbb\xbf\n <Spec>"), "AMD's ISA XML");
  EXPECT_EQ(kind_of(std::string_view("\xff\xfe<\0", 4)), "AMD's ISA XML");
  EXPECT_EQ(kind_of(std::string_view("<\0S\0p\0", 6)), "AMD's ISA XML");
  EXPECT_EQ(kind_of("PK\x03\x04..."), "a zip archive");
}

TEST(FileKind, MembersTellDocumentsApart) {
  EXPECT_EQ(kind_of(R"({"format": "halyard.descriptor/1"})"), "a descriptor");
  EXPECT_EQ(kind_of(R"({"format": "halyard.instruction_set/1"})"), "an instruction set");
  EXPECT_EQ(kind_of(R"({"magic_number": "0x07230203", "instructions": [], "operand_kinds": []})"),
            "a SPIR-V grammar");
  EXPECT_EQ(kind_of(R"({"$schema": "", "profiles": {}, "capabilities": {}})"),
            "a Khronos Vulkan profile");
  EXPECT_EQ(kind_of(R"({"environment": {}, "properties": {}, "queues": [], "memory": {}})"),
            "a report of vulkan.gpuinfo.org");
}

TEST(FileKind, AnythingElseIsRefusedWithTheFile) {
  EXPECT_EQ(kind_of(""), "The file x is empty.");
  EXPECT_EQ(kind_of("\x7f"
                    "ELF"),
            "The file x is neither XML, JSON nor a zip archive.");
  EXPECT_EQ(kind_of(R"({"format": "halyard.kernel/1"})"),
            "x: /format is \"halyard.kernel/1\", neither a descriptor nor an instruction set.");
  EXPECT_EQ(
      kind_of("[]"),
      "x is JSON, but no descriptor, instruction set, Vulkan report, Vulkan profile or SPIR-V "
      "grammar.");
  EXPECT_THAT(kind_of(R"({"format": )"), ::testing::StartsWith("x:1:"));
}

TEST(FileKind, RealVulkanReportsAreKnown) {
  const auto data = halyard::testing::test_data("reports of real devices are not told apart");
  if (!data) return;
  int reports = 0;
  int profiles = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*data / "vulkan-reports")) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().filename().string();
    const auto text = base::read_text_file(entry.path().string(), std::size_t{16} << 20);
    ASSERT_TRUE(text) << name;
    const auto kind = tell_file_kind(*text, name);
    ASSERT_TRUE(kind) << kind.error().message();
    const bool profile = name.starts_with("vp_");
    EXPECT_EQ(*kind, profile ? FileKind::kVulkanProfile : FileKind::kVulkanReport) << name;
    ++(profile ? profiles : reports);
  }
  EXPECT_EQ(reports, 13);
  EXPECT_EQ(profiles, 2);
}

}  // namespace
}  // namespace halyard::services
