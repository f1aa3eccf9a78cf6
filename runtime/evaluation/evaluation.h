// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/services/evaluation.h"

#include "runtime/evaluation/prepared_operation.h"
#include "runtime/evaluation/results.h"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::services {

struct EvaluationRequest {
  halyard_device* device = nullptr;
  std::string_view workload_json;
  std::vector<operators::AxisValue> axes;
  KernelWish wish;  // The kernel counts for the operations of its contract.
  std::uint64_t seed = 1;
  bool check = false;
  bool measure = false;
  std::chrono::nanoseconds time_budget{std::chrono::seconds(10)};
  // `done` of `total` steps, and what starts.
  std::function<void(std::uint32_t done, std::uint32_t total, const std::string& what)> progress;
};

struct EvaluationOutcome {
  std::string json;
  bool passed = true;
};

// Runs a workload on a device and reports what was found. Errors: see halyard_evaluation_run.
base::Result<EvaluationOutcome> evaluate(const EvaluationRequest& request);

}  // namespace halyard::services
