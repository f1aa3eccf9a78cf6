// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_handle.h"
#include "runtime/base/result.h"
#include "runtime/core/queue.h"

#include <array>
#include <bitset>
#include <cstdint>

namespace halyard::vulkan {

// The timestamp slots of one queue: queries of the device, or moments noted by the host where the
// device has none.
// Threads: one at a time.
class VulkanTimestamps {
 public:
  static base::Result<VulkanTimestamps> create(VulkanConnection& connection);

  core::Clock clock() const { return pool_ ? core::Clock::kDevice : core::Clock::kHost; }
  // Only of the device's clock. A slot is a query.
  VkQueryPool pool() const { return pool_.get(); }

  // The slot is about to be written by the device, or later by note_now.
  void expect(std::uint32_t slot) {
    written_.set(slot);
    host_ns_[slot] = 0;
  }
  void note_now(std::uint32_t slot);
  // UNAVAILABLE while the device has not come so far.
  base::Result<std::uint64_t> read(std::uint32_t slot);

 private:
  explicit VulkanTimestamps(VulkanConnection& connection) : connection_(&connection) {}

  VulkanConnection* connection_;
  QueryPoolHandle pool_;
  std::bitset<core::kTimestampSlots> written_;
  std::array<std::uint64_t, core::kTimestampSlots> host_ns_{};  // 0: not noted yet
  std::uint64_t latest_ticks_ = 0;  // the last value read, beyond the valid bits too
};

// The full tick count of `raw`, of which only `valid_bits` count, given one less than half a turn
// of the counter away.
std::uint64_t extend_ticks(std::uint64_t raw, std::uint64_t latest, std::uint32_t valid_bits);

}  // namespace halyard::vulkan
