// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/operators/problem.h"
#include "runtime/operators/reference.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace halyard::verification {

// Where one tensor lies: its elements, and guard bytes around them that nobody may touch. Memory of
// the verifier that the candidate's process maps too.
struct TensorMemory {
  std::span<std::byte> data;  // from the first element to the last, row-major
  std::span<std::byte> guard_before;
  std::span<std::byte> guard_after;
  // Where rows lie apart, their length and the way from one to the next, with guard bytes between;
  // 0: packed.
  std::size_t row_bytes = 0;
  std::size_t pitch_bytes = 0;
};

// Which end of a tensor meets a page that is not mapped, where the runner can arrange it (CPU). A
// tensor without a fence lies within a page, aligned no better than the contract says; its rows may
// lie apart besides, where the contract leaves strides to the launch.
enum class Fence : std::uint8_t { kAfter, kBefore, kNone, kApart };

struct LaunchDesc {
  const operators::Problem* problem = nullptr;
  std::span<const std::int64_t> launch_axes;  // in launch order
  std::span<const double> scalars;            // in contract order
  Fence fence = Fence::kAfter;
};

// What became of a launch. Nothing in it was said by the candidate but that it has returned.
struct LaunchOutcome {
  enum class Kind : std::uint8_t {
    kDone,
    kRefused,    // our own checks: guards, limits, what the device answers; see `message`
    kFault,      // touched memory that it must not: a fence, or nothing at all
    kCrash,      // any other signal
    kViolation,  // asked something of the system
    kHang,       // over its deadline; the process was replaced
    kReported,   // stopped by the emulator; `message` is its report, the kind of it first
  };
  Kind kind = Kind::kDone;
  std::string message;  // of an emulated launch that is done: statistics, where they are asked for
  std::chrono::nanoseconds wall{};  // by the verifier's clock, with the way to the process and back
};

// A candidate's executable in a process of its own, and memory shared with it.
// One thread at a time.
class Runner {
 public:
  virtual ~Runner() = default;

  // The tensors of the next launches, in contract order, with zeroed guards; those that are not
  // present are empty. Valid until the next place().
  virtual base::Result<std::vector<TensorMemory>> place(const LaunchDesc& desc) = 0;

  // One launch over the placed tensors as they are. A process that ended is replaced before the
  // next launch, and the tensors keep what the candidate left there. Errors: UNAVAILABLE when no
  // process can be had.
  virtual base::Result<LaunchOutcome> launch() = 0;

  // A fresh process for the next launch, so that nothing is remembered.
  virtual void restart() = 0;
};

}  // namespace halyard::verification
