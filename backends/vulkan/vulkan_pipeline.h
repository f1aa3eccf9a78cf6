// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_handle.h"
#include "backends/vulkan/vulkan_kept_object.h"
#include "backends/vulkan/vulkan_spirv.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/executable.h"

#include <cstdint>
#include <string>
#include <vector>

namespace halyard::vulkan {

// The most that one stage may have; room for them lies on the stack of a dispatch.
inline constexpr std::uint32_t kMaxBindings = 32;
inline constexpr std::uint32_t kMaxPushBytes = 256;

enum class ArgumentKind : std::uint32_t { kBinding, kAddress, kValue };

// Where one argument goes: a place in the list of bound buffers, or a byte of the push constants.
struct ArgumentPlace {
  ArgumentKind kind = ArgumentKind::kValue;
  std::uint32_t position = 0;
  std::uint32_t size_bytes = 0;  // push constants
};

// How the arguments of a stage reach its shader.
struct ArgumentPlan {
  std::vector<ArgumentPlace> places;    // in the order of the arguments
  std::vector<std::uint32_t> bindings;  // numbers, ascending
  std::uint32_t push_bytes = 0;
  bool has_push_gaps = false;  // bytes below push_bytes that no argument fills
};

// INVALID_ARGUMENT for a layout that cannot be, UNSUPPORTED for one past the device's limits.
base::Result<ArgumentPlan> plan_arguments(const VulkanConnection& connection,
                                          const core::StageDesc& stage);

// One stage of a kernel, compiled. Holds no device, so that work in flight does not keep its
// device alive. Immutable.
class VulkanPipeline final : public KeptObject {
 public:
  static base::Result<base::Ref<VulkanPipeline>> create(VulkanConnection& connection,
                                                        VkPipelineCache cache,
                                                        VkShaderModule shader,
                                                        const SpirvModule& module,
                                                        const core::StageDesc& stage);

  VkPipeline handle() const { return pipeline_.get(); }
  VkPipelineLayout layout() const { return layout_.get(); }
  VkDescriptorSetLayout set_layout() const { return set_layout_.get(); }
  // Writes an array of VkDescriptorBufferInfo, one for each binding, into a set or the stream.
  VkDescriptorUpdateTemplate update_template() const { return template_.get(); }
  bool pushes_descriptors() const { return pushes_descriptors_; }
  const ArgumentPlan& plan() const { return plan_; }

 private:
  VulkanPipeline() = default;

  base::Status create_layout(VulkanConnection& connection);
  base::Status create_template(VulkanConnection& connection);

  ArgumentPlan plan_;
  bool pushes_descriptors_ = false;
  DescriptorSetLayoutHandle set_layout_;
  PipelineLayoutHandle layout_;
  DescriptorTemplateHandle template_;
  PipelineHandle pipeline_;
};

}  // namespace halyard::vulkan
