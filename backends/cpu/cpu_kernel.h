// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace halyard::cpu {

// What a kernel is told with each call; the layout of `halyard_range` in the C++ prelude.
struct KernelRange {
  std::uint64_t begin = 0;  // linear indices of groups, the first dimension fastest
  std::uint64_t end = 0;
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t thread = 0;
  std::uint32_t thread_count = 1;
  void* scratch = nullptr;  // private to `thread`, aligned to 64 bytes
  std::uint64_t scratch_bytes = 0;
};

static_assert(offsetof(KernelRange, grid) == 16 && offsetof(KernelRange, thread) == 28);
static_assert(offsetof(KernelRange, thread_count) == 32 && offsetof(KernelRange, scratch) == 40);
static_assert(sizeof(KernelRange) == 56);

// One slot per argument: addresses, extended integers, the bits of an f32 in the low half.
using KernelEntry = void (*)(const std::uint64_t* arguments, const KernelRange* range);

inline constexpr std::size_t kMaximumArguments = 64;

}  // namespace halyard::cpu
