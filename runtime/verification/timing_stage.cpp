// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/timing_stage.h"

#include "runtime/base/text.h"
#include "runtime/operators/axis_values.h"
#include "runtime/operators/random_inputs.h"
#include "runtime/verification/checked_launch.h"
#include "runtime/verification/served_launches.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace halyard::verification {
namespace {

constexpr std::size_t kBuckets = 3;
constexpr ShapeLimits kLargest{std::int64_t{4} << 30, std::int64_t{512} << 20};
constexpr std::int64_t kCheckMultiplyAdds = 4'000'000;

void add_shapes(const ShapeMaker& maker, const operators::Workload& workload,
                const std::vector<std::vector<operators::AxisValue>>& problems,
                std::vector<PlannedShape>& shapes) {
  for (const auto& axes : problems) {
    std::map<std::string, std::int64_t> values;
    for (const operators::AxisValue& axis : axes)
      values[axis.name] = axis.value;
    if (auto shape = maker.make(values, workload.attributes, kLargest)) {
      shapes.push_back(std::move(*shape));
    }
  }
}

// The least, a middle and the largest of the visible workloads that the kernel serves.
base::Result<std::vector<PlannedShape>> timed_shapes(const TimingStageDesc& desc) {
  HALYARD_TRY_ASSIGN(const auto contract, desc.setting->contracts->find(desc.record->contract));
  operators::TypeBindings types(desc.candidate->build.types.begin(),
                                desc.candidate->build.types.end());
  const ShapeMaker maker(
      contract, types,
      served_launches(*desc.record, desc.runner->load.parameters, desc.device->capabilities));
  std::vector<PlannedShape> shapes;
  // A contract may show its workloads with other types only; their sizes serve as well.
  for (const bool with_other_types : {false, true}) {
    if (!shapes.empty()) break;
    for (const operators::Workload& workload : contract->fields().workloads) {
      if (!with_other_types && !workload.types.empty() && workload.types != types) continue;
      HALYARD_TRY_ASSIGN(const auto problems, operators::expand_workload(*contract, workload));
      add_shapes(maker, workload, problems, shapes);
    }
  }
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const auto& a, const auto& b) { return a.steps < b.steps; });
  if (shapes.size() <= kBuckets) return shapes;
  std::vector<PlannedShape> chosen;
  for (const std::size_t at : {std::size_t{0}, shapes.size() / 2, shapes.size() - 1})
    chosen.push_back(shapes[at]);
  return chosen;
}

// The incumbent as a candidate of its own: its code, its record, the same limits.
base::Result<std::optional<CandidateDesc>> incumbent_for(const TimingStageDesc& desc,
                                                         const operators::Problem& problem,
                                                         std::string& name) {
  const auto text = desc.device->incumbent_id(problem);
  if (!text) return std::optional<CandidateDesc>();
  const auto id = store::digest_from_text(*text);
  if (!id) return std::optional<CandidateDesc>();
  HALYARD_TRY_ASSIGN(const store::BuiltKernel* const kernel,
                     desc.setting->bundle->find_kernel(*id));
  if (kernel == nullptr) return std::optional<CandidateDesc>();
  const store::KernelBuild* build = nullptr;
  for (const std::string& target : desc.device->targets) {
    build = store::find_build(*kernel, target, desc.candidate->build.types, {});
    if (build != nullptr) break;
  }
  if (build == nullptr) return std::optional<CandidateDesc>();
  CandidateDesc incumbent;
  incumbent.worker = desc.runner->worker;
  incumbent.launch_patience = desc.runner->launch_patience;
  incumbent.load = desc.runner->load;
  incumbent.load.kernel = kernel->package.record.canonical_json;
  incumbent.load.target = build->target;
  incumbent.load.build = store::digest_text(build->sha256);
  incumbent.load.parameters = kernel->package.record.default_parameters();
  HALYARD_TRY_ASSIGN(incumbent.code, desc.setting->bundle->load_code(*kernel, *build));
  name = kernel->package.record.name;
  return std::optional(std::move(incumbent));
}

