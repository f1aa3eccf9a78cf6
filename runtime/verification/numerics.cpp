// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/numerics.h"

#include "runtime/base/text.h"
#include "runtime/verification/changed_inputs.h"
#include "runtime/verification/counter_example.h"

#include <algorithm>
#include <utility>

namespace halyard::verification {
namespace {

using Clock = std::chrono::steady_clock;

// Beyond this a shape is launched with normal inputs only.
constexpr std::int64_t kFamilySteps = 2'000'000;

class NumericsRun {
 public:
  NumericsRun(Runner& runner, const NumericsDesc& desc)
      : desc_(desc),
        session_(runner, desc.shapes.seed),
        maker_(desc.shapes.contract, desc.shapes.types, desc.shapes.serves),
        random_(desc.shapes.seed, "numerics") {}

  base::Result<NumericsResult> run() {
    HALYARD_TRY_ASSIGN(shapes_, plan_shapes(desc_.shapes));
    if (shapes_.empty()) {
      result_.finding = unserved();
      return std::move(result_);
    }
    HALYARD_TRY(run_shapes());
    if (!result_.finding) HALYARD_TRY(run_long());
    if (!result_.finding) HALYARD_TRY(run_large());
    result_.launches = session_.launches();
    return std::move(result_);
  }

 private:
  Finding unserved() const {
    return {Stage::kNumerics, VerdictClass::kStatic,
            base::concat("The kernel takes no shape of contract \"", desc_.shapes.contract->name(),
                         "\" with ", operators::type_bindings_text(desc_.shapes.types), "."),
            std::nullopt};
  }

  bool is_late() {
    if (Clock::now() < desc_.deadline) return false;
    result_.finding = {
        Stage::kNumerics, VerdictClass::kUndecided,
        base::concat("The deadline passes after ", done_, " of ", shapes_.size(), " shapes."),
        std::nullopt};
    return true;
  }

  std::uint64_t next_seed() { return random_.bits(drawn_++); }

  operators::CheckLimits check_limits() { return {desc_.check_multiply_adds, next_seed(), true}; }

  base::Status run_shapes() {
    bool has_changed_inputs = false;
    for (const PlannedShape& shape : shapes_) {
      if (is_late()) return base::ok();
      HALYARD_TRY(run_shape(shape, !has_changed_inputs && is_telling(shape)));
      has_changed_inputs = has_changed_inputs || is_telling(shape);
      if (result_.finding) return base::ok();
      ++done_;
    }
    return base::ok();
  }

  // Small, and with enough elements that a change of one is a change of the answer.
  static bool is_telling(const PlannedShape& shape) {
    return shape.steps >= 64 && std::none_of(shape.axes.begin(), shape.axes.end(),
                                             [](const auto& axis) { return axis.value == 0; });
  }

  base::Status run_shape(const PlannedShape& shape, bool with_changed_inputs) {
    double worst_ratio = 0;
    HALYARD_TRY(run_case(shape, {InputFamily::kNormal, 0}, worst_ratio));
    if (!result_.finding && with_changed_inputs) HALYARD_TRY(run_changed(shape));
    const std::vector<InputCase> cases = input_cases(shape.problem);
    for (std::size_t i = 1; i < cases.size() && !result_.finding; ++i) {
      if (is_chosen(shape, cases[i], i)) HALYARD_TRY(run_case(shape, cases[i], worst_ratio));
    }
    if (result_.finding || shape.origin == ShapeOrigin::kHeldOut) return base::ok();
    store::EvidenceCheck check;
    check.types = {shape.problem.types().begin(), shape.problem.types().end()};
    for (const operators::AxisValue& axis : shape.axes)
      check.axes[axis.name] = axis.value;
    check.worst_error_ratio = worst_ratio;
    check.guards_intact = true;
    result_.checks.push_back(std::move(check));
    return base::ok();
  }

  // Each family on a part of the shapes; exact sums, which long reductions need, on all.
  bool is_chosen(const PlannedShape& shape, const InputCase& input, std::size_t index) const {
    constexpr std::size_t kPart = 5;
    if (desc_.normal_inputs_only || shape.steps > kFamilySteps) return false;
    return has_exact_sums(input, shape.problem.contract()) || (done_ + index) % kPart == 0;
  }

  base::Status run_case(const PlannedShape& shape, const InputCase& input, double& worst_ratio) {
    constexpr std::uint64_t kRestarts = 32;
    const std::uint64_t seed = next_seed();
    if (seed % kRestarts == 0) session_.restart();
    HALYARD_TRY_ASSIGN(CheckedLaunch launch,
                       CheckedLaunch::create(shape, input, seed, check_limits()));
    HALYARD_TRY(session_.place(launch));
    HALYARD_TRY_ASSIGN(std::optional<Mismatch> mismatch, session_.run(launch));
    worst_ratio = std::max(worst_ratio, launch.worst_ratio());
    if (!mismatch) {
      last_ = std::move(launch);
      return base::ok();
    }
    const std::uint64_t count = std::min<std::uint64_t>(session_.launches_since_restart() + 1, 200);
    HALYARD_TRY_ASSIGN(Mismatch judged, judge(session_, launch, std::move(*mismatch),
                                              [&] { return replay(launch, count); }));
    return report(shape, input, seed, std::move(judged));
  }

