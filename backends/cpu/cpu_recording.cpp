// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_recording.h"

#include <utility>

namespace halyard::cpu {

base::Result<base::Ref<core::Recording>> CpuRecording::create(
    core::Device& device, std::span<const core::Dispatch> dispatches) {
  auto recording = base::make_ref<CpuRecording>(device);
  for (const core::Dispatch& dispatch : dispatches)
    HALYARD_TRY(recording->append(dispatch));
  return base::Ref<core::Recording>(std::move(recording));
}

CpuRecording::CpuRecording(core::Device& device) : core::Recording(device) {}

CpuRecording::~CpuRecording() = default;

base::Status CpuRecording::append(const core::Dispatch& dispatch) {
  CpuArguments arguments;
  Step step;
  HALYARD_TRY(make_launch(dispatch, arguments, step.launch));
  step.arguments.assign(arguments.begin(), arguments.begin() + dispatch.arguments.size());
  steps_.push_back(std::move(step));
  executables_.push_back(base::Ref<core::Executable>::share(dispatch.executable));
  for (const core::ArgumentValue& value : dispatch.arguments) {
    if (value.buffer != nullptr) buffers_.push_back(base::Ref<core::Buffer>::share(value.buffer));
  }
  return base::ok();
}

base::Status CpuRecording::run(CpuWorkerPool& pool, CpuScratch& scratch) const {
  for (const Step& step : steps_) {
    CpuLaunch launch = step.launch;
    launch.arguments = step.arguments.data();
    HALYARD_TRY(pool.run(launch, scratch));
  }
  return base::ok();
}

}  // namespace halyard::cpu