bool has_inouts(const operators::Contract& contract) {
  return std::any_of(contract.tensors().begin(), contract.tensors().end(), [](const auto& tensor) {
    return tensor.role == operators::TensorRole::kInOut;
  });
}

// NaN in every floating type, and no plausible index.
void empty_outputs(const operators::Contract& contract, std::span<const TensorMemory> tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (contract.tensors()[i].role != operators::TensorRole::kOutput) continue;
    std::fill(tensors[i].data.begin(), tensors[i].data.end(), std::byte{0xff});
  }
}

base::Result<std::optional<Finding>> check_timed(CheckedLaunch& launch, const std::string& bucket,
                                                 std::span<const TensorMemory> tensors) {
  HALYARD_TRY_ASSIGN(const std::optional<Mismatch> mismatch, launch.check(tensors));
  if (!mismatch) return std::optional<Finding>();
  return std::optional(Finding{Stage::kTiming, VerdictClass::kCheat,
                               base::concat("What it computes while it is timed, in ", bucket,
                                            ", is wrong: ", mismatch->sentence),
                               std::nullopt});
}

BucketComparison compare(const ShapeTiming& timing) {
  BucketComparison comparison;
  comparison.bucket = timing.bucket;
  // Cold decides: weights of a model do not stay in caches from one operation to the next.
  comparison.speedup = median_speedup(timing.cold);
  comparison.p_value = sign_test(timing.cold);
  comparison.noise = noise_of(timing.noise);
  comparison.is_honest = !timing.finding;
  return comparison;
}

}  // namespace

base::Result<TimingStageResult> run_timing(const TimingStageDesc& desc) {
  TimingStageResult result;
  HALYARD_TRY_ASSIGN(const std::vector<PlannedShape> shapes, timed_shapes(desc));
  SupervisedRunner candidate(*desc.runner);
  for (const PlannedShape& planned : shapes) {
    HALYARD_TRY_ASSIGN(auto incumbent_desc,
                       incumbent_for(desc, planned.problem, result.report.incumbent));
    std::optional<SupervisedRunner> incumbent;
    if (incumbent_desc) incumbent.emplace(std::move(*incumbent_desc));
    const std::vector<double> scalars = operators::typical_scalars(planned.problem);
    TimedShape shape;
    shape.problem = &planned.problem;
    shape.launch_axes = planned.launch_axes;
    shape.scalars = scalars;
    shape.bucket = axes_text(planned.axes);
    HALYARD_TRY_ASSIGN(shape.floor_cold_ns,
                       desc.device->floor_ns(planned.problem, planned.launch_axes, true));
    HALYARD_TRY_ASSIGN(shape.floor_warm_ns,
                       desc.device->floor_ns(planned.problem, planned.launch_axes, false));
    TimingDesc timing;
    timing.candidate = &candidate;
    timing.incumbent = incumbent ? &*incumbent : nullptr;
    timing.deadline = desc.deadline;
    timing.is_idempotent = !has_inouts(planned.problem.contract());
    HALYARD_TRY_ASSIGN(
        CheckedLaunch launch,
        CheckedLaunch::create(planned, InputCase{}, desc.seed, {kCheckMultiplyAdds, desc.seed}));
    timing.fill = [&](std::span<const TensorMemory> tensors) { launch.arm(tensors, desc.seed); };
    timing.reset = [&](std::span<const TensorMemory> tensors) {
      empty_outputs(planned.problem.contract(), tensors);
    };
    timing.check = [&](std::span<const TensorMemory> tensors) {
      return check_timed(launch, shape.bucket, tensors);
    };
    HALYARD_TRY_ASSIGN(ShapeTiming timed, time_shape(timing, shape));
    if (incumbent) result.comparisons.push_back(compare(timed));
    const std::optional<Finding> finding = timed.finding;
    result.report.shapes.push_back(std::move(timed));
    if (finding) {
      result.finding = finding;
      break;
    }
  }
  return result;
}

}  // namespace halyard::verification
