// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_connection.h"

#include <utility>

namespace halyard::vulkan {

// Owns one object of a VkDevice. `Destroy` is the member of DeviceApi that ends it. The
// connection is borrowed and outlives the handle. In a forked child the object is left to the
// parent.
template <typename T, auto Destroy>
class VulkanHandle {
 public:
  VulkanHandle() = default;
  VulkanHandle(const VulkanConnection& connection, T handle)
      : connection_(&connection),
        handle_(handle) {}
  VulkanHandle(VulkanHandle&& other) noexcept
      : connection_(other.connection_),
        handle_(std::exchange(other.handle_, T{})) {}
  VulkanHandle& operator=(VulkanHandle&& other) noexcept {
    std::swap(connection_, other.connection_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~VulkanHandle() {
    if (handle_ == T{} || connection_->in_child()) return;
    (connection_->api().*Destroy)(connection_->device(), handle_, nullptr);
  }

  T get() const { return handle_; }
  explicit operator bool() const { return handle_ != T{}; }

 private:
  const VulkanConnection* connection_ = nullptr;
  T handle_{};
};

using BufferHandle = VulkanHandle<VkBuffer, &DeviceApi::vkDestroyBuffer>;
using CommandPoolHandle = VulkanHandle<VkCommandPool, &DeviceApi::vkDestroyCommandPool>;
using DescriptorPoolHandle = VulkanHandle<VkDescriptorPool, &DeviceApi::vkDestroyDescriptorPool>;
using DescriptorSetLayoutHandle =
    VulkanHandle<VkDescriptorSetLayout, &DeviceApi::vkDestroyDescriptorSetLayout>;
using DescriptorTemplateHandle =
    VulkanHandle<VkDescriptorUpdateTemplate, &DeviceApi::vkDestroyDescriptorUpdateTemplate>;
using MemoryHandle = VulkanHandle<VkDeviceMemory, &DeviceApi::vkFreeMemory>;
using PipelineHandle = VulkanHandle<VkPipeline, &DeviceApi::vkDestroyPipeline>;
using PipelineCacheHandle = VulkanHandle<VkPipelineCache, &DeviceApi::vkDestroyPipelineCache>;
using PipelineLayoutHandle = VulkanHandle<VkPipelineLayout, &DeviceApi::vkDestroyPipelineLayout>;
using QueryPoolHandle = VulkanHandle<VkQueryPool, &DeviceApi::vkDestroyQueryPool>;
using SemaphoreHandle = VulkanHandle<VkSemaphore, &DeviceApi::vkDestroySemaphore>;
using ShaderModuleHandle = VulkanHandle<VkShaderModule, &DeviceApi::vkDestroyShaderModule>;

}  // namespace halyard::vulkan
