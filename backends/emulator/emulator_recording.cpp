// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_recording.h"

#include "backends/emulator/emulator_device.h"
#include "backends/emulator/emulator_launch.h"

#include <utility>

namespace halyard::emulator {

base::Result<base::Ref<core::Recording>> EmulatorRecording::create(
    EmulatorDevice& device, std::span<const core::Dispatch> dispatches) {
  auto recording = base::make_ref<EmulatorRecording>(device);
  for (const core::Dispatch& dispatch : dispatches) {
    HALYARD_TRY(check_dispatch(dispatch));
    recording->append(dispatch);
  }
  return base::Ref<core::Recording>(std::move(recording));
}

EmulatorRecording::EmulatorRecording(EmulatorDevice& device)
    : core::Recording(device),
      device_(device) {}

EmulatorRecording::~EmulatorRecording() = default;

void EmulatorRecording::append(const core::Dispatch& dispatch) {
  steps_.push_back({base::Ref<core::Executable>::share(dispatch.executable),
                    dispatch.stage,
                    dispatch.grid,
                    {dispatch.arguments.begin(), dispatch.arguments.end()}});
  for (const core::ArgumentValue& value : dispatch.arguments) {
    if (value.buffer != nullptr) buffers_.push_back(base::Ref<core::Buffer>::share(value.buffer));
  }
}

base::Status EmulatorRecording::run() const {
  for (const Step& step : steps_) {
    HALYARD_TRY(
        run_dispatch(device_, {step.executable.get(), step.stage, step.grid, step.arguments}));
  }
  return base::ok();
}

}  // namespace halyard::emulator
