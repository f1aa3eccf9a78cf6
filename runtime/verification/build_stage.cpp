// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/build_stage.h"

#include "runtime/base/sha256.h"
#include "runtime/base/text.h"
#include "runtime/toolchain/compile_plan.h"
#include "runtime/worker/compile_sandbox.h"

#include <algorithm>
#include <utility>

namespace halyard::verification {
namespace {

constexpr std::size_t kShownDiagnostics = 600;

Finding refusal(const worker::CompileResult& result, const store::KernelBuild& build) {
  std::string sentence = base::concat("The build for ", build.target, " fails: ", result.sentence);
  if (!result.diagnostics.empty()) {
    sentence += base::concat(" ", result.diagnostics.substr(0, kShownDiagnostics));
  }
  return {Stage::kBuild, VerdictClass::kStatic, std::move(sentence), std::nullopt};
}

// The steps that are to be made: for each binding the best target that is wanted.
std::vector<toolchain::CompileStep> wanted_steps(std::vector<toolchain::CompileStep> steps,
                                                 const BuildSetting& setting) {
  if (setting.types) {
    std::erase_if(steps, [&](const auto& step) { return step.build.types != *setting.types; });
  }
  if (setting.targets.empty()) return steps;
  const auto rank = [&](const toolchain::CompileStep& step) {
    return std::find(setting.targets.begin(), setting.targets.end(), step.build.target) -
           setting.targets.begin();
  };
  const auto none = static_cast<std::ptrdiff_t>(setting.targets.size());
  std::vector<toolchain::CompileStep> wanted;
  for (toolchain::CompileStep& step : steps) {
    if (rank(step) == none) continue;
    const auto same = std::find_if(wanted.begin(), wanted.end(), [&](const auto& other) {
      return other.build.types == step.build.types;
    });
    if (same == wanted.end()) {
      wanted.push_back(std::move(step));
    } else if (rank(step) < rank(*same)) {
      *same = std::move(step);
    }
  }
  return wanted;
}

}  // namespace

base::Result<BuildOutcome> build_package(const store::KernelPackage& package,
                                         const BuildSetting& setting) {
  BuildOutcome outcome;
  auto steps = toolchain::plan_package(package, std::string(worker::kConfinedPreludeRoot),
                                       setting.compilers);
  if (!steps) {
    if (steps.error().code() == base::ErrorCode::kNotFound) return std::move(steps.error());
    outcome.finding =
        Finding{Stage::kBuild, VerdictClass::kStatic, steps.error().message(), std::nullopt};
    return outcome;
  }
  store::PackageFiles prelude;
  if (package.record.prelude) {
    HALYARD_TRY_ASSIGN(
        prelude, store::load_prelude(setting.data_directory + "/prelude", *package.record.prelude));
  }
  std::vector<toolchain::CompileStep> wanted = wanted_steps(std::move(*steps), setting);
  if (wanted.empty()) {
    outcome.finding = Finding{Stage::kBuild, VerdictClass::kStatic,
                              base::concat("The package has no build for the device, which takes ",
                                           base::join(setting.targets), "; its targets are ",
                                           base::join(package.record.targets), "."),
                              std::nullopt};
    return outcome;
  }
  for (toolchain::CompileStep& step : wanted) {
    worker::CompileRequest request;
    request.package = &package;
    request.prelude = &prelude;
    request.worker_program = setting.worker_program;
    request.isolation = setting.isolation;
    request.may_be_unconfined = setting.may_be_unconfined;
    store::KernelBuild build = step.build;
    request.step = std::move(step);
    HALYARD_TRY_ASSIGN(worker::CompileResult result, worker::compile_confined(request));
    if (result.kind != worker::CompileResult::Kind::kCompiled) {
      outcome.finding = refusal(result, build);
      return outcome;
    }
    const auto text =
        std::string_view(reinterpret_cast<const char*>(result.object.data()), result.object.size());
    build.sha256 = base::Sha256::of(text);
    outcome.codes.push_back({std::move(build), std::move(result.object)});
  }
  return outcome;
}

}  // namespace halyard::verification
