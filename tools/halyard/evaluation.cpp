// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/evaluation.h"

#include "tools/halyard/progress_line.h"

namespace halyard::command_line {

Results evaluate(const Device& device, const std::string& workload, halyard_evaluation_desc desc) {
  ProgressLine progress;
  desc.progress = ProgressLine::callback;
  desc.progress_user_data = &progress;
  halyard_results* results = nullptr;
  check(halyard_evaluation_run(device.get(), workload.c_str(), &desc, &results));
  return Results(results);
}

}  // namespace halyard::command_line
