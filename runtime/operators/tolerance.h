// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/data_type.h"
#include "runtime/operators/contract.h"

#include <cstdint>

namespace halyard::operators {

// How far an element of one output may lie from its reference.
struct ToleranceRule {
  ToleranceKind kind = ToleranceKind::kRelative;
  double c = 0;
  double reduction_length = 1;  // K; taken as 1 when below.
  base::DataType output = base::DataType::kF32;
  base::DataType accumulation = base::DataType::kF32;
};

// |y - r| over what is allowed: u_out |r| + c u_acc sqrt(K) S + half of the least subnormal of the
// output type. At most 1 passes; 0 is equal; infinity never passes. Outputs of integer type and
// exact rules pass only when equal (-0 equals 0). In f32 and bf16 a subnormal r may become 0, as
// devices may flush it (Vulkan's shaderDenormFlushToZeroFloat32). NaN matches NaN only, an infinite
// r the same infinity only; y may be infinite where r, moved outward by the allowance, rounds to
// that infinity in the output type.
double error_ratio(double y, double r, double magnitude, const ToleranceRule& rule);

struct WorstError {
  double ratio = 0;
  std::uint64_t element = 0;
  double value = 0;
  double reference = 0;
  double magnitude = 0;
  std::uint64_t failures = 0;  // Elements with a ratio above 1.
  std::uint64_t compared = 0;
};

// Gathers the worst error over the elements of one output. One thread at a time.
class ErrorTally {
 public:
  explicit ErrorTally(const ToleranceRule& rule) : rule_(rule) {}

  void add(std::uint64_t element, double y, double r, double magnitude);
  const WorstError& worst() const { return worst_; }
  bool passed() const { return worst_.failures == 0; }

 private:
  ToleranceRule rule_;
  WorstError worst_;
};

}  // namespace halyard::operators
