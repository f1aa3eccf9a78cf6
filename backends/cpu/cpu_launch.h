// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_kernel.h"
#include "runtime/base/result.h"
#include "runtime/core/queue.h"

#include <array>
#include <cstdint>

namespace halyard::cpu {

// One call of a kernel over a whole grid.
struct CpuLaunch {
  KernelEntry entry = nullptr;
  const std::uint64_t* arguments = nullptr;  // borrowed
  std::array<std::uint32_t, 3> grid = {1, 1, 1};
  std::uint64_t group_count = 1;
  bool static_partition = true;
  std::uint64_t scratch_bytes = 0;  // of each thread
};

using CpuArguments = std::array<std::uint64_t, kMaximumArguments>;

// Fills `arguments` and gives a launch that borrows it. The executable and the buffers are those of
// a CPU device. Allocates nothing unless it fails.
base::Status make_launch(const core::Dispatch& dispatch, CpuArguments& arguments,
                         CpuLaunch& out_launch);

}  // namespace halyard::cpu
