// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_launch.h"

#include "backends/emulator/detect/detectors.h"
#include "backends/emulator/detect/observer_pair.h"
#include "backends/emulator/detect/statistics.h"
#include "backends/emulator/emulator_device.h"
#include "backends/emulator/emulator_executable.h"
#include "backends/emulator/launch/launch.h"
#include "runtime/base/text.h"
#include "runtime/core/buffer.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

namespace halyard::emulator {
namespace {

base::Error invalid(std::string sentence) {
  return base::Error(base::ErrorCode::kInvalidArgument, std::move(sentence));
}

LaunchArgument make_argument(const core::ArgumentLayout& layout, const core::ArgumentValue& value) {
  LaunchArgument argument;
  argument.name = layout.name;
  argument.is_value = !layout.is_buffer;
  argument.is_writable = layout.is_written;
  argument.value = value.bits;
  if (value.buffer != nullptr) {
    argument.host = value.buffer->host_pointer() + value.offset_bytes;
    argument.size_bytes = value.length_bytes;
  }
  return argument;
}

// What sees a launch: detectors in full mode, statistics where somebody reads them.
class LaunchObservers {
 public:
  LaunchObservers(const EmulatorDevice& device, const LoadedObject& object,
                  const LoadedKernel& kernel) {
    if (device.settings().has_detectors) detectors_.emplace();
    if (device.log().enabled(base::LogLevel::kDebug)) statistics_.emplace(object, kernel);
    if (detectors_ && statistics_) both_.emplace(*detectors_, *statistics_);
  }

  // Null where nothing does.
  Observer* observer() {
    if (both_) return &*both_;
    if (detectors_) return &*detectors_;
    return statistics_ ? &*statistics_ : nullptr;
  }

  void tell(const EmulatorDevice& device, const std::string& kernel) const {
    if (!statistics_) return;
    device.log().write(
        base::LogLevel::kDebug,
        base::concat("Kernel ", kernel, ": ", statistics_line(statistics_->summary())));
  }

 private:
  std::optional<Detectors> detectors_;
  std::optional<Statistics> statistics_;
  std::optional<ObserverPair> both_;
};

}  // namespace

base::Status check_dispatch(const core::Dispatch& dispatch) {
  const core::Executable& executable = *dispatch.executable;
  if (dispatch.stage >= executable.stage_count()) {
    return invalid(base::concat("Stage ", dispatch.stage, " is not one of the ",
                                executable.stage_count(), " stages of kernel \"", executable.name(),
                                "\"."));
  }
  const core::StageDesc& stage = executable.stage(dispatch.stage);
  if (dispatch.arguments.size() == stage.arguments.size()) return base::ok();
  return invalid(base::concat("Entry \"", stage.entry, "\" of kernel \"", executable.name(),
                              "\" takes ", stage.arguments.size(), " arguments and is given ",
                              dispatch.arguments.size(), "."));
}

base::Status run_dispatch(EmulatorDevice& device, const core::Dispatch& dispatch) {
  HALYARD_TRY(device.fork_guard().check());
  const auto& executable = static_cast<const EmulatorExecutable&>(*dispatch.executable);
  HALYARD_TRY(check_dispatch(dispatch));
  const core::StageDesc& stage = executable.stage(dispatch.stage);
  LaunchDesc desc;
  desc.grid = dispatch.grid;
  desc.block = stage.block;
  for (std::size_t i = 0; i < dispatch.arguments.size(); ++i) {
    desc.arguments.push_back(make_argument(stage.arguments[i], dispatch.arguments[i]));
  }
  const EmulatorSettings& settings = device.settings();
  desc.options.instruction_budget = settings.instruction_budget;
  desc.options.threads = settings.threads;
  desc.options.schedule_seed = device.next_schedule_seed();
  const LoadedKernel& kernel = executable.kernel(dispatch.stage);
  LaunchObservers observers(device, executable.object(), kernel);
  desc.options.observer = observers.observer();
  HALYARD_TRY_ASSIGN(const LaunchOutcome outcome, launch(executable.object(), kernel, desc));
  if (outcome.report) return fault(*outcome.report);
  observers.tell(device, kernel.name);
  return base::ok();
}

base::Error fault(const Report& report) {
  const bool is_ours = report.kind == ReportKind::kUnknownInstruction;
  // One line: what comes from a confined process is printed as one.
  std::string text;
  std::istringstream lines(report_text(report));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const char* const joint = text.empty() ? "" : text.back() == '.' ? " In " : "; ";
    text += base::concat(joint, line.substr(begin));
  }
  if (text.back() != '.') text += '.';
  return base::Error(is_ours ? base::ErrorCode::kUnsupported : base::ErrorCode::kKernelFault,
                     std::move(text));
}

}  // namespace halyard::emulator