  // The launch after the one that was before it; or else by itself, as often as the process has
  // launched.
  base::Result<std::string> replay(CheckedLaunch& launch, std::uint64_t count) {
    if (last_) {
      HALYARD_TRY_ASSIGN(std::string pattern, replay_alone(session_, *last_, 1));
      HALYARD_TRY(session_.place_again(launch));
      HALYARD_TRY_ASSIGN(const std::optional<Mismatch> mismatch, session_.run(launch));
      if (mismatch) return pattern + '1';
    }
    return replay_alone(session_, launch, count);
  }

  base::Status run_changed(const PlannedShape& shape) {
    const std::uint64_t seed = next_seed();
    const InputCase input{InputFamily::kNormal, 0};
    HALYARD_TRY_ASSIGN(const CheckedLaunch launch,
                       CheckedLaunch::create(shape, input, seed, check_limits()));
    HALYARD_TRY_ASSIGN(std::optional<Mismatch> mismatch,
                       run_changed_inputs(session_, launch, next_seed()));
    if (!mismatch) return base::ok();
    return report(shape, input, seed, std::move(*mismatch));
  }

  // Changed inputs of the largest cheap shapes, of which some show no change of one element; and a
  // long run of a small one.
  base::Status run_long() {
    constexpr std::int64_t kSteps = 500'000;
    constexpr std::size_t kShapes = 3;
    std::vector<const PlannedShape*> telling;
    for (const PlannedShape& shape : shapes_) {
      const bool is_shown = shape.origin != ShapeOrigin::kHeldOut;
      if (is_shown && is_telling(shape) && shape.steps <= kSteps) telling.push_back(&shape);
    }
    for (std::size_t i = 0; i < std::min(kShapes, telling.size()); ++i) {
      HALYARD_TRY(run_changed(*telling[telling.size() - 1 - i]));
      if (result_.finding) return base::ok();
    }
    if (telling.empty() || is_late()) return base::ok();
    const PlannedShape& smallest = *telling.front();
    const std::uint64_t seed = next_seed();
    const InputCase input{InputFamily::kNormal, 0};
    HALYARD_TRY_ASSIGN(const CheckedLaunch launch,
                       CheckedLaunch::create(smallest, input, seed, check_limits()));
    constexpr std::uint64_t kLeast = 100;
    const std::uint64_t count = kLeast + next_seed() % 64;
    HALYARD_TRY_ASSIGN(std::optional<Mismatch> mismatch,
                       run_late_launches(session_, launch, count, next_seed()));
    if (!mismatch) return base::ok();
    return report(smallest, input, seed, std::move(*mismatch));
  }

  base::Status run_large() {
    if (desc_.large.bytes == 0) return base::ok();
    large_shapes_ = plan_large_shapes(desc_.shapes, desc_.large);
    for (const PlannedShape& shape : large_shapes_) {
      double worst_ratio = 0;
      if (is_late()) return base::ok();
      HALYARD_TRY(run_case(shape, {InputFamily::kNormal, 0}, worst_ratio));
      if (result_.finding) return base::ok();
    }
    return base::ok();
  }

  base::Status report(const PlannedShape& shape, const InputCase& input, std::uint64_t seed,
                      Mismatch mismatch) {
    // One that hangs takes its whole patience each time.
    const std::uint64_t launches = mismatch.verdict == VerdictClass::kHang ? 4 : 80;
    SmallerFailure failure{shape, input, seed, std::move(mismatch)};
    if (shape.origin != ShapeOrigin::kHeldOut) {
      HALYARD_TRY_ASSIGN(failure, find_smaller(session_, maker_, std::move(failure), launches));
    }
    result_.finding = make_finding(Stage::kNumerics, failure);
    return base::ok();
  }

  const NumericsDesc& desc_;
  LaunchSession session_;
  ShapeMaker maker_;
  operators::CounterRandom random_;
  std::uint64_t drawn_ = 0;
  std::vector<PlannedShape> shapes_;
  std::vector<PlannedShape> large_shapes_;
  std::size_t done_ = 0;
  std::optional<CheckedLaunch> last_;  // Of run_case(); borrows its shape.
  NumericsResult result_;
};

}  // namespace

base::Result<NumericsResult> run_numerics(Runner& runner, const NumericsDesc& desc) {
  return NumericsRun(runner, desc).run();
}

}  // namespace halyard::verification
