// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/package_verification.h"

#include "runtime/base/environment.h"
#include "runtime/base/text.h"
#include "runtime/operators/random_inputs.h"
#include "runtime/toolchain/resource_use.h"
#include "runtime/toolchain/target_flags.h"
#include "runtime/verification/build_stage.h"
#include "runtime/verification/confined_conformance.h"
#include "runtime/verification/conformance/package_check.h"
#include "runtime/verification/launch_statistics.h"
#include "runtime/verification/numerics.h"
#include "runtime/verification/reproduction.h"
#include "runtime/verification/served_launches.h"
#include "runtime/verification/stability.h"
#include "runtime/verification/target_instruction_set.h"
#include "runtime/verification/timing_stage.h"

#include <sys/random.h>

#include <algorithm>
#include <utility>

namespace halyard::verification {
namespace {

using std::chrono::steady_clock;

std::string subject_of(const store::KernelBuild& build) {
  operators::TypeBindings types(build.types.begin(), build.types.end());
  return base::concat(build.target, ", ", operators::type_bindings_text(types));
}

std::string count_text(std::uint64_t count, std::string_view one, std::string_view many) {
  return base::concat(count, " ", count == 1 ? one : many);
}

// Of one launch on an emulated device: several times what an honest kernel needs for the largest
// shape below.
constexpr std::uint64_t kEmulatedInstructions = 100'000'000;
// How much longer a launch may take there.
constexpr int kEmulatedPatience = 6;

// Of one launch that is repeated there, where a shape has so few.
constexpr std::int64_t kEmulatedSteps = 100'000;

// What an interpreter that looks for everything does within seconds.
ShapeBudget emulated_shapes() {
  ShapeBudget budget;
  // A kernel may have a workgroup for each row, however short rows are.
  budget.edge.launch_axis = 8192;
  budget.visible = budget.edge;
  budget.visible_steps = 2'000'000;
  budget.held_out = 8;
  budget.all_steps = 2'000'000;
  return budget;
}

base::Result<std::uint64_t> fresh_seed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) == static_cast<ssize_t>(sizeof seed)) return seed;
  return base::Error(base::ErrorCode::kUnavailable, "The system gives no random number.");
}

// One verification, stage by stage. A stage that finds something ends it.
class Verification {
 public:
  Verification(const VerificationSetting& setting, const VerificationOptions& options)
      : setting_(setting),
        options_(options) {}

  base::Result<VerificationReport> run(const std::string& directory, const VerifiedDevice& device) {
    report_.directory = directory;
    report_.device = device;
    HALYARD_TRY(choose_isolation());
    seed_ = options_.seed;
    if (seed_ == 0) {
      HALYARD_TRY_ASSIGN(seed_, fresh_seed());
    }
    HALYARD_TRY_ASSIGN(const bool goes_on, run_stages());
    finish(goes_on);
    return std::move(report_);
  }

 private:
  base::Status choose_isolation() {
    const worker::IsolationReport& offered = worker::probe_isolation(setting_.worker_program);
    report_.isolation = std::min(offered.level, options_.isolation);
    report_.isolation_shortfall = offered.shortfall();
    const bool is_enough =
        report_.isolation == worker::Isolation::kFull ||
        (report_.isolation == worker::Isolation::kReduced && options_.rules.accepts_reduced) ||
        options_.rules.accepts_none;
    if (is_enough) return base::ok();
    return base::Error(
        base::ErrorCode::kPermissionDenied,
        base::concat("This machine keeps unverified code apart as \"",
                     worker::isolation_name(report_.isolation),
                     "\", which is less than what is asked for: ", report_.isolation_shortfall));
  }

  base::Result<bool> run_stages() {
    HALYARD_TRY_ASSIGN(bool passed, check_manifest());
    if (!passed) return false;
    HALYARD_TRY_ASSIGN(passed, build());
    if (!passed) return false;
    HALYARD_TRY_ASSIGN(passed, check_conformance());
    if (!passed) return false;
    if (options_.reproduce) return reproduce();
    HALYARD_TRY_ASSIGN(passed, check_numerics());
    if (!passed) return false;
    HALYARD_TRY_ASSIGN(passed, check_stability());
    if (!passed || !options_.times) return passed;
    return report_.device.is_hardware ? time() : count();
  }

