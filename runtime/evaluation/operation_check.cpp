// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/operation_check.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::services {

bool OperationCheck::passed() const {
  return std::all_of(outputs.begin(), outputs.end(),
                     [](const OutputCheck& output) { return output.passed(); });
}

bool OperationCheck::is_full() const {
  return std::all_of(outputs.begin(), outputs.end(), [](const OutputCheck& output) {
    return output.worst.compared == output.elements;
  });
}

std::uint64_t OperationCheck::compared() const {
  std::uint64_t total = 0;
  for (const OutputCheck& output : outputs)
    total += output.worst.compared;
  return total;
}

std::uint64_t OperationCheck::elements() const {
  std::uint64_t total = 0;
  for (const OutputCheck& output : outputs)
    total += output.elements;
  return total;
}

double OperationCheck::error_ratio() const {
  double ratio = 0;
  for (const OutputCheck& output : outputs)
    ratio = std::max(ratio, output.worst.ratio);
  return ratio;
}

std::string OperationCheck::failure() const {
  for (const OutputCheck& output : outputs) {
    const operators::WorstError& worst = output.worst;
    if (worst.failures != 0) {
      return base::concat("Tensor \"", output.tensor, "\" is wrong at [", base::join(output.place),
                          "]: ", worst.value, " instead of ", worst.reference, ", with ",
                          output.tolerance, " allowed; ", worst.failures, " of ", worst.compared,
                          " compared elements are out of bounds.");
    }
    if (output.changed != 0) {
      return base::concat("Tensor \"", output.tensor, "\" changed in ", output.changed,
                          " elements that the launch leaves alone.");
    }
  }
  return {};
}

base::Result<OperationCheck> check_outputs(const LaunchRecord& launch, const CheckLimits& limits) {
  HALYARD_TRY_ASSIGN(
      const std::vector<operators::ExpectedOutput> expected,
      operators::expect_outputs({launch.problem, launch.launch_axes, launch.before, launch.scalars},
                                limits));
  OperationCheck result;
  for (const operators::ExpectedOutput& output : expected) {
    const operators::ReferenceTensor& after = launch.after[output.tensor];
    OutputCheck check;
    check.tensor = launch.problem->contract().tensors()[output.tensor].name;
    check.elements = output.written;
    check.worst = operators::compare_output(output, after);
    check.tolerance = operators::allowed_error(check.worst, output.rule);
    check.changed = operators::count_changed(output, launch.before[output.tensor], after);
    check.place = operators::element_place(output.shape, check.worst.element);
    result.outputs.push_back(std::move(check));
  }
  return result;
}

}  // namespace halyard::services
