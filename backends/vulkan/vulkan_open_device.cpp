// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_open_device.h"

#include <utility>

namespace halyard::vulkan {
namespace {

constexpr std::uint64_t kEmptyRangeBytes = 256;

}  // namespace

VulkanOpenDevice::VulkanOpenDevice(std::unique_ptr<VulkanConnection> connection,
                                   std::unique_ptr<VulkanMemory> memory,
                                   base::Ref<VulkanStorage> empty_range,
                                   const core::BackendSettings& settings)
    : connection_(std::move(connection)),
      memory_(std::move(memory)),
      pipeline_cache_(*connection_, settings),
      empty_range_(std::move(empty_range)),
      submitter_(*connection_),
      staging_(command_context(), *memory_, submitter_) {}

VulkanOpenDevice::~VulkanOpenDevice() {
  pipeline_cache_.save();
}

base::Result<std::unique_ptr<VulkanOpenDevice>> VulkanOpenDevice::create(
    std::unique_ptr<VulkanConnection> connection, const core::BackendSettings& settings) {
  auto memory = std::make_unique<VulkanMemory>(*connection);
  HALYARD_TRY_ASSIGN(
      base::Ref<VulkanStorage> empty_range,
      VulkanStorage::create(*connection, *memory, kEmptyRangeBytes, core::kBufferUsageKernel));
  return std::unique_ptr<VulkanOpenDevice>(new VulkanOpenDevice(
      std::move(connection), std::move(memory), std::move(empty_range), settings));
}

}  // namespace halyard::vulkan
