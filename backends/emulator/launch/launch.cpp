// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/launch.h"

#include "backends/emulator/execute/float_mode_scope.h"
#include "backends/emulator/launch/launch_memory.h"
#include "backends/emulator/launch/schedule.h"
#include "backends/emulator/launch/workgroup_runner.h"
#include "backends/host/host_thread.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace halyard::emulator {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

constexpr std::uint64_t kLargestBlock = 1024;
constexpr std::uint64_t kMostWorkgroups = std::uint64_t{1} << 48;
constexpr std::uint64_t kMostThreads = 256;
constexpr std::uint32_t kMostPrivateBytes = 128U << 10;  // of a lane
// Of all threads together; fewer threads run where each takes more.
constexpr std::uint64_t kMostScratchBytes = std::uint64_t{1} << 30;

Status check_shape(const LoadedKernel& kernel, const LaunchDesc& desc) {
  for (std::size_t i = 0; i < desc.grid.size(); ++i) {
    const std::uint64_t items = std::uint64_t{desc.grid[i]} * desc.block[i];
    if (items == 0 || items > UINT32_MAX || desc.block[i] > kLargestBlock) {
      return Error(ErrorCode::kInvalidArgument,
                   concat("Axis ", i, " has ", desc.grid[i], " workgroups of ", desc.block[i],
                          " work-items; at least one, and at most ", UINT32_MAX,
                          " together, can be launched."));
    }
  }
  const std::uint64_t plane = std::uint64_t{desc.grid[0]} * desc.grid[1];
  if (plane > kMostWorkgroups / desc.grid[2]) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("A grid of (", base::join(desc.grid), ") workgroups has more than ",
                        kMostWorkgroups, ", which are the most."));
  }
  const std::uint64_t block = std::uint64_t{desc.block[0]} * desc.block[1] * desc.block[2];
  const std::uint64_t limit =
      kernel.metadata.max_flat_workgroup_size != 0
          ? std::min<std::uint64_t>(kernel.metadata.max_flat_workgroup_size, kLargestBlock)
          : kLargestBlock;
  if (block > limit) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("A workgroup has ", block, " work-items; kernel \"", kernel.name,
                        "\" takes ", limit, "."));
  }
  const auto& required = kernel.metadata.required_workgroup_size;
  if (required && *required != desc.block) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("A workgroup has (", base::join(desc.block), ") work-items; kernel \"",
                        kernel.name, "\" takes (", base::join(*required), ")."));
  }
  return base::ok();
}

Status check_memory(const LoadedObject& object, const LoadedKernel& kernel,
                    const LaunchDesc& desc) {
  const std::uint32_t most = kernel.program->tables().target().lds_bytes_per_workgroup;
  const std::uint64_t lds =
      std::uint64_t{kernel.descriptor.group_segment_bytes} + desc.dynamic_lds_bytes;
  if (lds > most) {
    return Error(ErrorCode::kUnsupported,
                 concat("Kernel \"", kernel.name, "\" takes ", lds, " bytes of LDS; ",
                        object.target().processor, " has ", most, "."));
  }
  if (kernel.descriptor.private_segment_bytes > kMostPrivateBytes) {
    return Error(
        ErrorCode::kUnsupported,
        concat("Kernel \"", kernel.name, "\" takes ", kernel.descriptor.private_segment_bytes,
               " bytes of scratch for each lane; the most is ", kMostPrivateBytes, "."));
  }
  return base::ok();
}

// Runs the workgroups of a launch, by several threads where the result is the same.
class GridRunner {
 public:
  explicit GridRunner(LaunchState& state)
      : state_(state),
        count_(std::uint64_t{state.desc.grid[0]} * state.desc.grid[1] * state.desc.grid[2]) {}

