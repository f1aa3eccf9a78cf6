// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_pipeline.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace halyard::vulkan {
namespace {

base::Error invalid(std::string message) {
  return base::Error(base::ErrorCode::kInvalidArgument, std::move(message));
}

base::Error unsupported(std::string message) {
  return base::Error(base::ErrorCode::kUnsupported, std::move(message));
}

base::Status check_block(const VulkanTraits& traits, const core::StageDesc& stage) {
  const VkPhysicalDeviceLimits& limits = traits.properties.limits;
  std::uint64_t lanes = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t size = stage.block[i];
    if (size > limits.maxComputeWorkGroupSize[i]) {
      return unsupported(base::concat("A workgroup of ", size, " lanes in dimension ", i,
                                      " is larger than the device's ",
                                      limits.maxComputeWorkGroupSize[i], "."));
    }
    lanes *= size;
  }
  if (lanes > limits.maxComputeWorkGroupInvocations) {
    return unsupported(base::concat("A workgroup of ", lanes, " lanes is larger than the device's ",
                                    limits.maxComputeWorkGroupInvocations, "."));
  }
  return base::ok();
}

// The bytes of the constants that the module has, and where each lies.
struct Constants {
  std::vector<VkSpecializationMapEntry> entries;
  std::vector<std::byte> bytes;
};

base::Result<Constants> lay_out_constants(const SpirvModule& module, const core::StageDesc& stage) {
  Constants constants;
  for (const core::SpecializationConstant& constant : stage.constants) {
    const auto known = module.constant_sizes.find(constant.id);
    if (known == module.constant_sizes.end()) continue;
    const std::uint32_t size = known->second;
    const std::int64_t value = constant.value;
    const std::int64_t range = size >= 8 ? 0 : std::int64_t{1} << (8 * size);
    if (size < 8 && (value >= range || value < -range / 2)) {
      return invalid(base::concat("The value ", value, " of specialisation constant ", constant.id,
                                  " does not fit its ", size, " bytes."));
    }
    constants.entries.push_back(
        {constant.id, static_cast<std::uint32_t>(constants.bytes.size()), size});
    const auto source = std::as_bytes(std::span(&value, 1)).first(size);
    constants.bytes.insert(constants.bytes.end(), source.begin(), source.end());
  }
  return constants;
}

// Whether the driver must be told the subgroup size that the stage needs.
base::Result<bool> needs_subgroup_request(const VulkanTraits& traits,
                                          const core::StageDesc& stage) {
  if (!stage.subgroup_size) return false;
  const std::uint32_t size = *stage.subgroup_size;
  if (!traits.controls_subgroup_size()) {
    if (size == traits.properties11.subgroupSize) return false;
    return unsupported(base::concat("The stage needs subgroups of ", size,
                                    " lanes, and the device has only ",
                                    traits.properties11.subgroupSize, "."));
  }
  const VkPhysicalDeviceSubgroupSizeControlProperties& control = traits.subgroup_size;
  const bool is_power = size != 0 && (size & (size - 1)) == 0;
  if (!is_power || size < control.minSubgroupSize || size > control.maxSubgroupSize) {
    return unsupported(base::concat("The stage needs subgroups of ", size,
                                    " lanes, and the device has powers of two from ",
                                    control.minSubgroupSize, " to ", control.maxSubgroupSize, "."));
  }
  const std::uint64_t lanes = std::uint64_t{stage.block[0]} * stage.block[1] * stage.block[2];
  if (lanes > std::uint64_t{size} * control.maxComputeWorkgroupSubgroups) {
    return unsupported(base::concat("A workgroup of ", lanes, " lanes has more than the device's ",
                                    control.maxComputeWorkgroupSubgroups, " subgroups of ", size,
                                    "."));
  }
  return true;
}

base::Result<PipelineHandle> compile(VulkanConnection& connection, VkPipelineCache cache,
                                     VkPipelineLayout layout,
                                     const VkPipelineShaderStageCreateInfo& shader) {
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage = shader;
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  HALYARD_TRY(connection.check(connection.api().vkCreateComputePipelines(
                                   connection.device(), cache, 1, &info, nullptr, &pipeline),
                               "vkCreateComputePipelines"));
  return PipelineHandle(connection, pipeline);
}

