// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/vulkan/vulkan_fixture.h"
#include "tests/unit/backends/vulkan/vulkan_interposer.h"

#include <array>
#include <bit>

namespace halyard::vulkan {
namespace {

class VulkanExecutableTest : public VulkanFixture {
 protected:
  void expect_refused(const std::string& shader, core::StageDesc stage, base::ErrorCode code,
                      const std::string& part) {
    const auto executable = try_load(shader, std::move(stage));
    ASSERT_FALSE(executable);
    EXPECT_EQ(executable.error().code(), code);
    EXPECT_NE(executable.error().message().find(part), std::string::npos)
        << executable.error().message();
  }
};

TEST_F(VulkanExecutableTest, ConstantsReachTheShader) {
  core::StageDesc stage = scale_stage();
  stage.constants = {{0, 32}, {1, std::bit_cast<std::int32_t>(0.5F)}, {2, 1}, {77, 9}};
  stage.block = {32, 1, 1};
  const auto executable = load("scale", stage);
  const auto x = make_buffer(std::vector<float>(32, 3.0F));
  const auto y = make_buffer(128);
  const auto queue = make_queue();
  ASSERT_TRUE(scale(*queue, *executable, *x, *y, 2.0F));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(contents<float>(*y), std::vector<float>(32, -5.5F));
}

TEST_F(VulkanExecutableTest, SubgroupSizeOfTheDeviceIsTaken) {
  const auto size = static_cast<std::uint32_t>(
      device().capabilities().number(core::CapabilityKey::kSubgroupSize).value_or(0));
  core::StageDesc stage = subgroup_stage();
  stage.subgroup_size = size;
  const auto executable = load("subgroup", stage);
  const auto result = make_buffer(std::vector<std::uint32_t>(2, 0));
  const auto queue = make_queue();
  const std::array arguments = {whole(*result)};
  ASSERT_TRUE(queue->dispatch({executable.get(), 0, {1, 1, 1}, arguments}));
  ASSERT_TRUE(queue->synchronize(kForEver));
  EXPECT_EQ(contents<std::uint32_t>(*result), (std::vector<std::uint32_t>{size, size}));
}

TEST_F(VulkanExecutableTest, SubgroupSizeOfNoDeviceIsUnsupported) {
  core::StageDesc stage = subgroup_stage();
  stage.subgroup_size = 3;
  expect_refused("subgroup", stage, base::ErrorCode::kUnsupported,
                 "The stage needs subgroups of 3 lanes");
}

TEST_F(VulkanExecutableTest, MissingEntryListsWhatThereIs) {
  core::StageDesc stage = scale_stage();
  stage.entry = "scale";
  expect_refused("scale", stage, base::ErrorCode::kNotFound,
                 "While loading \"scale\" on vulkan:0: The module has no compute shader \"scale\"; "
                 "it has \"main\".");
}

TEST_F(VulkanExecutableTest, LayoutThatCannotBeIsInvalid) {
  core::StageDesc twice = scale_stage();
  twice.arguments[1].binding = 0;
  expect_refused("scale", twice, base::ErrorCode::kInvalidArgument,
                 "Binding 0 is given to two arguments.");
  core::StageDesc nowhere = scale_stage();
  nowhere.arguments[2].push.reset();
  expect_refused("scale", nowhere, base::ErrorCode::kInvalidArgument,
                 "Argument 2 has neither binding nor push offset.");
  core::StageDesc crooked = scale_stage();
  crooked.arguments[2].push = 2;
  expect_refused("scale", crooked, base::ErrorCode::kInvalidArgument,
                 "Argument 2 has 4 bytes at push offset 2");
}

TEST_F(VulkanExecutableTest, LimitsOfTheDeviceAreUnsupported) {
  core::StageDesc far = scale_stage();
  far.arguments[2].push = 1 << 20;
  expect_refused("scale", far, base::ErrorCode::kUnsupported, "past the device's");
  core::StageDesc wide = scale_stage();
  wide.block = {1U << 30, 1, 1};
  expect_refused("scale", wide, base::ErrorCode::kUnsupported, "A workgroup of 1073741824 lanes");
}

TEST_F(VulkanExecutableTest, ConstantThatDoesNotFitIsInvalid) {
  core::StageDesc stage = scale_stage();
  stage.constants = {{0, std::int64_t{1} << 32}};
  expect_refused("scale", stage, base::ErrorCode::kInvalidArgument,
                 "The value 4294967296 of specialisation constant 0 does not fit its 4 bytes.");
}

TEST_F(VulkanExecutableTest, NewerSpirvIsUnsupported) {
  auto code = shader_code("scale");
  code[6] = std::byte{9};
  code[5] = std::byte{9};
  const auto executable = device_->load_executable({"new", "spirv-9.9", code, {scale_stage()}});
  ASSERT_FALSE(executable);
  EXPECT_EQ(executable.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_NE(executable.error().message().find("The module is SPIR-V 9.9, newer than"),
            std::string::npos);
}

TEST_F(VulkanExecutableTest, WrongArgumentCountIsNamed) {
  const auto executable = load("scale", scale_stage());
  const auto status = make_queue()->dispatch({executable.get(), 0, {1, 1, 1}, {}});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(), "A stage of \"scale\" takes 4 arguments, not 0.");
  EXPECT_EQ(make_queue()->dispatch({executable.get(), 4, {1, 1, 1}, {}}).error().message(),
            "Stage 4 is past the 1 of \"scale\".");
}

class VulkanWithoutPushDescriptors : public VulkanFixture {
 protected:
  VulkanWithoutPushDescriptors() : VulkanFixture(&VulkanInterposer::load) {
    interposer_.hide("vkCmdPushDescriptorSetWithTemplateKHR");
  }
  ~VulkanWithoutPushDescriptors() override { device_ = {}; }

  VulkanInterposer interposer_;
};

TEST_F(VulkanWithoutPushDescriptors, SetsOfPoolsDoTheSame) {
  const auto executable = load("scale", scale_stage());
  const auto x = make_buffer(std::vector<float>(64, 1.0F));
  const auto y = make_buffer(256);
  const auto queue = make_queue();
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 300; ++i)
      ASSERT_TRUE(scale(*queue, *executable, *x, *y, static_cast<float>(i)));
    ASSERT_TRUE(queue->synchronize(kForEver));
    EXPECT_EQ(contents<float>(*y), std::vector<float>(64, 299.0F));
  }
}

}  // namespace
}  // namespace halyard::vulkan
