// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_device.h"

#include "backends/vulkan/vulkan_buffer.h"
#include "backends/vulkan/vulkan_capability.h"
#include "backends/vulkan/vulkan_executable.h"
#include "backends/vulkan/vulkan_queue.h"
#include "backends/vulkan/vulkan_recording.h"
#include "backends/vulkan/vulkan_semaphore.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::vulkan {

VulkanDevice::VulkanDevice(base::Ref<VulkanInstance> instance, VkPhysicalDevice physical,
                           VulkanTraits traits, core::DeviceInfo info,
                           const core::BackendSettings& settings)
    : core::Device(std::move(info), query_capabilities(traits)),
      instance_(std::move(instance)),
      physical_(physical),
      traits_(std::move(traits)),
      settings_(base::Ref<const core::BackendSettings>::share(&settings)) {}

base::Result<VulkanOpenDevice*> VulkanDevice::open() {
  HALYARD_TRY(instance_->fork_guard().check());
  const std::lock_guard lock(mutex_);
  if (open_ == nullptr) {
    HALYARD_TRY_ASSIGN(std::unique_ptr<VulkanConnection> connection,
                       VulkanConnection::create(instance_, physical_, traits_, info().id));
    HALYARD_TRY_ASSIGN(open_, VulkanOpenDevice::create(std::move(connection), *settings_));
  }
  HALYARD_TRY(open_->connection().alive());
  return open_.get();
}

base::Result<base::Ref<core::Buffer>> VulkanDevice::create_buffer(const core::BufferDesc& desc) {
  HALYARD_TRY_ASSIGN(VulkanOpenDevice * device, open());
  HALYARD_TRY_ASSIGN(
      base::Ref<VulkanStorage> storage,
      VulkanStorage::create(device->connection(), device->memory(), desc.size_bytes, desc.usage));
  return base::Ref<core::Buffer>(base::make_ref<VulkanBuffer>(*this, *device, std::move(storage)));
}

base::Result<base::Ref<core::Buffer>> VulkanDevice::wrap_host_memory(void* data,
                                                                     std::uint64_t size_bytes) {
  HALYARD_TRY_ASSIGN(VulkanOpenDevice * device, open());
  HALYARD_TRY_ASSIGN(base::Ref<VulkanStorage> storage,
                     VulkanStorage::import_host(device->connection(), data, size_bytes));
  return base::Ref<core::Buffer>(base::make_ref<VulkanBuffer>(*this, *device, std::move(storage)));
}

base::Result<base::Ref<core::Queue>> VulkanDevice::create_queue() {
  HALYARD_TRY_ASSIGN(VulkanOpenDevice * device, open());
  HALYARD_TRY_ASSIGN(base::Ref<VulkanQueue> queue, VulkanQueue::create(*this, *device));
  return base::Ref<core::Queue>(std::move(queue));
}

base::Result<base::Ref<core::Semaphore>> VulkanDevice::create_semaphore(
    std::uint64_t initial_value) {
  HALYARD_TRY_ASSIGN(VulkanOpenDevice * device, open());
  HALYARD_TRY_ASSIGN(base::Ref<VulkanTimeline> timeline,
                     VulkanTimeline::create(device->connection(), initial_value));
  return base::Ref<core::Semaphore>(
      base::make_ref<VulkanSemaphore>(*this, *device, std::move(timeline)));
}

base::Result<base::Ref<core::Executable>> VulkanDevice::load_executable(
    const core::ExecutableDesc& desc) {
  HALYARD_TRY_ASSIGN(VulkanOpenDevice * device, open());
  HALYARD_TRY_ASSIGN(base::Ref<VulkanExecutable> executable,
                     VulkanExecutable::create(*this, *device, desc));
  return base::Ref<core::Executable>(std::move(executable));
}

base::Result<base::Ref<core::Recording>> VulkanDevice::record(
    std::span<const core::Dispatch> dispatches) {
  HALYARD_TRY_ASSIGN(VulkanOpenDevice * device, open());
  HALYARD_TRY_ASSIGN(base::Ref<VulkanRecording> recording,
                     VulkanRecording::create(*this, *device, dispatches));
  return base::Ref<core::Recording>(std::move(recording));
}

base::Status check_owner(const core::Device& device, const core::Device& owner,
                         std::string_view what) {
  if (&device == &owner) return base::ok();
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat(what, " belongs to the device ", owner.info().id, ", not to ",
                                  device.info().id, "."));
}

}  // namespace halyard::vulkan
