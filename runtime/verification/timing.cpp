// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/timing.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halyard::verification {
namespace {

using std::chrono::nanoseconds;

constexpr std::uint32_t kMostRepeats = 1U << 20;
constexpr std::uint32_t kMostSets = 1024;

// One kernel's series of launches in one fresh process.
class Turn {
 public:
  Turn(const TimingDesc& desc, const TimedShape& shape, SupervisedRunner& runner)
      : desc_(desc),
        shape_(shape),
        runner_(runner) {}

  // The process goes with the turn: the other's time is not to be shared with it.
  ~Turn() { runner_.restart(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // The median time of a launch, or nothing after a finding.
  base::Result<std::optional<double>> run(std::uint32_t set_count) {
    runner_.restart();
    HALYARD_TRY_ASSIGN(const auto sets, runner_.place_sets({shape_.problem, shape_.launch_axes,
                                                            shape_.scalars, Fence::kAfter},
                                                           set_count));
    fill(sets);
    HALYARD_TRY_ASSIGN(const bool bound, proceed(runner_.bind()));
    if (!bound) return std::optional<double>();
    HALYARD_TRY_ASSIGN(const std::optional<double> time, measure(set_count, sets));
    if (!time) return time;
    if (!desc_.is_idempotent) {
      fill(sets);
      HALYARD_TRY_ASSIGN(const bool again, proceed(runner_.rerun(set_count)));
      if (!again) return std::optional<double>();
    }
    HALYARD_TRY_ASSIGN(const bool collected, proceed(runner_.collect()));
    if (!collected) return std::optional<double>();
    for (const auto& set : sets) {
      HALYARD_TRY_ASSIGN(finding_, desc_.check(set));
      if (finding_) return std::optional<double>();
    }
    return time;
  }

  std::optional<Finding> finding() const { return finding_; }

 private:
  void fill(const std::vector<std::vector<TensorMemory>>& sets) const {
    for (const auto& set : sets)
      desc_.fill(set);
  }

  base::Result<bool> proceed(base::Result<LaunchOutcome> outcome) {
    if (!outcome) return std::move(outcome.error());
    if (outcome->kind == LaunchOutcome::Kind::kDone) return true;
    const bool is_hang = outcome->kind == LaunchOutcome::Kind::kHang;
    finding_ = Finding{Stage::kTiming, is_hang ? VerdictClass::kHang : VerdictClass::kCheat,
                       base::concat("While it is timed: ", outcome->message), std::nullopt};
    return false;
  }

  base::Result<std::optional<double>> batch(std::uint32_t repeat) {
    auto outcome = runner_.run(repeat);
    const auto wall = outcome ? outcome->wall : nanoseconds(0);
    HALYARD_TRY_ASSIGN(const bool done, proceed(std::move(outcome)));
    if (!done) return std::optional<double>();
    return std::optional<double>(static_cast<double>(wall.count()) / repeat);
  }

  // One pass over cold sets, whose outputs nobody has written since, or many launches over a warm
  // one, which a kernel that looks at its output could leave out.
  base::Result<std::optional<double>> measure(std::uint32_t set_count,
                                              const std::vector<std::vector<TensorMemory>>& sets) {
    HALYARD_TRY_ASSIGN(const auto first, batch(set_count));
    if (!first) return first;
    HALYARD_TRY_ASSIGN(const auto second, batch(set_count));
    if (!second) return second;
    const double wanted = static_cast<double>(nanoseconds(desc_.rules.least_batch).count());
    const double count = std::clamp(std::ceil(wanted / std::max(*second, 1.0)), 1.0,
                                    static_cast<double>(kMostRepeats));
    const std::uint32_t repeat = set_count > 1 ? set_count : static_cast<std::uint32_t>(count);
    std::vector<double> times;
    for (std::uint32_t i = 0; i < desc_.rules.batches; ++i) {
      for (const auto& set : sets)
        desc_.reset(set);
      HALYARD_TRY_ASSIGN(const bool uploaded, proceed(runner_.upload()));
      if (!uploaded) return std::optional<double>();
      HALYARD_TRY_ASSIGN(const auto time, batch(repeat));
      if (!time) return time;
      times.push_back(*time);
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                     times.end());
    return std::optional<double>(times[times.size() / 2]);
  }

  const TimingDesc& desc_;
  const TimedShape& shape_;
  SupervisedRunner& runner_;
  std::optional<Finding> finding_;
};

base::Result<std::uint64_t> bytes_of(const TimedShape& shape) {
  HALYARD_TRY_ASSIGN(const operators::ShapeTable shapes, shape.problem->shapes(shape.launch_axes));
  std::uint64_t bytes = 1;
  for (std::size_t i = 0; i < shapes.tensor_count; ++i) {
    if (shapes.tensors[i].present)
      bytes += static_cast<std::uint64_t>(shapes.tensors[i].size_bytes);
  }
  return bytes;
}

std::optional<Finding> undercut(const TimedShape& shape, const TimingRules& rules, double time_ns,
                                double floor_ns, std::string_view temperature) {
  if (floor_ns <= 0 || time_ns >= rules.floor_share * floor_ns) return std::nullopt;
  return Finding{Stage::kTiming, VerdictClass::kTiming,
                 base::concat("In ", shape.bucket, " (", temperature, ") a launch takes ", time_ns,
                              " ns, less than the ", floor_ns,
                              " ns that the device needs for its bytes and operations."),
                 std::nullopt};
}

Finding late_finding(const TimedShape& shape, std::uint32_t done, std::uint32_t rounds) {
  return {Stage::kTiming, VerdictClass::kUndecided,
          base::concat("The deadline passes in ", shape.bucket, " after ", done, " of ", rounds,
                       " rounds."),
          std::nullopt};
}

// The rounds of one temperature, appended to `pairs`.
base::Status time_rounds(const TimingDesc& desc, const TimedShape& shape, std::uint32_t set_count,
                         std::vector<TimePair>& pairs, ShapeTiming& timing) {
  for (std::uint32_t round = 0; round < desc.rules.rounds; ++round) {
    // A B B A, with A the incumbent; without one the candidate's two turns are all.
    std::vector<double> incumbent;
    std::vector<double> candidate;
    for (const bool is_candidate : {false, true, true, false}) {
      if (!is_candidate && desc.incumbent == nullptr) continue;
      if (std::chrono::steady_clock::now() >= desc.deadline) {
        timing.finding = late_finding(shape, round, desc.rules.rounds);
        return base::ok();
      }
      Turn turn(desc, shape, is_candidate ? *desc.candidate : *desc.incumbent);
      HALYARD_TRY_ASSIGN(const auto time, turn.run(set_count));
      if (!time && !is_candidate) {
        return base::Error(
            base::ErrorCode::kUnavailable,
            base::concat("The incumbent fails while it is timed: ", turn.finding()->sentence));
      }
      if (!time) {
        timing.finding = turn.finding();
        return base::ok();
      }
      (is_candidate ? candidate : incumbent).push_back(*time);
    }
    for (std::size_t i = 0; i < candidate.size(); ++i)
      pairs.push_back({incumbent.empty() ? 0 : incumbent[i], candidate[i]});
    const auto& same = incumbent.empty() ? candidate : incumbent;
    timing.noise.push_back({same.front(), same.back()});
  }
  return base::ok();
}

double best_of(std::span<const TimePair> pairs) {
  const auto best = std::min_element(
      pairs.begin(), pairs.end(),
      [](const TimePair& a, const TimePair& b) { return a.candidate_ns < b.candidate_ns; });
  return best == pairs.end() ? 0 : best->candidate_ns;
}

}  // namespace

base::Result<ShapeTiming> time_shape(const TimingDesc& desc, const TimedShape& shape) {
  ShapeTiming timing;
  timing.bucket = shape.bucket;
  HALYARD_TRY_ASSIGN(const std::uint64_t bytes, bytes_of(shape));
  const std::uint64_t room = std::max<std::uint64_t>(desc.rules.most_bytes / bytes, 1);
  const auto sets = static_cast<std::uint32_t>(std::max<std::uint64_t>(
      std::min({desc.rules.cold_bytes / bytes + 1, room, std::uint64_t{kMostSets}}), 2));
  HALYARD_TRY(time_rounds(desc, shape, sets, timing.cold, timing));
  if (timing.finding) return timing;
  // Few sets do not leave the caches: their time is no cold one, and the floor does not hold.
  if (sets * bytes >= desc.rules.cold_bytes) {
    timing.finding = undercut(shape, desc.rules, best_of(timing.cold), shape.floor_cold_ns, "cold");
    if (timing.finding) return timing;
  }
  HALYARD_TRY(time_rounds(desc, shape, 1, timing.warm, timing));
  if (timing.finding) return timing;
  timing.finding = undercut(shape, desc.rules, best_of(timing.warm), shape.floor_warm_ns, "warm");
  return timing;
}

}  // namespace halyard::verification