base::Result<ArgumentPlace> place_argument(const VulkanConnection& connection,
                                           const core::ArgumentLayout& argument, std::size_t index,
                                           std::uint32_t push_limit) {
  if (argument.is_buffer && argument.binding) return ArgumentPlace{ArgumentKind::kBinding, 0, 0};
  if (!argument.push) {
    return invalid(base::concat("Argument ", index, " has neither binding nor push offset."));
  }
  if (argument.is_buffer && !connection.has_device_addresses()) {
    return unsupported(base::concat("Argument ", index, " is a device address, which ",
                                    connection.name(), " does not have."));
  }
  const std::uint32_t size = argument.is_buffer ? 8 : argument.size_bytes;
  if ((size != 4 && size != 8) || *argument.push % 4 != 0) {
    return invalid(base::concat("Argument ", index, " has ", size, " bytes at push offset ",
                                *argument.push, "; 4 or 8 bytes at a multiple of 4 are possible."));
  }
  if (*argument.push > push_limit || size > push_limit - *argument.push) {
    return unsupported(base::concat("Argument ", index, " has ", size, " bytes at push offset ",
                                    *argument.push, ", past the device's ", push_limit, " bytes."));
  }
  return ArgumentPlace{argument.is_buffer ? ArgumentKind::kAddress : ArgumentKind::kValue,
                       *argument.push, size};
}

}  // namespace

base::Result<ArgumentPlan> plan_arguments(const VulkanConnection& connection,
                                          const core::StageDesc& stage) {
  const VkPhysicalDeviceLimits& limits = connection.traits().properties.limits;
  const std::uint32_t push_limit = std::min(limits.maxPushConstantsSize, kMaxPushBytes);
  ArgumentPlan plan;
  std::uint32_t filled_bytes = 0;
  for (const core::ArgumentLayout& argument : stage.arguments) {
    HALYARD_TRY_ASSIGN(const ArgumentPlace place,
                       place_argument(connection, argument, plan.places.size(), push_limit));
    plan.places.push_back(place);
    if (place.kind == ArgumentKind::kBinding) {
      plan.bindings.push_back(*argument.binding);
    } else {
      filled_bytes += place.size_bytes;
      plan.push_bytes = std::max(plan.push_bytes, place.position + place.size_bytes);
    }
  }
  plan.has_push_gaps = filled_bytes != plan.push_bytes;
  std::sort(plan.bindings.begin(), plan.bindings.end());
  const auto twice = std::adjacent_find(plan.bindings.begin(), plan.bindings.end());
  if (twice != plan.bindings.end()) {
    return invalid(base::concat("Binding ", *twice, " is given to two arguments."));
  }
  const std::uint32_t binding_limit =
      std::min(limits.maxPerStageDescriptorStorageBuffers, kMaxBindings);
  if (plan.bindings.size() > binding_limit) {
    return unsupported(base::concat("The stage binds ", plan.bindings.size(),
                                    " buffers, more than the ", binding_limit, " possible."));
  }
  for (std::size_t i = 0; i < plan.places.size(); ++i) {
    if (plan.places[i].kind != ArgumentKind::kBinding) continue;
    const auto at =
        std::lower_bound(plan.bindings.begin(), plan.bindings.end(), *stage.arguments[i].binding);
    plan.places[i].position = static_cast<std::uint32_t>(at - plan.bindings.begin());
  }
  return plan;
}

