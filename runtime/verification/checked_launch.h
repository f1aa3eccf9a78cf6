// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/comparison.h"
#include "runtime/verification/input_family.h"
#include "runtime/verification/planned_shape.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace halyard::verification {

// One launch in the verifier's hands: its inputs, what the reference says of them, and what the
// launch left. The reference runs once for each set of inputs. One thread at a time.
class CheckedLaunch {
 public:
  // Borrows the shape. Errors: INVALID_ARGUMENT; OUT_OF_MEMORY.
  static base::Result<CheckedLaunch> create(const PlannedShape& shape, const InputCase& input,
                                            std::uint64_t seed,
                                            const operators::CheckLimits& limits);

  // Inputs into the placed tensors, new poison into outputs and guards.
  void arm(std::span<const TensorMemory> memory, std::uint64_t poison_seed);

  // What the launch did to the placed tensors, in this order: guards, inputs, values, elements to
  // leave alone. Keeps a copy of the outputs. Errors: as operators::expect_outputs().
  base::Result<std::optional<Mismatch>> check(std::span<const TensorMemory> memory);

  // Gives the inputs of the next launch one change, to an input of number `tensor`: element
  // `element` far from what it was, or other indices. False when no output would show it.
  // Errors: as operators::expect_outputs().
  base::Result<bool> change(std::size_t tensor, std::uint64_t element);

  const PlannedShape& shape() const { return *shape_; }
  const InputCase& input() const { return input_; }
  std::uint64_t seed() const { return seed_; }
  const std::vector<double>& scalars() const { return scalars_; }
  // Of the last check().
  double worst_ratio() const { return worst_ratio_; }
  // The outputs and inouts of the last check(), in contract order, empty for others.
  const std::vector<std::vector<std::byte>>& outputs() const { return outputs_; }
  std::int64_t element_count(std::size_t tensor) const {
    return shapes_.tensors[tensor].element_count;
  }

 private:
  CheckedLaunch(const PlannedShape& shape, const InputCase& input, std::uint64_t seed,
                const operators::CheckLimits& limits)
      : shape_(&shape),
        input_(input),
        seed_(seed),
        limits_(limits) {}

  bool is_output(std::size_t tensor) const;
  TensorAfter tensor_after(std::size_t tensor, std::span<const std::byte> after) const;
  base::Status expect();
  bool differs(const std::vector<operators::ExpectedOutput>& before) const;

  const PlannedShape* shape_;
  InputCase input_;
  std::uint64_t seed_;
  operators::CheckLimits limits_;
  operators::ShapeTable shapes_;
  std::vector<double> scalars_;
  std::vector<std::vector<std::byte>> inputs_;  // In contract order.
  std::vector<Poison> poison_;
  std::vector<std::vector<std::byte>> outputs_;
  std::vector<std::vector<std::byte>> last_outputs_;
  std::optional<std::vector<operators::ExpectedOutput>> expected_;
  double worst_ratio_ = 0;
};

}  // namespace halyard::verification
