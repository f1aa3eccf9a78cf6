// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/launch/loaded_object.h"
#include "backends/emulator/observe/observer.h"
#include "backends/emulator/observe/report.h"
#include "runtime/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::emulator {

// One explicit argument of a kernel, in its order: memory or a value.
struct LaunchArgument {
  std::string name;           // for reports
  std::byte* host = nullptr;  // memory, borrowed; null: the kernel gets the address 0
  std::uint64_t size_bytes = 0;
  bool is_writable = false;
  bool is_value = false;
  // Its low bytes, as many as the kernel's metadata says. A value of more bytes is at `host`.
  std::uint64_t value = 0;
};

struct LaunchOptions {
  std::uint64_t instruction_budget = 0;  // of all waves together; 0: none
  std::uint32_t threads = 1;             // workgroups at once; 1 where there is an observer
  // Workgroups and waves in an order, and in turns, that this number tells; nothing: workgroups in
  // order, each wave until it waits.
  std::optional<std::uint64_t> schedule_seed;
  Observer* observer = nullptr;  // borrowed
};

struct LaunchDesc {
  std::array<std::uint32_t, 3> grid = {1, 1, 1};   // workgroups
  std::array<std::uint32_t, 3> block = {1, 1, 1};  // work-items of a workgroup
  std::uint32_t dynamic_lds_bytes = 0;
  std::vector<LaunchArgument> arguments;
  LaunchOptions options;
};

struct LaunchOutcome {
  std::optional<Report> report;  // the launch ended there; memory holds what was stored until then
  std::uint64_t instructions = 0;
};

// Executes a kernel over its grid. The result does not depend on the number of threads: a kernel
// with atomics on memory runs on one. Of one thread, it is the calling one.
// Errors: kInvalidArgument for arguments, a grid or a block that the kernel does not take;
// kOutOfMemory; kUnsupported for more LDS or scratch than the target has.
base::Result<LaunchOutcome> launch(const LoadedObject& object, const LoadedKernel& kernel,
                                   const LaunchDesc& desc);

}  // namespace halyard::emulator
