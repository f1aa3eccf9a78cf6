// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_launch.h"

#include "backends/cpu/cpu_executable.h"
#include "backends/host/host_buffer.h"
#include "runtime/base/text.h"

namespace halyard::cpu {
namespace {

base::Error bad_stage(const CpuExecutable& executable, std::uint32_t stage) {
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("Stage ", stage, " is not one of the ", executable.stage_count(),
                                  " stages of kernel \"", executable.name(), "\"."));
}

base::Error bad_argument_count(const CpuExecutable& executable, const core::Dispatch& dispatch) {
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("Entry \"", executable.stage(dispatch.stage).entry,
                                  "\" of kernel \"", executable.name(), "\" takes ",
                                  executable.stage(dispatch.stage).arguments.size(),
                                  " arguments and is given ", dispatch.arguments.size(), "."));
}

base::Error bad_grid(const std::array<std::uint32_t, 3>& grid) {
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("A grid of ", grid[0], " x ", grid[1], " x ", grid[2],
                                  " groups has more than 2^64 of them."));
}

}  // namespace

base::Status make_launch(const core::Dispatch& dispatch, CpuArguments& arguments,
                         CpuLaunch& out_launch) {
  const auto& executable = static_cast<const CpuExecutable&>(*dispatch.executable);
  if (dispatch.stage >= executable.stage_count()) return bad_stage(executable, dispatch.stage);
  const core::StageDesc& stage = executable.stage(dispatch.stage);
  if (dispatch.arguments.size() != stage.arguments.size()) {
    return bad_argument_count(executable, dispatch);
  }
  const std::array<std::uint32_t, 3>& grid = dispatch.grid;
  std::uint64_t group_count = std::uint64_t{grid[0]} * grid[1];
  if (__builtin_mul_overflow(group_count, grid[2], &group_count)) return bad_grid(grid);

  std::uint64_t* slot = arguments.data();
  for (const core::ArgumentValue& value : dispatch.arguments) {
    *slot++ =
        value.buffer == nullptr
            ? value.bits
            : static_cast<const host::HostBuffer*>(value.buffer)->address() + value.offset_bytes;
  }
  out_launch.entry = executable.entry(dispatch.stage);
  out_launch.arguments = arguments.data();
  out_launch.grid = grid;
  out_launch.group_count = group_count;
  out_launch.static_partition = stage.cpu_static_partition;
  out_launch.scratch_bytes = stage.cpu_scratch_bytes;
  return base::ok();
}

}  // namespace halyard::cpu
