// SPDX-License-Identifier: Apache-2.0
#include "tools/worker/loaded_kernel.h"

#include "runtime/backend_table.h"
#include "runtime/base/text.h"
#include "runtime/selection/kernel_conditions.h"
#include "runtime/selection/requirement_check.h"

#include <utility>

namespace halyard::worker {
namespace {

base::Error unserved(const std::string& reason) {
  return base::Error(base::ErrorCode::kUnsupported, reason);
}

void set_emulation(const LoadRequest& request, base::Configuration& configuration) {
  configuration.data_directory.value = request.data_directory;
  configuration.emulator_mode.value = base::EmulatorMode::kFull;
  configuration.emulator_budget.value = request.emulation.instruction_budget;
  configuration.emulator_schedule.value = request.emulation.schedule_seed;
}

}  // namespace

base::Result<LoadedKernel> LoadedKernel::load(const LoadRequest& request,
                                              std::span<const std::byte> code,
                                              void (*confine_kernel_thread)()) {
  LoadedKernel loaded;
  HALYARD_TRY_ASSIGN(loaded.contract_, operators::Contract::parse(request.contract, "contract"));
  HALYARD_TRY_ASSIGN(loaded.record_, store::parse_kernel_record(request.kernel, "kernel.json"));
  base::Configuration configuration;
  configuration.log_level = {base::LogLevel::kOff};
  if (is_emulated(request.device)) set_emulation(request, configuration);
  const auto settings =
      base::make_ref<core::BackendSettings>(std::move(configuration), confine_kernel_thread);
  if (request.emulation.has_statistics) loaded.listen_to(settings->log);
  loaded.backends_ = std::make_unique<core::BackendSet>(backend_table(), settings);
  HALYARD_TRY_ASSIGN(loaded.device_, loaded.backends_->device(request.device));
  for (const store::Requirement& requirement : loaded.record_.requirements) {
    if (auto reason = selection::unmet_reason(requirement, *loaded.device_)) {
      return unserved(*reason);
    }
  }
  loaded.target_ = request.target;
  loaded.build_ = request.build;
  loaded.parameters_ = request.parameters;
  loaded.code_ = code;
  return loaded;
}

void LoadedKernel::listen_to(base::Log& log) {
  log.set_level(base::LogLevel::kDebug);
  log.set_callback([told = told_.get()](base::LogLevel level, std::string_view sentence) {
    if (level == base::LogLevel::kDebug) *told = sentence;
  });
}

base::Result<PreparedKernel> LoadedKernel::prepare(const PrepareRequest& request) const {
  HALYARD_TRY_ASSIGN(operators::Problem problem,
                     operators::Problem::create(contract_, request.types, request.attributes,
                                                request.prepare_axes));
  const std::vector<std::optional<std::int64_t>> open(contract_->launch_axes().size());
  if (auto reason = selection::unserved_reason(record_, parameters_, problem, open, *device_)) {
    return unserved(*reason);
  }
  HALYARD_TRY_ASSIGN(auto plan, dispatch::LaunchPlan::create({*device_, problem, record_, target_,
                                                              build_, parameters_, code_}));
  return PreparedKernel{std::move(problem), std::move(plan)};
}

}  // namespace halyard::worker