  LaunchOutcome run() {
    const LaunchOptions& options = state_.desc.options;
    const bool is_alone = options.observer != nullptr || options.schedule_seed ||
                          state_.kernel.program->has_memory_atomics();
    const std::uint64_t items =
        std::uint64_t{state_.desc.block[0]} * state_.desc.block[1] * state_.desc.block[2];
    const std::uint64_t scratch =
        items * std::max(1U, state_.kernel.descriptor.private_segment_bytes);
    const std::uint64_t most =
        std::min({count_, kMostThreads, std::max<std::uint64_t>(1, kMostScratchBytes / scratch)});
    const std::uint64_t threads =
        is_alone ? 1 : std::clamp<std::uint64_t>(options.threads, 1, most);
    std::vector<Worker> workers;
    for (std::uint64_t i = 0; i < threads; ++i)
      workers.push_back({this, std::make_unique<WorkgroupRunner>(state_)});
    // Where the system gives fewer threads, each of them runs more workgroups.
    std::vector<pthread_t> others;
    others.reserve(workers.size());
    for (std::size_t i = 1; i < workers.size(); ++i) {
      const auto thread = host::start_thread({"emulator", {}, false}, work_of, &workers[i]);
      if (!thread) break;
      others.push_back(*thread);
    }
    work(*workers[0].runner);
    for (const pthread_t thread : others)
      ::pthread_join(thread, nullptr);
    if (failure_) std::rethrow_exception(failure_);
    LaunchOutcome outcome;
    outcome.report = std::move(report_);
    outcome.instructions = state_.executed.load();
    return outcome;
  }

 private:
  struct Worker {
    GridRunner* grid = nullptr;
    std::unique_ptr<WorkgroupRunner> runner;
  };

  static void* work_of(void* worker) {
    const auto* const self = static_cast<Worker*>(worker);
    self->grid->work(*self->runner);
    return nullptr;
  }

  void work(WorkgroupRunner& runner);
  void keep(std::uint64_t position, Report report);

  LaunchState& state_;
  const std::uint64_t count_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<std::uint64_t> stopped_at_ = UINT64_MAX;  // the first position that was stopped
  std::mutex mutex_;                                    // guards report_ and failure_
  std::optional<Report> report_;
  std::exception_ptr failure_;
};

// Every workgroup before the first one that is stopped runs to its end, so that the report is the
// same by any number of threads.
void GridRunner::work(WorkgroupRunner& runner) {
  // Instructions rely on it; an application may have set its thread to round or flush otherwise.
  const lanes::FloatModeScope nearest_with_denormals(0, 3);
  try {
    const auto& seed = state_.desc.options.schedule_seed;
    const WorkgroupOrder order(count_, seed.value_or(0));
    for (;;) {
      const std::uint64_t position = next_.fetch_add(1);
      if (position >= count_ || position > stopped_at_.load()) return;
      auto report = runner.run(seed ? order(position) : position);
      if (report) keep(position, std::move(*report));
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    stopped_at_.store(0);
  }
}

void GridRunner::keep(std::uint64_t position, Report report) {
  const std::lock_guard lock(mutex_);
  if (position >= stopped_at_.load()) return;
  stopped_at_.store(position);
  report_ = std::move(report);
}

InitialRegisters initial_registers(const LoadedObject& object, const LoadedKernel& kernel,
                                   const LaunchDesc& desc, const LaunchMemory& memory) {
  InitialRegisters registers;
  registers.generation = kernel.program->tables().target().generation;
  registers.mode = float_mode_of(kernel.descriptor, object.target());
  registers.lanes = kernel.lanes;
  registers.work_item_dimensions =
      std::min(3U, kernel.descriptor.field(object::KernelField::kWorkitemId) + 1);
  registers.block = desc.block;
  registers.dispatch_address = memory.dispatch_address();
  registers.queue_address = memory.queue_address();
  registers.kernarg_address = memory.kernarg_address();
  registers.kernarg = memory.kernarg();
  registers.private_bytes = kernel.descriptor.private_segment_bytes;
  return registers;
}

}  // namespace

Result<LaunchOutcome> launch(const LoadedObject& object, const LoadedKernel& kernel,
                             const LaunchDesc& desc) {
  HALYARD_TRY(check_shape(kernel, desc));
  HALYARD_TRY(check_memory(object, kernel, desc));
  try {
    LaunchMemory memory;
    HALYARD_TRY(memory.create(object, kernel, desc));
    LaunchState state{object, kernel, desc, memory, initial_registers(object, kernel, desc, memory),
                      0,      0,      0};
    HALYARD_TRY_ASSIGN(state.registers.layout, scalar_layout(kernel.descriptor, object.target()));
    const std::uint32_t items = desc.block[0] * desc.block[1] * desc.block[2];
    state.waves = (items + kernel.lanes - 1) / kernel.lanes;
    state.lds_bytes = kernel.descriptor.group_segment_bytes + desc.dynamic_lds_bytes;
    return GridRunner(state).run();
  } catch (const std::bad_alloc&) {
    return Error(ErrorCode::kOutOfMemory,
                 concat("There is no memory for the registers and the scratch of kernel \"",
                        kernel.name, "\"."));
  }
}

}  // namespace halyard::emulator
