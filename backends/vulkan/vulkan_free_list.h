// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace halyard::vulkan {

// The free ranges of one block of memory; neighbours that become free are joined.
// Threads: one at a time.
class FreeList {
 public:
  explicit FreeList(std::uint64_t size_bytes);

  // The offset of `size_bytes` (not zero) taken from the smallest range that fits. `alignment`
  // is a power of two.
  std::optional<std::uint64_t> take(std::uint64_t size_bytes, std::uint64_t alignment);
  void give_back(std::uint64_t offset_bytes, std::uint64_t size_bytes);

  bool is_all_free() const;
  std::uint64_t free_bytes() const { return free_bytes_; }

 private:
  std::uint64_t size_bytes_;
  std::uint64_t free_bytes_;
  std::map<std::uint64_t, std::uint64_t> ranges_;  // offset to size
};

}  // namespace halyard::vulkan
