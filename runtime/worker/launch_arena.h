// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/contract.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace halyard::worker {

// The memory that a verifier and a worker share: a block of control, then one slot for each tensor
// and one for the workspace. A slot stands between two fences, pages that the worker's process
// cannot touch, so that a kernel that leaves the slot is stopped by the processor.

inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::uint64_t kControlBytes = 65536;
inline constexpr std::size_t kMaxSlots = operators::kMaxTensors + 1;
inline constexpr std::size_t kMaxLaunchAxes = 32;

struct ArenaSlot {
  std::uint64_t offset_bytes = 0;    // a page; the fences are the pages before and after
  std::uint64_t capacity_bytes = 0;  // whole pages; 0: no slot
};

struct ArenaPlan {
  std::vector<ArenaSlot> slots;
  std::uint64_t size_bytes = 0;
};

// Slots of at least these sizes, in their order.
ArenaPlan plan_arena(std::span<const std::uint64_t> capacities);

// Where the elements of a tensor lie. Set s of several lies `stride_bytes` * s further on.
struct TensorPlace {
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;  // 0: not present
  std::uint64_t guard_before_bytes = 0;
  std::uint64_t guard_after_bytes = 0;
  std::uint64_t stride_bytes = 0;
  std::int64_t row_pitch = 0;  // elements from one row to the next; 0: packed
};

// What the worker is to do, in this order.
enum LaunchAction : std::uint32_t {
  kBind = 1U << 0,      // take places, axes, scalars and constants as they are now
  kUpload = 1U << 1,    // copy places with their guards to the device, where it has its own memory
  kRun = 1U << 2,       // launch `repeat` times, one set after the other, and wait
  kDownload = 1U << 3,  // copy them back
};

enum class LaunchAnswer : std::uint32_t {
  kNone = 0,
  kDone = 1,
  kRefused = 2,
  kFailed = 3,
  kOutOfBounds = 4,  // guards that the worker looks after were written
  kReported = 5,     // an emulated device has stopped the kernel; the message says for what
};

// The block of control. The verifier fills it, raises `requested`, and waits until `finished` is
// equal; the worker does the reverse. A kernel can write here, so nothing that the verifier reads
// is more than the claim of the candidate.
struct LaunchControl {
  std::atomic<std::uint32_t> requested{0};
  std::uint32_t actions = 0;
  std::uint32_t repeat = 1;
  std::uint32_t set_count = 1;
  std::uint32_t workspace_at_end = 1;  // the workspace ends, or begins, at a fence
  std::uint32_t axis_count = 0;
  std::uint32_t scalar_count = 0;
  std::uint32_t tensor_count = 0;
  std::array<std::int64_t, kMaxLaunchAxes> axes{};
  std::array<std::uint64_t, operators::kMaxScalars> scalars{};  // bits in the scalar's own type
  std::array<TensorPlace, operators::kMaxTensors> tensors{};

  alignas(64) std::atomic<std::uint32_t> finished{0};
  std::uint32_t answer = 0;  // LaunchAnswer
  std::uint32_t message_bytes = 0;
  std::array<char, 1024> message{};
  std::atomic<std::uint32_t> fault_signal{0};  // noted by the handler of a fatal signal
  std::uint64_t fault_address = 0;             // in the worker's address space
  std::uint64_t arena_address = 0;             // where the worker has mapped this block
  std::uint64_t workspace_bytes = 0;           // of the bound launch
};

static_assert(sizeof(LaunchControl) <= kControlBytes);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace halyard::worker
