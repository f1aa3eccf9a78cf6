// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_spirv.h"

#include "tests/unit/backends/vulkan/vulkan_fixture.h"

namespace halyard::vulkan {
namespace {

class VulkanSpirv : public VulkanFixture {
 protected:
  void SetUp() override {}
};

TEST_F(VulkanSpirv, EntriesAndConstantsAreRead) {
  const SpirvModule module = unwrap(read_spirv(shader_code("scale")));
  EXPECT_EQ(module.version, 0x00010500U);
  EXPECT_EQ(module.entries, std::vector<std::string>{"main"});
  EXPECT_EQ(module.constant_sizes,
            (std::map<std::uint32_t, std::uint32_t>{{0, 4}, {1, 4}, {2, 4}}));
}

TEST_F(VulkanSpirv, SizeThatIsNoWholeWordIsCorrupt) {
  auto code = shader_code("scale");
  code.pop_back();
  const auto module = read_spirv(code);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_FALSE(read_spirv(std::span(code).first(16)));
  EXPECT_FALSE(read_spirv({}));
}

TEST_F(VulkanSpirv, WrongMagicNumberIsCorrupt) {
  auto code = shader_code("scale");
  code[0] = std::byte{0};
  EXPECT_NE(read_spirv(code).error().message().find("magic number 119734787"), std::string::npos);
}

TEST_F(VulkanSpirv, InstructionPastTheEndIsCorrupt) {
  auto code = shader_code("scale");
  code[22] = std::byte{0xff};
  code[23] = std::byte{0xff};
  EXPECT_NE(read_spirv(code).error().message().find("instruction at word 5 has 65535 words"),
            std::string::npos);
}

}  // namespace
}  // namespace halyard::vulkan
