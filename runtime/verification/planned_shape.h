// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/problem.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::verification {

enum class ShapeOrigin : std::uint8_t {
  kEdge,     // of the contract, or at sizes where kernels err
  kVisible,  // a workload of the contract
  kHeldOut,  // drawn from the secret seed; never shown
};

// A problem to launch.
struct PlannedShape {
  operators::Problem problem;
  std::vector<operators::AxisValue> axes;  // All, in contract order.
  std::vector<std::int64_t> launch_axes;
  ShapeOrigin origin = ShapeOrigin::kEdge;
  std::int64_t steps = 0;  // Multiply-adds of a launch and elements of its tensors.
  std::int64_t bytes = 0;  // Of its tensors.
};

// Whether the kernel takes a launch: its conditions and guards hold.
using ServesLaunch =
    std::function<bool(const operators::Problem& problem, std::span<const std::int64_t> axes)>;

struct ShapeLimits {
  std::int64_t steps = 0;
  std::int64_t bytes = 0;
  std::int64_t launch_axis = std::numeric_limits<std::int64_t>::max();  // Of each of that kind.
};

// Makes shapes of one contract and one binding of types that a kernel serves. Keeps the problems,
// of which many shapes share one. One thread at a time.
class ShapeMaker {
 public:
  // Empty `serves`: all.
  ShapeMaker(base::Ref<const operators::Contract> contract, operators::TypeBindings types,
             ServesLaunch serves)
      : contract_(std::move(contract)),
        types_(std::move(types)),
        serves_(std::move(serves)) {}

  const operators::Contract& contract() const { return *contract_; }

  // Nothing for what the contract or the kernel does not take, and what is beyond the limits.
  std::optional<PlannedShape> make(const std::map<std::string, std::int64_t>& axes,
                                   const operators::Attributes& attributes,
                                   const ShapeLimits& limits) const;

 private:
  const std::optional<operators::Problem>& problem_of(
      const std::vector<operators::AxisValue>& prepare_axes,
      const operators::Attributes& attributes) const;

  base::Ref<const operators::Contract> contract_;
  operators::TypeBindings types_;
  ServesLaunch serves_;
  mutable std::map<std::string, std::optional<operators::Problem>> problems_;
};

// "batch = 3, hidden = 17".
std::string axes_text(std::span<const operators::AxisValue> axes);

}  // namespace halyard::verification
