// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/dispatch/operation.h"
#include "runtime/operators/problem.h"
#include "runtime/operators/reference.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halyard::selection {

// One launch with tensors of its own: random inputs, poisoned outputs, guard bytes around each.
// One thread at a time.
class Trial {
 public:
  // `problem` and `axes` are borrowed for the trial's life. Tensors that the contract lets be
  // constant become constants, so that every kernel can be tried.
  static base::Result<Trial> create(core::Device& device, const operators::Problem& problem,
                                    std::span<const std::int64_t> axes, std::uint64_t seed);

  const dispatch::ConstantTable& constants() const { return constants_; }

  // Runs `operation`, prepared from the trial's problem and constants, and compares every output
  // element with the reference. Gives the worst ratio of error to tolerance.
  // Errors: CORRUPT_DATA with the first thing that is wrong; what the device answers.
  base::Result<double> check(const dispatch::Operation& operation);

 private:
  struct Tensor {
    operators::WritableTensor host;  // values before the launch
    std::vector<std::byte> bytes;    // behind `host`
    base::Ref<core::Buffer> buffer;  // null when constant or not present
    std::uint64_t size_bytes = 0;
  };

  Trial(const operators::Problem& problem, std::span<const std::int64_t> axes)
      : problem_(&problem),
        axes_(axes) {}

  base::Status place_tensors(core::Device& device);
  base::Status launch(const dispatch::Operation& operation);
  base::Result<double> compare(std::size_t tensor, operators::Reference& reference,
                               std::span<const std::byte> output) const;
  base::Result<std::vector<std::byte>> read_guarded(std::size_t tensor) const;

  const operators::Problem* problem_;
  std::span<const std::int64_t> axes_;
  operators::ShapeTable shapes_;
  std::vector<double> scalars_;
  std::vector<Tensor> tensors_;
  dispatch::ConstantTable constants_;
};

}  // namespace halyard::selection
