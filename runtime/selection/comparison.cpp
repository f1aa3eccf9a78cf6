// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/comparison.h"

#include "runtime/base/canonical_json.h"
#include "runtime/base/text.h"
#include "runtime/operators/random_inputs.h"
#include "runtime/selection/candidate_evidence.h"
#include "runtime/selection/kernel_loading.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

namespace halyard::selection {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMaxTrialBytes = std::uint64_t{256} << 20;
constexpr int kSamples = 5;
constexpr double kMinSampleNs = 200e3;
constexpr int kMaxRepeats = 1000;
// 0.0115 in f32 and bf16, 1.06 in f16: ordinary numbers wherever floats are read.
constexpr std::byte kFloatFill{0x3c};

// Tensors for launches whose results nobody looks at.
class Workbench {
 public:
  static base::Result<std::optional<Workbench>> create(core::Device& device,
                                                       const BoundRequest& request,
                                                       std::vector<std::int64_t> axes);

  base::Status launch(const dispatch::Operation& operation, core::Queue& queue) {
    return operation.enqueue(queue, {views_, axes_, scalars_, workspace_});
  }
  base::Status make_workspace(const dispatch::Operation& operation);

 private:
  base::Status fill(core::Device& device, const BoundRequest& request,
                    const operators::ShapeTable& shapes);

  std::vector<std::int64_t> axes_;
  std::vector<dispatch::TensorView> views_;
  std::vector<base::Ref<core::Buffer>> buffers_;
  std::vector<std::uint64_t> scalars_;
  dispatch::TensorView workspace_;
};

base::Status Workbench::fill(core::Device& device, const BoundRequest& request,
                             const operators::ShapeTable& shapes) {
  const operators::Problem& problem = request.problem;
  const std::size_t count = problem.contract().tensors().size();
  std::vector<std::vector<std::byte>> bytes(count);
  std::vector<operators::WritableTensor> host;
  bool has_indices = false;
  for (std::size_t i = 0; i < count; ++i) {
    const operators::TensorShape& shape = shapes.tensors[i];
    const bool given = !shape.present || request.constants[i];
    bytes[i].assign(given ? 0 : static_cast<std::size_t>(shape.size_bytes), kFloatFill);
    host.push_back(operators::dense_tensor(shape, bytes[i].data()));
    has_indices = has_indices || (shape.present && !base::data_type_is_float(shape.type));
  }
  if (has_indices) {
    HALYARD_TRY(operators::fill_random_inputs(problem, axes_, 1, host));
  }
  views_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (bytes[i].empty()) continue;
    HALYARD_TRY_ASSIGN(base::Ref<core::Buffer> buffer, device.create_buffer({bytes[i].size(), 0}));
    HALYARD_TRY(buffer->write(0, bytes[i]));
    views_[i] = {buffer.get(), 0, bytes[i].size(), nullptr};
    buffers_.push_back(std::move(buffer));
  }
  scalars_.assign(problem.contract().scalars().size(), 0);
  return base::ok();
}

base::Result<std::optional<Workbench>> Workbench::create(core::Device& device,
                                                         const BoundRequest& request,
                                                         std::vector<std::int64_t> axes) {
  HALYARD_TRY_ASSIGN(const operators::ShapeTable shapes, request.problem.shapes(axes));
  std::uint64_t total = 0;
  bool constants_beside_indices = false;
  for (std::size_t i = 0; i < request.problem.contract().tensors().size(); ++i) {
    if (!request.constants[i]) total += static_cast<std::uint64_t>(shapes.tensors[i].size_bytes);
    constants_beside_indices = constants_beside_indices || request.constants[i];
  }
  for (std::size_t i = 0; i < request.problem.contract().tensors().size(); ++i) {
    const bool is_index =
        shapes.tensors[i].present && !base::data_type_is_float(shapes.tensors[i].type);
    if (is_index && constants_beside_indices) return std::optional<Workbench>();
  }
  if (total > kMaxTrialBytes) return std::optional<Workbench>();
  Workbench bench;
  bench.axes_ = std::move(axes);
  HALYARD_TRY(bench.fill(device, request, shapes));
  return std::optional<Workbench>(std::move(bench));
}

base::Status Workbench::make_workspace(const dispatch::Operation& operation) {
  HALYARD_TRY_ASSIGN(const std::uint64_t bytes, operation.workspace_bytes(axes_));
  if (bytes == 0 || bytes <= workspace_.length_bytes) return base::ok();
  HALYARD_TRY_ASSIGN(base::Ref<core::Buffer> buffer, operation.device().create_buffer({bytes, 0}));
  workspace_ = {buffer.get(), 0, bytes, nullptr};
  buffers_.push_back(std::move(buffer));
  return base::ok();
}