base::Result<base::Ref<VulkanPipeline>> VulkanPipeline::create(VulkanConnection& connection,
                                                               VkPipelineCache cache,
                                                               VkShaderModule shader,
                                                               const SpirvModule& module,
                                                               const core::StageDesc& stage) {
  if (std::find(module.entries.begin(), module.entries.end(), stage.entry) ==
      module.entries.end()) {
    return base::Error(base::ErrorCode::kNotFound,
                       base::concat("The module has no compute shader \"", stage.entry,
                                    "\"; it has \"", base::join(module.entries, "\", \""), "\"."));
  }
  const VulkanTraits& traits = connection.traits();
  HALYARD_TRY(check_block(traits, stage));
  HALYARD_TRY_ASSIGN(const Constants constants, lay_out_constants(module, stage));
  HALYARD_TRY_ASSIGN(const bool requests_size, needs_subgroup_request(traits, stage));
  auto pipeline = base::Ref<VulkanPipeline>::adopt(new VulkanPipeline());
  HALYARD_TRY_ASSIGN(pipeline->plan_, plan_arguments(connection, stage));
  HALYARD_TRY(pipeline->create_layout(connection));
  HALYARD_TRY(pipeline->create_template(connection));

  VkSpecializationInfo specialization{};
  specialization.mapEntryCount = static_cast<std::uint32_t>(constants.entries.size());
  specialization.pMapEntries = constants.entries.data();
  specialization.dataSize = constants.bytes.size();
  specialization.pData = constants.bytes.data();
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup{};
  subgroup.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
  VkPipelineShaderStageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.module = shader;
  info.pName = stage.entry.c_str();
  if (!constants.entries.empty()) info.pSpecializationInfo = &specialization;
  if (requests_size) {
    subgroup.requiredSubgroupSize = *stage.subgroup_size;
    info.pNext = &subgroup;
    const bool fills = stage.block[0] % *stage.subgroup_size == 0;
    if (fills && traits.features13.computeFullSubgroups == VK_TRUE) {
      info.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    }
  }
  HALYARD_TRY_ASSIGN(pipeline->pipeline_, compile(connection, cache, pipeline->layout(), info));
  return pipeline;
}

base::Status VulkanPipeline::create_layout(VulkanConnection& connection) {
  const DeviceApi& api = connection.api();
  pushes_descriptors_ =
      connection.has_push_descriptors() && !plan_.bindings.empty() &&
      plan_.bindings.size() <= connection.traits().push_descriptor.maxPushDescriptors;
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (const std::uint32_t binding : plan_.bindings) {
    bindings.push_back(
        {binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  }
  VkDescriptorSetLayoutCreateInfo set{};
  set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  if (pushes_descriptors_) {
    set.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
  }
  set.bindingCount = static_cast<std::uint32_t>(bindings.size());
  set.pBindings = bindings.data();
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  HALYARD_TRY(connection.check(
      api.vkCreateDescriptorSetLayout(connection.device(), &set, nullptr, &set_layout),
      "vkCreateDescriptorSetLayout"));
  set_layout_ = DescriptorSetLayoutHandle(connection, set_layout);

  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, plan_.push_bytes};
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = 1;
  info.pSetLayouts = &set_layout;
  info.pushConstantRangeCount = plan_.push_bytes == 0 ? 0 : 1;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  HALYARD_TRY(
      connection.check(api.vkCreatePipelineLayout(connection.device(), &info, nullptr, &layout),
                       "vkCreatePipelineLayout"));
  layout_ = PipelineLayoutHandle(connection, layout);
  return base::ok();
}

base::Status VulkanPipeline::create_template(VulkanConnection& connection) {
  if (plan_.bindings.empty()) return base::ok();
  std::vector<VkDescriptorUpdateTemplateEntry> entries;
  for (const std::uint32_t binding : plan_.bindings) {
    entries.push_back({binding, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                       entries.size() * sizeof(VkDescriptorBufferInfo),
                       sizeof(VkDescriptorBufferInfo)});
  }
  VkDescriptorUpdateTemplateCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO;
  info.descriptorUpdateEntryCount = static_cast<std::uint32_t>(entries.size());
  info.pDescriptorUpdateEntries = entries.data();
  info.templateType = pushes_descriptors_ ? VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR
                                          : VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET;
  info.descriptorSetLayout = set_layout_.get();
  info.pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
  info.pipelineLayout = layout_.get();
  info.set = 0;
  VkDescriptorUpdateTemplate update = VK_NULL_HANDLE;
  HALYARD_TRY(connection.check(connection.api().vkCreateDescriptorUpdateTemplate(
                                   connection.device(), &info, nullptr, &update),
                               "vkCreateDescriptorUpdateTemplate"));
  template_ = DescriptorTemplateHandle(connection, update);
  return base::ok();
}

}  // namespace halyard::vulkan
