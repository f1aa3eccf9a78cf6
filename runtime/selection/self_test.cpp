// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/self_test.h"

#include "runtime/base/text.h"
#include "runtime/base/version.h"
#include "runtime/operators/axis_values.h"
#include "runtime/selection/candidate_evidence.h"
#include "runtime/selection/kernel_conditions.h"
#include "runtime/selection/kernel_loading.h"
#include "runtime/selection/trial.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace halyard::selection {
namespace {

struct GoldenCase {
  operators::Problem problem;
  std::vector<std::int64_t> axes;
};

bool kernel_serves(const Candidate& candidate, const core::Device& device,
                   const GoldenCase& golden) {
  const std::vector<std::optional<std::int64_t>> axes(golden.axes.begin(), golden.axes.end());
  return !unserved_reason(candidate.kernel->package.record, candidate.parameters, golden.problem,
                          axes, device);
}

base::Result<std::vector<GoldenCase>> golden_cases(const Candidate& candidate,
                                                   const core::Device& device,
                                                   const operators::Problem& like) {
  const operators::GoldenVectors& golden = like.contract().fields().golden;
  std::vector<GoldenCase> cases;
  for (const operators::Attributes& attributes : golden.attributes) {
    for (const auto& values : golden.axes) {
      HALYARD_TRY_ASSIGN(operators::AxisSplit split,
                         operators::split_axes(like.contract(), values));
      HALYARD_TRY_ASSIGN(
          operators::Problem problem,
          operators::Problem::create(like.contract_ref(), like.types(), attributes, split.prepare));
      HALYARD_TRY_ASSIGN(std::vector<std::int64_t> axes, problem.launch_values(split.launch));
      GoldenCase one{std::move(problem), std::move(axes)};
      if (kernel_serves(candidate, device, one)) cases.push_back(std::move(one));
    }
  }
  return cases;
}

base::Result<double> run_case(Instance& instance, core::Device& device, const Candidate& candidate,
                              const GoldenCase& golden, std::uint64_t seed) {
  HALYARD_TRY_ASSIGN(Trial trial, Trial::create(device, golden.problem, golden.axes, seed));
  HALYARD_TRY_ASSIGN(const auto choice, load_choice(instance, device, candidate, golden.problem));
  HALYARD_TRY_ASSIGN(
      auto operation,
      dispatch::Operation::create(device, golden.problem, trial.constants(), golden.axes, choice));
  return trial.check(*operation);
}

store::EvidenceRecord new_record(const core::Device& device, const Candidate& candidate) {
  return new_evidence(device, candidate, store::EvidenceKind::kSelfTest, "halyard self-test");
}

// Whether the kernel is wrong, rather than that it could not be run.
bool is_failure_of_kernel(const base::Error& error) {
  return error.code() == base::ErrorCode::kCorruptData ||
         error.code() == base::ErrorCode::kKernelFault;
}

// Runs all golden vectors; the record says what was checked and how it went.
base::Result<store::EvidenceRecord> run_self_test(Instance& instance, core::Device& device,
                                                  const Candidate& candidate,
                                                  const operators::Problem& problem) {
  store::EvidenceRecord record = new_record(device, candidate);
  HALYARD_TRY_ASSIGN(const auto cases, golden_cases(candidate, device, problem));
  if (cases.empty()) {
    const auto& golden = problem.contract().fields().golden;
    record.message =
        base::concat("None of the contract's ", golden.axes.size() * golden.attributes.size(),
                     " golden vectors meets the kernel's conditions.");
    return record;
  }
  const std::uint64_t seed = problem.contract().fields().golden.seeds.front();
  for (const GoldenCase& golden : cases) {
    const store::AxisValues axes = axis_values(golden.problem, golden.axes);
    auto ratio = run_case(instance, device, candidate, golden, seed);
    if (!ratio && !is_failure_of_kernel(ratio.error())) return std::move(ratio.error());
    if (!ratio) {
      record.checks.push_back({candidate.types, axes, std::nullopt, std::nullopt});
      record.message =
          base::concat("With ", axes_text(axes), " and seed ", seed, ": ", ratio.error().message());
      return record;
    }
    record.checks.push_back({candidate.types, axes, *ratio, true});
  }
  record.verdict = store::Verdict::kPass;
  record.message = base::concat(cases.size(), " golden vectors pass.");
  return record;
}

// What the store knows of a use; nothing when it was never tested.
std::optional<store::EvidenceRecord> stored_self_test(Instance& instance,
                                                      const core::Device& device,
                                                      const Candidate& candidate) {
  auto found = stored_evidence(instance, device, candidate, store::EvidenceKind::kSelfTest);
  if (!found) {
    instance.log_store_failure(found.error());
    return std::nullopt;
  }
  for (store::EvidenceRecord& record : *found) {
    if (record.verifier_version == base::kVersion) return std::move(record);
  }
  return std::nullopt;
}

void log_failure(Instance& instance, const base::Status& status) {
  if (!status) instance.log_store_failure(status.error());
}

// A store that cannot be written costs a repeated self-test in the next process, not the launch.
void record_self_test(Instance& instance, const core::Device& device, const Candidate& candidate,
                      const store::EvidenceRecord& record) {
  auto id = instance.store().put_evidence(record);
  if (!id) {
    instance.log_store_failure(id.error());
    return;
  }
  store::StateChange change;
  change.kernel = record.kernel;
  change.target = candidate.target;
  change.drivers = {device.info().driver_id, device.info().driver_id};
  change.state = record.verdict == store::Verdict::kPass ? store::KernelState::kSelfTested
                                                         : store::KernelState::kQuarantined;
  change.who = "halyard self-test";
  change.why = record.message;
  change.evidence = *id;
  const auto added = instance.store().append_state(change);
  if (!added) instance.log_store_failure(added.error());
  instance.advance_generation();
}

base::Status conclude(Candidate& candidate, const std::string& message) {
  if (!message.empty()) {
    return base::Error(base::ErrorCode::kCorruptData,
                       base::concat("The self-test failed. ", message));
  }
  if (candidate.state == store::KernelState::kCandidate) {
    candidate.state = store::KernelState::kSelfTested;
  }
  return base::ok();
}

// A process has one marker for all types and parameters of a kernel, so they are tested in turn.
std::string marker_name(const store::LaunchMarker& marker) {
  return base::concat("self-test/", store::digest_text(marker.kernel), '/', marker.target, '/',
                      marker.device, '/', marker.driver);
}

// A marker of an earlier process that died during this kernel's first launch.
bool died_before(Instance& instance, const store::LaunchMarker& marker) {
  const auto stale = instance.store().markers().stale_markers();
  if (!stale) {
    instance.log_store_failure(stale.error());
    return false;
  }
  return std::any_of(stale->begin(), stale->end(), [&](const store::LaunchMarker& other) {
    return other.kernel == marker.kernel && other.target == marker.target &&
           other.device == marker.device && other.driver == marker.driver;
  });
}

}  // namespace

