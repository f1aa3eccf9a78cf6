// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_executable.h"

#include "backends/vulkan/vulkan_spirv.h"
#include "runtime/base/text.h"

#include <string>
#include <utility>

namespace halyard::vulkan {
namespace {

// As the header of a module has it.
std::uint32_t newest_spirv(const VulkanTraits& traits) {
  return traits.offers(VK_API_VERSION_1_3) ? 0x00010600 : 0x00010500;
}

std::string spirv_version_text(std::uint32_t version) {
  return base::concat(version >> 16 & 0xffU, '.', version >> 8 & 0xffU);
}

base::Result<ShaderModuleHandle> create_shader(VulkanConnection& connection,
                                               const SpirvModule& module) {
  const std::uint32_t newest = newest_spirv(connection.traits());
  if (module.version > newest) {
    return base::Error(base::ErrorCode::kUnsupported,
                       base::concat("The module is SPIR-V ", spirv_version_text(module.version),
                                    ", newer than the ", spirv_version_text(newest), " of ",
                                    connection.name(), "."));
  }
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = module.words.size() * sizeof(std::uint32_t);
  info.pCode = module.words.data();
  VkShaderModule shader = VK_NULL_HANDLE;
  HALYARD_TRY(connection.check(
      connection.api().vkCreateShaderModule(connection.device(), &info, nullptr, &shader),
      "vkCreateShaderModule"));
  return ShaderModuleHandle(connection, shader);
}

base::Result<std::vector<base::Ref<VulkanPipeline>>> create_pipelines(
    VulkanOpenDevice& open, const core::ExecutableDesc& desc) {
  HALYARD_TRY_ASSIGN(const SpirvModule module, read_spirv(desc.code));
  HALYARD_TRY_ASSIGN(const ShaderModuleHandle shader, create_shader(open.connection(), module));
  std::vector<base::Ref<VulkanPipeline>> pipelines;
  for (const core::StageDesc& stage : desc.stages) {
    HALYARD_TRY_ASSIGN(base::Ref<VulkanPipeline> pipeline,
                       VulkanPipeline::create(open.connection(), open.pipeline_cache().handle(),
                                              shader.get(), module, stage));
    pipelines.push_back(std::move(pipeline));
  }
  return pipelines;
}

}  // namespace

VulkanExecutable::VulkanExecutable(VulkanDevice& device, const core::ExecutableDesc& desc,
                                   std::vector<base::Ref<VulkanPipeline>> pipelines)
    : core::Executable(device, desc),
      pipelines_(std::move(pipelines)) {}

base::Result<base::Ref<VulkanExecutable>> VulkanExecutable::create(
    VulkanDevice& device, VulkanOpenDevice& open, const core::ExecutableDesc& desc) {
  auto pipelines = create_pipelines(open, desc);
  if (!pipelines) {
    return std::move(pipelines.error())
        .with_context(base::concat("loading \"", desc.name, "\" on ", device.info().id));
  }
  return base::Ref<VulkanExecutable>::adopt(
      new VulkanExecutable(device, desc, std::move(*pipelines)));
}

}  // namespace halyard::vulkan
