// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/output_check.h"
#include "runtime/verification/poison.h"
#include "runtime/verification/runner.h"
#include "runtime/verification/verdict.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::verification {

// What one launch did wrong.
struct Mismatch {
  VerdictClass verdict = VerdictClass::kNumeric;
  std::string sentence;
  std::string tensor;
  std::vector<std::int64_t> index;  // Empty: the tensor as a whole.
  std::string got;
  std::string expected;
  // Every wrong element is what the launch before left: the answer to other inputs.
  bool is_stale = false;
};

// One tensor of a launch that ended, with what it was before.
struct TensorAfter {
  std::string name;
  operators::TensorShape shape;
  const Poison* poison = nullptr;     // Of its guards, and of its elements if it is an output.
  std::span<const std::byte> before;  // Of inputs and inouts.
  std::span<const std::byte> after;
  std::span<const std::byte> last_after;  // Of the launch before; may be empty.
};

// Bytes around a tensor that have changed: kBounds with the distance in elements.
std::optional<Mismatch> check_guards(const TensorAfter& tensor, const TensorMemory& memory);

// An input that the launch wrote to: kCheat with the first element.
std::optional<Mismatch> check_unchanged(const TensorAfter& tensor);

struct OutputComparison {
  std::optional<Mismatch> mismatch;
  double worst_ratio = 0;  // Of error to tolerance.
};

// An output or inout against what the reference says: kNumeric for wrong and for unwritten
// elements, kBounds for elements that the launch should have left alone. With `has_exact_sums`,
// elements whose sums stay in the range where the accumulation type counts one by one must be the
// reference rounded once.
OutputComparison compare_values(const operators::ExpectedOutput& expected,
                                const TensorAfter& tensor, bool has_exact_sums);

// What becomes of a launch that did not end well; nothing for one that is done.
std::optional<Mismatch> outcome_mismatch(const LaunchOutcome& outcome);

}  // namespace halyard::verification
