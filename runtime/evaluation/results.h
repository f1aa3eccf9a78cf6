// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/bound_workload.h"
#include "runtime/evaluation/ceilings.h"
#include "runtime/evaluation/operation_check.h"
#include "runtime/evaluation/roofline.h"
#include "runtime/evaluation/timing.h"

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <vector>

namespace halyard::services {

// What was found about one operation.
struct OperationResult {
  std::string kernel_id;  // Empty for the reference.
  std::string kernel_name;
  std::string target;
  std::string state;
  std::string reason;
  bool is_reference = false;
  Work work;
  std::optional<OperationCheck> check;
  std::optional<Timing> timing;
  bool is_warm = false;  // Repetitions find its tensors in the last-level cache.
};

// How the outputs of the chain, replayed as one sequence, compare with those of its operations run
// one by one.
struct ReplayCheck {
  std::uint64_t tensors = 0;
  std::uint64_t identical = 0;
  double worst_difference = 0;  // Root mean square, relative; infinite for integers that differ.
  std::string worst_tensor;
  bool passed = true;
};

struct SequenceResult {
  std::optional<Timing> timing;
  std::optional<ReplayCheck> replay;
  std::vector<std::string> notes;
};

struct EvaluationFindings {
  const BoundWorkload* workload = nullptr;
  boost::json::object device;
  boost::json::object environment;
  std::string date;  // "2026-11-30T12:00:00Z"
  Ceilings ceilings;
  std::vector<OperationResult> operations;  // In the workload's order.
  std::optional<SequenceResult> sequence;

  bool passed() const;
};

// The document "halyard.results/1" in canonical JSON.
std::string results_json(const EvaluationFindings& findings);

// The type whose products a launch makes: that of the variable T.
base::DataType product_type(const operators::Problem& problem);

}  // namespace halyard::services
