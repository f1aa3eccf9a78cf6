// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/dispatch/command_sink.h"
#include "runtime/dispatch/constant.h"
#include "runtime/dispatch/launch.h"
#include "runtime/dispatch/launch_plan.h"
#include "runtime/operators/problem.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halyard::dispatch {

// The kernel an operation runs, and what is known of the choice. Operations of one request share
// it.
struct KernelChoice final : public base::RefCounted {
  base::Ref<LaunchPlan> plan;  // null: the f64 reference
  std::string kernel_name;
  std::string kernel_id;  // 64 hexadecimal digits; "" for the reference
  std::string target;
  std::string state;
  std::string explanation;                  // halyard.explanation/1
  std::optional<std::string> asked_kernel;  // id or name of the only one that may be taken
};

// Constants by the place of their tensor in the contract; null where a view is given.
using ConstantTable = std::array<base::Ref<Constant>, operators::kMaxTensors>;

// Which launch axis values an operation accepts, in launch order.
using AxisBounds = std::vector<std::int64_t>;

// A contract prepared on a device. Any number of threads may enqueue at once, each on its own
// queue; adopt() excludes everything else.
class Operation final : public base::RefCounted {
 public:
  // Repacks constants into the layouts that the chosen kernel wants.
  static base::Result<base::Ref<Operation>> create(core::Device& device, operators::Problem problem,
                                                   ConstantTable constants, AxisBounds bounds,
                                                   base::Ref<const KernelChoice> choice);

  core::Device& device() const { return *device_; }
  const operators::Problem& problem() const { return problem_; }
  const ConstantTable& constants() const { return constants_; }
  const AxisBounds& bounds() const { return bounds_; }
  const KernelChoice& choice() const { return *choice_; }
  bool is_reference() const { return !choice_->plan; }

  // Errors: INVALID_ARGUMENT, OUTSIDE_GUARDS, and what the queue answers.
  base::Status enqueue(core::Queue& queue, const Launch& launch) const;
  // Checks the launch and gives its commands to `sink`. Not for the reference.
  base::Status emit(CommandSink& sink, const Launch& launch) const;
  // The checks of views, axes, guards and workspace that emit() makes, without commands.
  base::Status check(const Launch& launch) const;

  base::Result<std::uint64_t> workspace_bytes(std::span<const std::int64_t> axes) const;
  base::Status check_axes(std::span<const std::int64_t> axes) const;

  // Takes another kernel. On failure the operation is unchanged.
  base::Status adopt(base::Ref<const KernelChoice> choice);

 private:
  struct PackedSet {
    PackedBuffers buffers{};
    std::vector<base::Ref<core::Buffer>> references;
  };

  Operation(core::Device& device, operators::Problem problem, ConstantTable constants,
            AxisBounds bounds);
  base::Result<PackedSet> pack_constants(const LaunchPlan& plan) const;
  base::Status bind(const Launch& launch, BoundLaunch& bound) const;
  base::Status check_counts(const Launch& launch) const;
  base::Status run_reference(core::Queue& queue, const Launch& launch) const;

  base::Ref<core::Device> device_;
  operators::Problem problem_;
  ConstantTable constants_;
  AxisBounds bounds_;
  base::Ref<const KernelChoice> choice_;
  PackedSet packed_;
};

}  // namespace halyard::dispatch
