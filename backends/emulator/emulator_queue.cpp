// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_queue.h"

#include "backends/emulator/emulator_device.h"
#include "backends/emulator/emulator_launch.h"
#include "backends/emulator/emulator_recording.h"
#include "runtime/base/ref.h"

namespace halyard::emulator {

EmulatorQueue::EmulatorQueue(EmulatorDevice& device)
    : host::HostQueue(device, device.fork_guard()),
      device_(device) {}

EmulatorQueue::~EmulatorQueue() = default;

base::Status EmulatorQueue::dispatch(const core::Dispatch& dispatch) {
  if (!is_deferring()) return run_dispatch(device_, dispatch);
  HALYARD_TRY_ASSIGN(auto recording, EmulatorRecording::create(device_, {&dispatch, 1}));
  return replay(*recording);
}

base::Status EmulatorQueue::replay(core::Recording& recording) {
  const auto& steps = static_cast<const EmulatorRecording&>(recording);
  return run_or_defer(
      [&steps, held = base::Ref<core::Recording>::share(&recording)] { return steps.run(); });
}

}  // namespace halyard::emulator
