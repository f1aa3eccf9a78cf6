// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_free_list.h"

#include <iterator>

namespace halyard::vulkan {

FreeList::FreeList(std::uint64_t size_bytes)
    : size_bytes_(size_bytes),
      free_bytes_(size_bytes),
      ranges_{{0, size_bytes}} {}

std::optional<std::uint64_t> FreeList::take(std::uint64_t size_bytes, std::uint64_t alignment) {
  auto best = ranges_.end();
  for (auto it = ranges_.begin(); it != ranges_.end(); ++it) {
    const std::uint64_t padding = (alignment - it->first % alignment) % alignment;
    const bool fits = it->second >= padding && it->second - padding >= size_bytes;
    if (fits && (best == ranges_.end() || it->second < best->second)) best = it;
  }
  if (best == ranges_.end()) return std::nullopt;
  const auto [begin, length] = *best;
  const std::uint64_t offset = begin + (alignment - begin % alignment) % alignment;
  ranges_.erase(best);
  if (offset != begin) ranges_.emplace(begin, offset - begin);
  const std::uint64_t end = offset + size_bytes;
  if (end != begin + length) ranges_.emplace(end, begin + length - end);
  free_bytes_ -= size_bytes;
  return offset;
}

void FreeList::give_back(std::uint64_t offset_bytes, std::uint64_t size_bytes) {
  auto it = ranges_.emplace(offset_bytes, size_bytes).first;
  free_bytes_ += size_bytes;
  const auto next = std::next(it);
  if (next != ranges_.end() && it->first + it->second == next->first) {
    it->second += next->second;
    ranges_.erase(next);
  }
  if (it == ranges_.begin()) return;
  const auto previous = std::prev(it);
  if (previous->first + previous->second == it->first) {
    previous->second += it->second;
    ranges_.erase(it);
  }
}

bool FreeList::is_all_free() const {
  return free_bytes_ == size_bytes_;
}

}  // namespace halyard::vulkan
