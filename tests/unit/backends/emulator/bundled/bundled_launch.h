// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/launch/launch.h"
#include "backends/emulator/launch/loaded_object.h"
#include "kernel-store/bundle.h"
#include "runtime/operators/axis_values.h"
#include "runtime/operators/reference.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::emulator::testing {

// A bundled kernel for one processor and one binding of types, as the data directory has it.
struct BundledKernel {
  store::KernelRecord record;
  store::KernelBuild build;
  std::unique_ptr<const LoadedObject> object;
};

// The kernels of the data directory that have a build for `processor`, by name; of each the build
// for each binding of types. A failure of the test where one does not load.
std::vector<BundledKernel> bundled_kernels(std::string_view processor);

// How one launch is made.
struct LaunchShape {
  std::vector<operators::AxisValue> axes;
  operators::Attributes attributes;
  std::uint64_t seed = 1;
  bool has_specials = false;     // NaN, infinities and subnormal numbers among the inputs
  std::int64_t row_padding = 0;  // elements between rows, where the contract leaves strides open
};

// What became of it: nothing, where every output is within its tolerance, no byte around the
// tensors has changed, and no report came.
struct LaunchVerdict {
  std::string failure;  // one sentence
  double worst_ratio = 0;
  std::uint64_t instructions = 0;
};

// Whether the attributes and conditions of kernel.json hold.
bool is_served(const BundledKernel& kernel, const LaunchShape& shape);

// The shapes of the golden vectors of its contract that a kernel serves.
std::vector<LaunchShape> golden_shapes(const BundledKernel& kernel);

// Names the kernel, its binary and the shape.
std::string launch_title(const BundledKernel& kernel, const LaunchShape& shape);

// Runs all stages once and compares with the f64 reference. `options` is for the interpreter.
LaunchVerdict launch_and_check(const BundledKernel& kernel, const LaunchShape& shape,
                               const LaunchOptions& options);

}  // namespace halyard::emulator::testing
