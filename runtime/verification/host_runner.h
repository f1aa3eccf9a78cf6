// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/runner.h"

#include <functional>
#include <span>
#include <vector>

namespace halyard::verification {

// What a function sees of one launch.
struct HostLaunch {
  const operators::Problem* problem = nullptr;
  std::span<const std::int64_t> launch_axes;
  std::span<const operators::WritableTensor> tensors;  // In contract order.
  std::span<const double> scalars;
};

// A function of this process in the place of a candidate: trusted, and for measuring the verifier.
class HostRunner final : public Runner {
 public:
  using Function = std::function<void(const HostLaunch& launch)>;

  // A function that counts on packed tensors gets no others.
  explicit HostRunner(Function function, bool takes_rows_apart = false)
      : function_(std::move(function)),
        takes_rows_apart_(takes_rows_apart) {}

  base::Result<std::vector<TensorMemory>> place(const LaunchDesc& desc) override;
  base::Result<LaunchOutcome> launch() override;
  // A function that remembers counts these.
  void restart() override { ++restarts_; }
  std::uint64_t restarts() const { return restarts_; }

 private:
  Function function_;
  bool takes_rows_apart_;
  std::uint64_t restarts_ = 0;
  const operators::Problem* problem_ = nullptr;
  std::vector<std::int64_t> launch_axes_;
  std::vector<double> scalars_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<operators::WritableTensor> tensors_;
};

}  // namespace halyard::verification
