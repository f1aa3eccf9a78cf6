// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_timestamps.h"

#include "runtime/base/text.h"

#include <chrono>

namespace halyard::vulkan {

std::uint64_t extend_ticks(std::uint64_t raw, std::uint64_t latest, std::uint32_t valid_bits) {
  if (valid_bits >= 64) return raw;
  const std::uint64_t turn = std::uint64_t{1} << valid_bits;
  const std::uint64_t mask = turn - 1;
  const std::uint64_t ahead = (raw - latest) & mask;
  if (ahead < turn / 2) return latest + ahead;
  const std::uint64_t behind = turn - ahead;
  return latest >= behind ? latest - behind : raw & mask;
}

base::Result<VulkanTimestamps> VulkanTimestamps::create(VulkanConnection& connection) {
  VulkanTimestamps timestamps(connection);
  const VulkanTraits& traits = connection.traits();
  const float period = traits.properties.limits.timestampPeriod;
  if (traits.family.timestamp_valid_bits == 0 || !(period > 0.0F)) return timestamps;
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = core::kTimestampSlots;
  VkQueryPool pool = VK_NULL_HANDLE;
  HALYARD_TRY(connection.check(
      connection.api().vkCreateQueryPool(connection.device(), &info, nullptr, &pool),
      "vkCreateQueryPool"));
  timestamps.pool_ = QueryPoolHandle(connection, pool);
  return timestamps;
}

void VulkanTimestamps::note_now(std::uint32_t slot) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  host_ns_[slot] = static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

base::Result<std::uint64_t> VulkanTimestamps::read(std::uint32_t slot) {
  if (slot >= core::kTimestampSlots || !written_.test(slot)) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("Timestamp slot ", slot, " has not been written (there are ",
                                    core::kTimestampSlots, ")."));
  }
  if (!pool_ && host_ns_[slot] == 0) {
    return base::Error(
        base::ErrorCode::kUnavailable,
        base::concat("The work before timestamp slot ", slot, " is not known to be done."));
  }
  if (!pool_) return host_ns_[slot];
  std::uint64_t raw = 0;
  HALYARD_TRY(connection_->check(connection_->api().vkGetQueryPoolResults(
                                     connection_->device(), pool_.get(), slot, 1, sizeof(raw), &raw,
                                     sizeof(raw), VK_QUERY_RESULT_64_BIT),
                                 "vkGetQueryPoolResults"));
  const VulkanTraits& traits = connection_->traits();
  latest_ticks_ = extend_ticks(raw, latest_ticks_, traits.family.timestamp_valid_bits);
  const long double period = traits.properties.limits.timestampPeriod;
  return static_cast<std::uint64_t>(static_cast<long double>(latest_ticks_) * period);
}

}  // namespace halyard::vulkan
