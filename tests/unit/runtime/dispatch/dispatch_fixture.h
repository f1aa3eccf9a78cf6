// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/dispatch/operation.h"
#include "tests/unit/runtime/dispatch/recording_device.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace halyard::dispatch {

// A kernel.json of contract scale_rows around the members that a test sets.
std::string kernel_text(const std::string& members, const std::string& arguments,
                        const std::string& stage_members = "");

// Operations of contract scale_rows (y = weight * x; rows at launch, 64 columns) on a device that
// runs nothing.
class DispatchTest : public ::testing::Test {
 protected:
  // Prepares operation_ from a kernel, when its plan can be made.
  void make(const std::string& text, core::CapabilitySet capabilities = {});
  // As make(), with the f64 reference in place of a kernel.
  void make_reference();

  Launch launch(std::int64_t rows, TensorView workspace = {});
  base::Status emit(std::int64_t rows, TensorView workspace = {}) {
    return operation_->emit(log_, launch(rows, workspace));
  }
  base::Status check(std::int64_t rows, TensorView workspace = {}) {
    return operation_->check(launch(rows, workspace));
  }

  base::Ref<RecordingDevice> device_;
  std::unique_ptr<base::Result<base::Ref<LaunchPlan>>> created_;
  base::Ref<Operation> operation_;
  base::Ref<core::Buffer> x_;
  base::Ref<core::Buffer> weight_;
  base::Ref<core::Buffer> y_;
  CommandLog log_;

 private:
  operators::Problem make_problem();
  void make_operation(operators::Problem problem, base::Ref<const KernelChoice> choice);

  std::vector<TensorView> views_;
  std::vector<std::int64_t> axes_;
  std::vector<std::uint64_t> scalars_;
};

}  // namespace halyard::dispatch
