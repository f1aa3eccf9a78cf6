// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/log.h"
#include "runtime/base/result.h"
#include "runtime/core/backend_set.h"
#include "runtime/dispatch/launch_plan.h"
#include "runtime/operators/problem.h"
#include "runtime/worker/worker_request.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::worker {

// A problem, and the kernel's plan for it.
struct PreparedKernel {
  operators::Problem problem;
  base::Ref<dispatch::LaunchPlan> plan;
};

// The one kernel of this process on the one device that it uses.
class LoadedKernel {
 public:
  // `confine_kernel_thread` as core::BackendSettings. `code` is borrowed for this object's life.
  // Errors: what the record, the contract or the device says.
  static base::Result<LoadedKernel> load(const LoadRequest& request,
                                         std::span<const std::byte> code,
                                         void (*confine_kernel_thread)());

  core::Device& device() const { return *device_; }
  // What the device has told of its last launch; empty unless that was asked for.
  const std::string& told() const { return *told_; }

  // Errors: UNSUPPORTED when the device or the problem does not meet the kernel's record.
  base::Result<PreparedKernel> prepare(const PrepareRequest& request) const;

 private:
  LoadedKernel() = default;

  void listen_to(base::Log& log);

  std::unique_ptr<std::string> told_ = std::make_unique<std::string>();  // stays where it is
  std::unique_ptr<core::BackendSet> backends_;
  base::Ref<core::Device> device_;
  base::Ref<const operators::Contract> contract_;
  store::KernelRecord record_;
  std::string target_;
  std::string build_;
  store::ParameterValues parameters_;
  std::span<const std::byte> code_;
};

}  // namespace halyard::worker
