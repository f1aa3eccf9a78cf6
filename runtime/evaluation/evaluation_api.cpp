// SPDX-License-Identifier: Apache-2.0
#include "halyard/services/evaluation.h"

#include "runtime/base/boundary.h"
#include "runtime/base/ref.h"
#include "runtime/evaluation/evaluation.h"

#include <string>
#include <utility>

struct halyard_results : public halyard::base::RefCounted {
  explicit halyard_results(halyard::services::EvaluationOutcome found)
      : outcome(std::move(found)) {}

  const halyard::services::EvaluationOutcome outcome;
};

namespace halyard::base {

halyard_status report_failure(halyard_status status, const char* message) noexcept {
  return halyard_last_error_set(status, message);
}

halyard_status report_failure(const Error& error) noexcept {
  return report_failure(static_cast<halyard_status>(error.code()), error.message().c_str());
}

}  // namespace halyard::base

namespace {

namespace base = halyard::base;
using halyard::services::EvaluationRequest;

constexpr std::uint32_t kMaxAxes = 1024;

base::Result<EvaluationRequest> read_desc(const halyard_evaluation_desc* given) {
  HALYARD_TRY_ASSIGN(const halyard_evaluation_desc desc,
                     base::read_struct(given, sizeof(halyard_evaluation_desc), "desc"));
  EvaluationRequest request;
  if (desc.axis_count > kMaxAxes) {
    return base::invalid_argument(
        base::concat("The count of axes (", desc.axis_count, ") is above ", kMaxAxes, "."));
  }
  if (desc.axis_count != 0) HALYARD_TRY(base::require_not_null(desc.axes, "desc.axes"));
  for (std::uint32_t i = 0; i < desc.axis_count; ++i) {
    HALYARD_TRY(base::require_not_null(desc.axes[i].name, base::concat("desc.axes[", i, "].name")));
    request.axes.push_back({desc.axes[i].name, desc.axes[i].value});
  }
  request.wish = {desc.kernel, desc.allow_reference != 0};
  request.seed = desc.seed == 0 ? 1 : desc.seed;
  request.check = desc.check != 0;
  request.measure = desc.measure != 0;
  if (desc.time_budget_ms != 0) {
    request.time_budget = std::chrono::milliseconds(desc.time_budget_ms);
  }
  if (desc.progress != nullptr) {
    request.progress = [desc](std::uint32_t done, std::uint32_t total, const std::string& what) {
      desc.progress(desc.progress_user_data, done, total, what.c_str());
    };
  }
  return request;
}

}  // namespace

extern "C" halyard_status halyard_evaluation_run(halyard_device* device, const char* workload_json,
                                                 const halyard_evaluation_desc* desc,
                                                 halyard_results** out_results) {
  return base::guard([&]() -> base::Status {
    HALYARD_TRY(base::require_not_null(out_results, "out_results"));
    *out_results = nullptr;
    HALYARD_TRY(base::require_not_null(device, "device"));
    HALYARD_TRY(base::require_not_null(workload_json, "workload_json"));
    HALYARD_TRY_ASSIGN(EvaluationRequest request, read_desc(desc));
    request.device = device;
    request.workload_json = workload_json;
    HALYARD_TRY_ASSIGN(halyard::services::EvaluationOutcome outcome,
                       halyard::services::evaluate(request));
    *out_results = new halyard_results(std::move(outcome));
    return base::ok();
  });
}

extern "C" const char* halyard_results_json(const halyard_results* results) {
  return results == nullptr ? "" : results->outcome.json.c_str();
}

extern "C" uint32_t halyard_results_passed(const halyard_results* results) {
  return results != nullptr && results->outcome.passed ? 1 : 0;
}

extern "C" void halyard_results_retain(halyard_results* results) {
  if (results != nullptr) results->retain();
}

extern "C" void halyard_results_release(halyard_results* results) {
  if (results != nullptr) results->release();
}
