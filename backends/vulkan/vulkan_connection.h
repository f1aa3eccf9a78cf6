// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_instance.h"
#include "backends/vulkan/vulkan_traits.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace halyard::vulkan {

// One open VkDevice: its entry points, what it offers, and whether it can be used.
// Threads: any number at once; the VkQueue is used only by VulkanSubmitter.
class VulkanConnection {
 public:
  // `name` is the device's, for messages. `traits` is borrowed and outlives the connection.
  static base::Result<std::unique_ptr<VulkanConnection>> create(base::Ref<VulkanInstance> instance,
                                                                VkPhysicalDevice physical,
                                                                const VulkanTraits& traits,
                                                                std::string name);
  ~VulkanConnection();
  VulkanConnection(const VulkanConnection&) = delete;
  VulkanConnection& operator=(const VulkanConnection&) = delete;

  const DeviceApi& api() const { return api_; }
  VkDevice device() const { return device_; }
  VkQueue queue() const { return queue_; }
  const VulkanTraits& traits() const { return traits_; }
  const std::string& name() const { return name_; }

  bool has_push_descriptors() const {
    return api_.vkCmdPushDescriptorSetWithTemplateKHR != nullptr;
  }
  bool has_device_addresses() const { return api_.vkGetBufferDeviceAddress != nullptr; }

  bool is_lost() const { return lost_.load(std::memory_order_acquire); }
  // In a forked child: the driver must not be called, nor a lock taken that a thread may have held.
  bool in_child() const { return fork_guard_.in_child(); }
  bool is_usable() const { return !is_lost() && !in_child(); }
  // DEVICE_LOST, naming the call that found it, once the device is lost; UNAVAILABLE in a forked
  // child.
  base::Status alive() const {
    if (is_usable()) return base::ok();
    return unusable_error();
  }
  // The failure of a call, which is remembered when it is the loss of the device.
  base::Error failure(VkResult result, std::string_view call);
  base::Status check(VkResult result, std::string_view call) {
    if (result == VK_SUCCESS) return base::ok();
    return failure(result, call);
  }
  // A number for one filling of one command buffer; never zero.
  std::uint64_t next_epoch() { return epoch_.fetch_add(1, std::memory_order_relaxed); }
  // Gives the device up for `reason`, a sentence.
  void lose(std::string reason);

 private:
  VulkanConnection(base::Ref<VulkanInstance> instance, const VulkanTraits& traits, std::string name,
                   VkDevice device, const DeviceApi& api);

  base::Status unusable_error() const;

  base::Ref<VulkanInstance> instance_;
  const base::ForkGuard& fork_guard_;
  const VulkanTraits& traits_;
  std::string name_;
  VkDevice device_;
  DeviceApi api_;
  VkQueue queue_ = VK_NULL_HANDLE;
  std::atomic<std::uint64_t> epoch_{1};
  std::atomic<bool> lost_{false};
  mutable std::mutex loss_mutex_;  // guards loss_reason_
  std::string loss_reason_;
};

}  // namespace halyard::vulkan
