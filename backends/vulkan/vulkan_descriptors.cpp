// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_descriptors.h"

#include "backends/vulkan/vulkan_pipeline.h"

namespace halyard::vulkan {
namespace {

constexpr std::uint32_t kSetsOfPool = 64;
constexpr std::uint32_t kBuffersOfPool = kSetsOfPool * 8;
static_assert(kBuffersOfPool >= kMaxBindings);

}  // namespace

base::Result<VkDescriptorSet> DescriptorArena::allocate(VkDescriptorSetLayout layout) {
  const DeviceApi& api = connection_->api();
  VkDescriptorSetAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout;
  while (true) {
    const bool is_fresh = current_ == pools_.size();
    if (is_fresh) HALYARD_TRY(add_pool());
    info.descriptorPool = pools_[current_].get();
    VkDescriptorSet set = VK_NULL_HANDLE;
    const VkResult result = api.vkAllocateDescriptorSets(connection_->device(), &info, &set);
    if (result == VK_SUCCESS) return set;
    const bool is_full =
        result == VK_ERROR_OUT_OF_POOL_MEMORY || result == VK_ERROR_FRAGMENTED_POOL;
    if (!is_full || is_fresh) return connection_->failure(result, "vkAllocateDescriptorSets");
    ++current_;
  }
}

void DescriptorArena::reset() {
  for (const DescriptorPoolHandle& pool : pools_)
    connection_->api().vkResetDescriptorPool(connection_->device(), pool.get(), 0);
  current_ = 0;
}

base::Status DescriptorArena::add_pool() {
  VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kBuffersOfPool};
  VkDescriptorPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.maxSets = kSetsOfPool;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  HALYARD_TRY(connection_->check(
      connection_->api().vkCreateDescriptorPool(connection_->device(), &info, nullptr, &pool),
      "vkCreateDescriptorPool"));
  pools_.emplace_back(*connection_, pool);
  return base::ok();
}

}  // namespace halyard::vulkan
