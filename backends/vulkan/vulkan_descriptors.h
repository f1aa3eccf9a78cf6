// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_handle.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halyard::vulkan {

// Descriptor sets that live and end together. Pools are kept for the next round.
// Threads: one at a time.
class DescriptorArena {
 public:
  explicit DescriptorArena(VulkanConnection& connection) : connection_(&connection) {}

  base::Result<VkDescriptorSet> allocate(VkDescriptorSetLayout layout);
  // Ends all sets; the device no longer uses them.
  void reset();

 private:
  base::Status add_pool();

  VulkanConnection* connection_;
  std::vector<DescriptorPoolHandle> pools_;
  std::size_t current_ = 0;
};

}  // namespace halyard::vulkan