  // Adds what a stage found; true when it found nothing.
  bool report(Stage stage, std::string subject, std::string summary, steady_clock::time_point begin,
              std::optional<Finding> finding) {
    StageReport entry;
    entry.result.stage = stage;
    entry.result.is_complete = !finding || finding->verdict != VerdictClass::kUndecided;
    entry.result.finding = std::move(finding);
    entry.subject = std::move(subject);
    entry.summary = std::move(summary);
    entry.wall = std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - begin);
    report_.stages.push_back(std::move(entry));
    return !report_.stages.back().result.finding;
  }

  // A kernel whose conditions leave nothing to launch is not passed for it.
  static Finding idle(Stage stage) {
    return {stage, VerdictClass::kUndecided,
            "The kernel serves no shape that is small enough to be launched often.", std::nullopt};
  }

  static Finding static_finding(Stage stage, std::string sentence) {
    return {stage, VerdictClass::kStatic, std::move(sentence), std::nullopt};
  }

  void begin(Stage stage, const std::string& subject) const {
    if (options_.progress) options_.progress(stage, subject);
  }

  base::Result<bool> check_manifest() {
    begin(Stage::kManifest, report_.directory);
    const auto start = steady_clock::now();
    const std::string preludes = setting_.data_directory + "/prelude";
    auto package = store::load_kernel_package(report_.directory, [&](const std::string& name) {
      return store::load_prelude_digest(preludes, name);
    });
    if (!package) {
      return report(Stage::kManifest, {}, {}, start,
                    static_finding(Stage::kManifest, package.error().message()));
    }
    report_.package = std::move(*package);
    const auto contract = setting_.contracts->find(record().contract);
    if (!contract) {
      return report(Stage::kManifest, {}, {}, start,
                    static_finding(Stage::kManifest, contract.error().message()));
    }
    contract_ = *contract;
    // What is for other devices is told so by the stage that builds, and not by this one's limits.
    const auto* const capabilities = is_for_device() ? &report_.device.capabilities : nullptr;
    std::vector<Finding> findings =
        check_package({&record(), &report_.package->files, contract_, capabilities});
    return report(Stage::kManifest, {}, {}, start,
                  findings.empty() ? std::nullopt : std::optional(std::move(findings.front())));
  }

  bool is_for_device() const {
    const std::vector<std::string>& taken = report_.device.targets;
    return std::any_of(record().targets.begin(), record().targets.end(),
                       [&](const std::string& target) {
                         return std::find(taken.begin(), taken.end(), target) != taken.end();
                       });
  }

  base::Result<bool> build() {
    begin(Stage::kBuild, record().name);
    const auto start = steady_clock::now();
    HALYARD_TRY_ASSIGN(const base::Configuration configuration, base::read_configuration({}));
    BuildSetting setting;
    HALYARD_TRY_ASSIGN(setting.compilers, toolchain::find_compilers(configuration));
    setting.data_directory = setting_.data_directory;
    setting.worker_program = setting_.worker_program;
    setting.isolation = report_.isolation;
    setting.may_be_unconfined = options_.rules.accepts_none;
    setting.targets = report_.device.targets;
    setting.types = options_.types;
    if (options_.reproduce) setting.types = options_.reproduce->types;
    HALYARD_TRY_ASSIGN(BuildOutcome outcome, build_package(*report_.package, setting));
    codes_ = std::move(outcome.codes);
    for (const BuiltCode& code : codes_) {
      report_.builds.push_back(code.build);
      report_.codes.push_back(code.bytes);
    }
    return report(Stage::kBuild, {}, count_text(codes_.size(), "binary", "binaries"), start,
                  std::move(outcome.finding));
  }

  base::Result<bool> check_conformance() {
    const auto start = steady_clock::now();
    const ConformanceSetting setting{setting_.worker_program, report_.isolation};
    for (const BuiltCode& code : codes_) {
      begin(Stage::kConformance, subject_of(code.build));
      ConformanceRequest request{record().canonical_json,     code.build.target,
                                 code.build.parameters,       options_.is_foreign,
                                 report_.device.capabilities, {}};
      HALYARD_TRY_ASSIGN(request.instruction_set,
                         target_instruction_set(setting_.data_directory, request.target));
      HALYARD_TRY_ASSIGN(std::vector<Finding> findings,
                         check_code_confined(setting, request, code.bytes));
      if (findings.empty()) continue;
      return report(Stage::kConformance, subject_of(code.build), {}, start,
                    std::move(findings.front()));
    }
    note_resources();
    return report(Stage::kConformance, {}, count_text(codes_.size(), "binary", "binaries"), start,
                  std::nullopt);
  }

  // What conforms is read here too: the check before it runs confined.
  void note_resources() {
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      if (!toolchain::is_amdgcn_target(codes_[i].build.target)) continue;
      const std::string_view bytes(reinterpret_cast<const char*>(codes_[i].bytes.data()),
                                   codes_[i].bytes.size());
      auto resources = toolchain::resource_use(bytes, record().name);
      if (resources) report_.builds[i].resources = std::move(*resources);
    }
  }

  CandidateDesc candidate_of(const BuiltCode& code) const {
    CandidateDesc desc;
    desc.worker.program = setting_.worker_program;
    desc.worker.isolation = report_.isolation;
    desc.launch_patience = options_.launch_patience;
    desc.load.device = report_.device.id;
    desc.load.contract = contract_->canonical_json();
    desc.load.kernel = record().canonical_json;
    desc.load.target = code.build.target;
    desc.load.build = store::digest_text(code.build.sha256);
    desc.load.parameters = record().default_parameters();
    desc.code = code.bytes;
    if (report_.device.is_hardware) return desc;
    desc.load.data_directory = setting_.data_directory;
    desc.load.emulation.instruction_budget = kEmulatedInstructions;
    desc.launch_patience *= kEmulatedPatience;
    return desc;
  }

  ShapePlanDesc shapes_of(const BuiltCode& code) const {
    ShapePlanDesc shapes;
    shapes.contract = contract_;
    shapes.types = operators::TypeBindings(code.build.types.begin(), code.build.types.end());
    shapes.serves =
        served_launches(record(), record().default_parameters(), report_.device.capabilities);
    shapes.seed = seed_;
    if (!report_.device.is_hardware) shapes.budget = emulated_shapes();
    return shapes;
  }

  // Of one binary in one stage.
  steady_clock::time_point deadline() const {
    return steady_clock::now() + options_.budget / std::max<std::size_t>(codes_.size(), 1);
  }

  base::Result<bool> check_numerics() {
    for (const BuiltCode& code : codes_) {
      begin(Stage::kNumerics, subject_of(code.build));
      const auto start = steady_clock::now();
      SupervisedRunner runner(candidate_of(code));
      NumericsDesc desc;
      desc.shapes = shapes_of(code);
      desc.deadline = deadline();
      HALYARD_TRY_ASSIGN(NumericsResult result, run_numerics(runner, desc));
      report_.isolation = std::min(report_.isolation, runner.isolation());
      if (!result.finding && result.launches == 0) result.finding = idle(Stage::kNumerics);
      report_.checks.push_back(std::move(result.checks));
      const std::string summary =
          base::concat(count_text(result.launches, "launch", "launches"), " in ",
                       count_text(runner.process_count(), "process", "processes"));
      if (!report(Stage::kNumerics, subject_of(code.build), summary, start,
                  std::move(result.finding))) {
        return false;
      }
    }
    return true;
  }

  base::Result<bool> check_stability() {
    for (const BuiltCode& code : codes_) {
      begin(Stage::kStability, subject_of(code.build));
      const auto start = steady_clock::now();
      CandidateDesc candidate = candidate_of(code);
      // An emulated device takes another order of waves in each launch. The worker is told nothing
      // that the shapes and inputs to come could be guessed from.
      candidate.load.emulation.schedule_seed =
          operators::CounterRandom(seed_, "order of waves").bits(0);
      SupervisedRunner runner(std::move(candidate));
      StabilityDesc desc;
      desc.shapes = shapes_of(code);
      if (!report_.device.is_hardware) desc.most_steps = kEmulatedSteps;
      desc.deadline = deadline();
      HALYARD_TRY_ASSIGN(StabilityResult result, run_stability(runner, desc));
      if (!result.finding && result.launches == 0) result.finding = idle(Stage::kStability);
      if (!report(Stage::kStability, subject_of(code.build),
                  count_text(result.launches, "launch", "launches"), start,
                  std::move(result.finding))) {
        return false;
      }
    }
    return true;
  }

  base::Result<bool> reproduce() {
    begin(Stage::kNumerics, "counter-example");
    const auto start = steady_clock::now();
    SupervisedRunner runner(candidate_of(codes_.front()));
    HALYARD_TRY_ASSIGN(std::optional<Finding> finding,
                       launch_counter_example(runner, contract_, *options_.reproduce));
    return report(Stage::kNumerics, subject_of(codes_.front().build), "one launch", start,
                  std::move(finding));
  }

  base::Result<bool> time() {
    for (const BuiltCode& code : codes_) {
      begin(Stage::kTiming, subject_of(code.build));
      const auto start = steady_clock::now();
      const CandidateDesc candidate = candidate_of(code);
      TimingStageDesc desc{&report_.device, &setting_,  &record(), &code,
                           &candidate,      deadline(), seed_};
      HALYARD_TRY_ASSIGN(TimingStageResult result, run_timing(desc));
      result.report.subject = subject_of(code.build);
      const std::string summary = base::concat(
          result.report.shapes.size(), " shapes beside ",
          result.report.incumbent.empty() ? std::string("no incumbent") : result.report.incumbent);
      report_.timings.push_back(std::move(result.report));
      comparisons_.insert(comparisons_.end(), result.comparisons.begin(), result.comparisons.end());
      if (!report(Stage::kTiming, subject_of(code.build), summary, start,
                  std::move(result.finding))) {
        return false;
      }
    }
    return true;
  }

  // In place of times, which say nothing of a device where they are those of an interpreter.
  base::Result<bool> count() {
    for (const BuiltCode& code : codes_) {
      begin(Stage::kTiming, subject_of(code.build));
      const auto start = steady_clock::now();
      CandidateDesc candidate = candidate_of(code);
      candidate.load.emulation.has_statistics = true;
      SupervisedRunner runner(std::move(candidate));
      HALYARD_TRY_ASSIGN(const std::string statistics, launch_statistics(runner, shapes_of(code)));
      report(Stage::kTiming, subject_of(code.build), "interpreted and not timed; " + statistics,
             start, std::nullopt);
    }
    return true;
  }

  // The stages as the decision wants them: each once, complete when all of its parts are.
  std::vector<StageResult> stage_results() const {
    std::vector<StageResult> results;
    for (const StageReport& entry : report_.stages) {
      const auto same = std::find_if(results.begin(), results.end(), [&](const auto& result) {
        return result.stage == entry.result.stage;
      });
      if (same == results.end()) {
        results.push_back(entry.result);
        continue;
      }
      same->is_complete = same->is_complete && entry.result.is_complete;
      if (!same->finding) same->finding = entry.result.finding;
    }
    return results;
  }

  void finish(bool passed) {
    report_.decision = decide(stage_results(), report_.isolation, options_.rules);
    if (options_.reproduce && passed) {
      // One launch that is right accepts nothing.
      report_.decision = {VerdictClass::kUndecided,
                          Finding{Stage::kNumerics, VerdictClass::kUndecided,
                                  "This launch is right now.", std::nullopt}};
    }
    const auto kind = report_.device.is_hardware ? store::EvidenceKind::kHardware
                                                 : store::EvidenceKind::kEmulated;
    report_.promotion = decide_promotion(report_.decision, kind, comparisons_);
  }

  const store::KernelRecord& record() const { return report_.package->record; }

  const VerificationSetting& setting_;
  const VerificationOptions& options_;
  std::uint64_t seed_ = 0;
  base::Ref<const operators::Contract> contract_;
  std::vector<BuiltCode> codes_;
  std::vector<BucketComparison> comparisons_;
  VerificationReport report_;
};

}  // namespace

base::Result<VerificationReport> verify_package(const std::string& directory,
                                                const VerifiedDevice& device,
                                                const VerificationSetting& setting,
                                                const VerificationOptions& options) {
  return Verification(setting, options).run(directory, device);
}

}  // namespace halyard::verification
