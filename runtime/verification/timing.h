// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/operators/problem.h"
#include "runtime/verification/paired_statistics.h"
#include "runtime/verification/supervised_runner.h"
#include "runtime/verification/verdict.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::verification {

// One shape that is timed, and what physics allows for it.
struct TimedShape {
  const operators::Problem* problem = nullptr;
  std::span<const std::int64_t> launch_axes;
  std::span<const double> scalars;
  std::string bucket;        // names the shape in evidence
  double floor_cold_ns = 0;  // least time from memory, by measured ceilings; 0: unknown
  double floor_warm_ns = 0;  // least time from caches: arithmetic alone; 0: unknown
};

struct TimingRules {
  std::uint32_t rounds = 6;                            // each with fresh processes: A B B A
  std::uint32_t batches = 3;                           // in each turn
  std::chrono::microseconds least_batch{2'000};        // of warm launches under one reading of time
  std::uint64_t cold_bytes = std::uint64_t{64} << 20;  // rotate over as much: twice the last cache
  std::uint64_t most_bytes = std::uint64_t{1} << 30;   // of all copies of the tensors
  double floor_share = 0.95;  // a time below this share of the floor is faster than physics
};

// What one shape's timing found. A cold series launches once over each of many copies of the
// tensors, with outputs that hold nothing yet; a warm one launches over the same again and again,
// where a kernel could find its work done, so that only cold times decide. Times are of one launch,
// by the verifier's clock around a series; the way to the process and back (some microseconds for
// each series) is inside.
struct ShapeTiming {
  std::string bucket;
  std::vector<TimePair> cold;  // incumbent_ns is 0 in all where there is no incumbent
  std::vector<TimePair> warm;
  std::vector<TimePair> noise;     // the incumbent's (else the candidate's) two turns of each round
  std::optional<Finding> finding;  // TIMING, CHEAT, UNDECIDED or what ended the candidate
};

// Fills the tensors of one set: inputs with dense random values, the same in every set, outputs
// with poison.
using TimedFill = std::function<void(std::span<const TensorMemory> tensors)>;
// Checks what a launch left in one set: no finding when it is right.
using TimedCheck =
    std::function<base::Result<std::optional<Finding>>(std::span<const TensorMemory> tensors)>;

struct TimingDesc {
  SupervisedRunner* candidate = nullptr;
  SupervisedRunner* incumbent = nullptr;  // null: none
  TimingRules rules;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  // Launching again over what a launch has left gives the same; else what is checked is a launch
  // over new inputs right after the timed ones, in the same process.
  bool is_idempotent = true;
  TimedFill fill;
  TimedFill reset;  // takes away what a launch has written, at little cost; inputs stay
  TimedCheck check;
};

// Times one shape. No turn begins past the deadline; the finding is kUndecided then. Errors:
// UNAVAILABLE when no process can be had; what fill and check answer.
base::Result<ShapeTiming> time_shape(const TimingDesc& desc, const TimedShape& shape);

}  // namespace halyard::verification