struct Contestant {
  Candidate* candidate = nullptr;
  base::Ref<dispatch::Operation> operation;
  int repeats = 1;
  std::vector<double> samples_ns;

  double median_ns() const {
    std::vector<double> sorted = samples_ns;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

base::Result<double> time_launches(Contestant& contestant, Workbench& bench, core::Queue& queue) {
  const auto start = Clock::now();
  for (int i = 0; i < contestant.repeats; ++i) {
    HALYARD_TRY(bench.launch(*contestant.operation, queue));
  }
  HALYARD_TRY(queue.synchronize(std::chrono::seconds(60)));
  const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
  return elapsed.count() / contestant.repeats;
}

// Times of an interpreter are no measure of hardware.
store::EvidenceKind measured_kind(const core::Device& device) {
  return is_emulated(device) ? store::EvidenceKind::kEmulated : store::EvidenceKind::kHardware;
}

// Where a request gives no bound, and on a device that takes very long for a large one, the
// smallest launch that does some work.
std::vector<std::int64_t> trial_axes(const core::Device& device, const BoundRequest& request) {
  std::vector<std::int64_t> axes;
  const operators::Contract& contract = request.problem.contract();
  for (std::size_t i = 0; i < request.hints.size(); ++i) {
    const auto& axis = contract.axes()[contract.launch_axes()[i]];
    const auto least = std::clamp<std::int64_t>(1, axis.min, axis.max);
    axes.push_back(is_emulated(device) ? least : request.hints[i].value_or(least));
  }
  return axes;
}

// What a measurement is kept and found under, besides its candidate.
struct ComparedUse {
  store::AxisValues axes;
  boost::json::object attributes;
};

// Numbers that are equal may be of different kinds in a record that was read back.
bool same_attributes(const boost::json::object& a, const boost::json::object& b) {
  return base::canonical_json(a) == base::canonical_json(b);
}

std::optional<std::vector<double>> stored_samples(Instance& instance, const core::Device& device,
                                                  const Candidate& candidate,
                                                  const ComparedUse& use) {
  const auto found = stored_evidence(instance, device, candidate, measured_kind(device));
  if (!found) {
    instance.log_store_failure(found.error());
    return std::nullopt;
  }
  for (const store::EvidenceRecord& record : *found) {
    for (const store::EvidenceTiming& timing : record.timings) {
      if (timing.axes == use.axes && same_attributes(timing.attributes, use.attributes) &&
          !timing.samples_ns.empty()) {
        return timing.samples_ns;
      }
    }
  }
  return std::nullopt;
}

void record_samples(Instance& instance, const core::Device& device, const Contestant& contestant,
                    const ComparedUse& use) {
  const Candidate& candidate = *contestant.candidate;
  store::EvidenceRecord record =
      new_evidence(device, candidate, measured_kind(device), "halyard comparison");
  record.verdict = store::Verdict::kPass;
  record.message = "Measured against candidates that rank alike.";
  record.timings.push_back(
      {candidate.types, use.axes, use.attributes, "host", contestant.samples_ns, std::nullopt});
  const auto id = instance.store().put_evidence(record);
  if (!id) instance.log_store_failure(id.error());
}

// Packed layouts that only the measurement needed are given back.
class PackedLayouts {
 public:
  void note(const dispatch::LaunchPlan& plan, const dispatch::ConstantTable& constants) {
    for (const auto& packing : plan.packings()) {
      dispatch::Constant* constant = constants[packing.tensor].get();
      if (constant != nullptr && !constant->has_packed(packing.key)) {
        made_.emplace_back(constant, packing.key);
      }
    }
  }
  void drop_but(const dispatch::LaunchPlan& kept) {
    for (const auto& [constant, key] : made_) {
      const auto& packings = kept.packings();
      const bool is_kept = std::any_of(packings.begin(), packings.end(),
                                       [&made = key](const auto& p) { return p.key == made; });
      if (!is_kept) constant->drop_packed(key);
    }
  }

 private:
  std::vector<std::pair<dispatch::Constant*, std::string>> made_;
};

base::Status measure(Instance& instance, core::Device& device, const BoundRequest& request,
                     Workbench& bench, std::vector<Contestant>& contestants) {
  PackedLayouts layouts;
  HALYARD_TRY_ASSIGN(base::Ref<core::Queue> queue, device.create_queue());
  for (Contestant& contestant : contestants) {
    HALYARD_TRY_ASSIGN(const auto choice,
                       load_choice(instance, device, *contestant.candidate, request.problem));
    layouts.note(*choice->plan, request.constants);
    HALYARD_TRY_ASSIGN(contestant.operation,
                       dispatch::Operation::create(device, request.problem, request.constants,
                                                   request.bounds, choice));
    HALYARD_TRY(bench.make_workspace(*contestant.operation));
    HALYARD_TRY(time_launches(contestant, bench, *queue));
    HALYARD_TRY_ASSIGN(const double once, time_launches(contestant, bench, *queue));
    contestant.repeats =
        std::clamp(static_cast<int>(kMinSampleNs / std::max(once, 1.0)), 1, kMaxRepeats);
  }
  // Interpreted launches take equally long, near enough.
  const int samples = is_emulated(device) ? 1 : kSamples;
  for (int sample = 0; sample < samples; ++sample) {
    for (Contestant& contestant : contestants) {
      HALYARD_TRY_ASSIGN(const double ns, time_launches(contestant, bench, *queue));
      contestant.samples_ns.push_back(ns);
    }
  }
  const auto best = std::min_element(
      contestants.begin(), contestants.end(),
      [](const Contestant& a, const Contestant& b) { return a.median_ns() < b.median_ns(); });
  layouts.drop_but(*best->operation->choice().plan);
  return base::ok();
}

// The candidates with what the store holds of their times.
std::vector<Contestant> with_stored_samples(Instance& instance, const core::Device& device,
                                            std::span<Candidate*> candidates,
                                            const ComparedUse& use) {
  std::vector<Contestant> contestants;
  for (Candidate* candidate : candidates) {
    Contestant contestant;
    contestant.candidate = candidate;
    if (auto samples = stored_samples(instance, device, *candidate, use)) {
      contestant.samples_ns = std::move(*samples);
    }
    contestants.push_back(std::move(contestant));
  }
  return contestants;
}

bool all_have_samples(const std::vector<Contestant>& contestants) {
  return std::all_of(contestants.begin(), contestants.end(),
                     [](const Contestant& one) { return !one.samples_ns.empty(); });
}

// False when the problem is too large to try; the contestants have their samples otherwise.
base::Result<bool> measure_all(Instance& instance, core::Device& device,
                               const BoundRequest& request, const ComparedUse& use,
                               std::vector<Contestant>& contestants) {
  HALYARD_TRY_ASSIGN(std::optional<Workbench> bench,
                     Workbench::create(device, request, trial_axes(device, request)));
  if (!bench) return false;
  for (Contestant& contestant : contestants)
    contestant.samples_ns.clear();
  HALYARD_TRY(measure(instance, device, request, *bench, contestants));
  for (const Contestant& contestant : contestants)
    record_samples(instance, device, contestant, use);
  return true;
}

}  // namespace

base::Result<Candidate*> fastest(Instance& instance, core::Device& device,
                                 const BoundRequest& request, std::span<Candidate*> candidates) {
  const ComparedUse use{axis_values(request.problem, trial_axes(device, request)),
                        attribute_values(request.problem)};
  auto contestants = with_stored_samples(instance, device, candidates, use);
  if (!all_have_samples(contestants)) {
    // Two measurements at once would disturb each other; the second asker finds the first one's.
    const std::scoped_lock lock(instance.trial_mutexes().of(
        base::concat("comparison/", device.info().fingerprint, '/', device.info().driver_id)));
    contestants = with_stored_samples(instance, device, candidates, use);
    if (!all_have_samples(contestants)) {
      HALYARD_TRY_ASSIGN(const bool measured,
                         measure_all(instance, device, request, use, contestants));
      if (!measured) {
        candidates.front()->reason =
            "It ranks like others and was not measured: the problem is too large to try without "
            "the application's tensors.";
        return candidates.front();
      }
    }
  }
  const auto best = std::min_element(
      contestants.begin(), contestants.end(),
      [](const Contestant& a, const Contestant& b) { return a.median_ns() < b.median_ns(); });
  for (Contestant& contestant : contestants) {
    contestant.candidate->reason = base::concat(
        "Measured ", std::round(contestant.median_ns()) / 1000, " us at ", axes_text(use.axes),
        &contestant == &*best ? ", the fastest of those that rank alike."
                              : ", slower than the chosen one.");
  }
  return best->candidate;
}

}  // namespace halyard::selection
