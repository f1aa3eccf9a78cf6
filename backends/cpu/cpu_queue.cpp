// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_queue.h"

#include "backends/cpu/cpu_recording.h"
#include "runtime/base/ref.h"

namespace halyard::cpu {

CpuQueue::CpuQueue(core::Device& device, CpuWorkerPool& pool)
    : host::HostQueue(device, pool.fork_guard()),
      pool_(pool) {}

CpuQueue::~CpuQueue() = default;

base::Status CpuQueue::dispatch(const core::Dispatch& dispatch) {
  if (is_deferring()) [[unlikely]] {
    HALYARD_TRY_ASSIGN(auto recording, CpuRecording::create(device(), {&dispatch, 1}));
    return replay(*recording);
  }
  CpuArguments arguments;  // filled as far as it is used
  CpuLaunch launch;
  HALYARD_TRY(make_launch(dispatch, arguments, launch));
  return pool_.run(launch, scratch_);
}

base::Status CpuQueue::replay(core::Recording& recording) {
  const auto& steps = static_cast<const CpuRecording&>(recording);
  if (!is_deferring()) return steps.run(pool_, scratch_);
  return run_or_defer([this, &steps, held = base::Ref<core::Recording>::share(&recording)] {
    return steps.run(pool_, scratch_);
  });
}

}  // namespace halyard::cpu