base::Status require_self_test(Instance& instance, core::Device& device, Candidate& candidate,
                               const operators::Problem& problem) {
  const std::string key = use_key(candidate, device);
  if (const auto known = instance.self_test_result(key)) return conclude(candidate, *known);
  const store::LaunchMarker marker{candidate.kernel->package.id, candidate.target,
                                   device.info().fingerprint, device.info().driver_id};
  const std::scoped_lock lock(instance.trial_mutexes().of(marker_name(marker)));
  if (const auto known = instance.self_test_result(key)) return conclude(candidate, *known);
  if (const auto stored = stored_self_test(instance, device, candidate)) {
    const std::string message =
        stored->verdict == store::Verdict::kPass ? std::string() : stored->message;
    instance.remember_self_test(key, message);
    return conclude(candidate, message);
  }
  store::EvidenceRecord record = new_record(device, candidate);
  if (died_before(instance, marker)) {
    record.message = "An earlier process died during this kernel's self-test.";
  } else {
    log_failure(instance, instance.store().markers().put_marker(marker));
    auto finding = run_self_test(instance, device, candidate, problem);
    log_failure(instance, instance.store().markers().remove_marker(marker));
    if (!finding) return std::move(finding.error());
    record = std::move(*finding);
  }
  record_self_test(instance, device, candidate, record);
  log_failure(instance, instance.store().markers().clear_stale_markers(marker));
  const std::string message = record.verdict == store::Verdict::kPass ? "" : record.message;
  instance.remember_self_test(key, message);
  return conclude(candidate, message);
}

}  // namespace halyard::selection
