// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/output_check.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halyard::services {

// One launch as the host sees it, both tables in contract order.
struct LaunchRecord {
  const operators::Problem* problem = nullptr;
  std::span<const std::int64_t> launch_axes;
  std::span<const double> scalars;
  std::span<const operators::ReferenceTensor> before;  // Inputs and inouts.
  std::span<const operators::ReferenceTensor> after;   // Outputs and inouts.
};

using operators::CheckLimits;

struct OutputCheck {
  std::string tensor;
  std::uint64_t elements = 0;  // That the launch writes.
  operators::WorstError worst;
  double tolerance = 0;             // Allowed at the worst element.
  std::uint64_t changed = 0;        // Elements that the launch should have left alone and did not.
  std::vector<std::int64_t> place;  // Of the worst element, by dimension.

  bool passed() const { return worst.failures == 0 && changed == 0; }
};

struct OperationCheck {
  std::vector<OutputCheck> outputs;

  bool passed() const;
  bool is_full() const;
  std::uint64_t compared() const;
  std::uint64_t elements() const;
  double error_ratio() const;
  // What is wrong with the first output that fails, as one sentence; empty when all pass.
  std::string failure() const;
};

// Compares what a launch wrote with the f64 reference: every element where the limit allows, else
// evenly spread ones, with the first and the last. Elements that a launch leaves alone must not
// have changed.
// Errors: INVALID_ARGUMENT when the tensors do not fit; UNSUPPORTED without a reference.
base::Result<OperationCheck> check_outputs(const LaunchRecord& launch, const CheckLimits& limits);

}  // namespace halyard::services
