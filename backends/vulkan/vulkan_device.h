// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_instance.h"
#include "backends/vulkan/vulkan_open_device.h"
#include "backends/vulkan/vulkan_traits.h"
#include "runtime/core/backend.h"
#include "runtime/core/device.h"

#include <memory>
#include <mutex>

namespace halyard::vulkan {

// One physical device. The driver's device is opened on the first call that needs it, so listing
// stays cheap. Ending it waits for the work that the driver was given.
class VulkanDevice final : public core::Device {
 public:
  VulkanDevice(base::Ref<VulkanInstance> instance, VkPhysicalDevice physical, VulkanTraits traits,
               core::DeviceInfo info, const core::BackendSettings& settings);

  base::Result<base::Ref<core::Buffer>> create_buffer(const core::BufferDesc& desc) override;
  base::Result<base::Ref<core::Buffer>> wrap_host_memory(void* data,
                                                         std::uint64_t size_bytes) override;
  base::Result<base::Ref<core::Queue>> create_queue() override;
  base::Result<base::Ref<core::Semaphore>> create_semaphore(std::uint64_t initial_value) override;
  base::Result<base::Ref<core::Executable>> load_executable(
      const core::ExecutableDesc& desc) override;
  base::Result<base::Ref<core::Recording>> record(
      std::span<const core::Dispatch> dispatches) override;

  // Opens the driver's device on the first call. DEVICE_LOST once it is lost; UNAVAILABLE in a
  // forked child.
  base::Result<VulkanOpenDevice*> open();

 private:
  base::Ref<VulkanInstance> instance_;
  VkPhysicalDevice physical_;
  VulkanTraits traits_;
  base::Ref<const core::BackendSettings> settings_;
  std::mutex mutex_;  // guards open_ until it is set
  std::unique_ptr<VulkanOpenDevice> open_;
};

// INVALID_ARGUMENT unless the object belongs to `device`.
base::Status check_owner(const core::Device& device, const core::Device& owner,
                         std::string_view what);

}  // namespace halyard::vulkan
