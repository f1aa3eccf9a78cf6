// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/stability.h"

#include "runtime/base/float_formats.h"
#include "runtime/base/text.h"
#include "runtime/verification/counter_example.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace halyard::verification {
namespace {

constexpr std::int64_t kMostSteps = 2'000'000;

struct StabilityCase {
  CheckedLaunch launch;
  std::vector<std::vector<std::byte>> first;  // Outputs of the first launch; empty before it.
};

class StabilityRun {
 public:
  StabilityRun(Runner& runner, const StabilityDesc& desc)
      : desc_(desc),
        session_(runner, ~desc.shapes.seed),
        random_(desc.shapes.seed, "stability") {}

  base::Result<StabilityResult> run() {
    HALYARD_TRY_ASSIGN(shapes_, plan_shapes(desc_.shapes));
    HALYARD_TRY(choose_cases());
    std::vector<std::size_t> order(cases_.size());
    for (std::uint64_t round = 0; round < desc_.repeats && !result_.finding; ++round) {
      shuffle(order);
      if (round % 7 == 6) session_.restart();
      for (const std::size_t index : order) {
        if (is_late(round)) break;
        HALYARD_TRY(run_case(cases_[index]));
        if (result_.finding) break;
      }
    }
    result_.launches = session_.launches();
    return std::move(result_);
  }

 private:
  // Small, middle and large ones of the shapes that may be shown and are cheap.
  base::Status choose_cases() {
    constexpr std::size_t kShapes = 5;
    std::vector<const PlannedShape*> cheap;
    for (const PlannedShape& shape : shapes_) {
      const bool is_empty = std::any_of(shape.axes.begin(), shape.axes.end(),
                                        [](const auto& axis) { return axis.value == 0; });
      if (shape.origin == ShapeOrigin::kHeldOut || is_empty || shape.steps > kMostSteps) continue;
      if (shape.steps > desc_.most_steps && !cheap.empty()) continue;
      cheap.push_back(&shape);
    }
    const std::size_t count = std::min(kShapes, cheap.size());
    for (std::size_t i = 0; i < count; ++i) {
      const PlannedShape& shape = *cheap[count == 1 ? 0 : i * (cheap.size() - 1) / (count - 1)];
      for (const InputFamily family : {InputFamily::kNormal, InputFamily::kMixedScales}) {
        HALYARD_TRY_ASSIGN(CheckedLaunch launch,
                           CheckedLaunch::create(shape, {family, 0}, random_.bits(drawn_++), {}));
        cases_.push_back({std::move(launch), {}});
      }
    }
    return base::ok();
  }

  void shuffle(std::vector<std::size_t>& order) {
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    for (std::size_t i = order.size(); i-- > 1;) {
      const std::int64_t other = random_.below(drawn_++, static_cast<std::int64_t>(i) + 1);
      std::swap(order[i], order[static_cast<std::size_t>(other)]);
    }
  }

  bool is_late(std::uint64_t round) {
    if (std::chrono::steady_clock::now() < desc_.deadline) return false;
    result_.finding = {
        Stage::kStability, VerdictClass::kUndecided,
        base::concat("The deadline passes after ", round, " of ", desc_.repeats, " repeats."),
        std::nullopt};
    return true;
  }

  base::Status run_case(StabilityCase& each) {
    HALYARD_TRY(session_.place(each.launch));
    HALYARD_TRY_ASSIGN(std::optional<Mismatch> mismatch, session_.run(each.launch));
    const bool is_first = each.first.empty();
    if (is_first) each.first = each.launch.outputs();
    if (mismatch && !is_first && mismatch->verdict == VerdictClass::kNumeric) {
      mismatch->verdict = VerdictClass::kNondet;
      mismatch->sentence = base::concat("The same launch was right before. ", mismatch->sentence);
    }
    if (!mismatch && !is_first && desc_.shapes.contract->fields().bitwise) {
      mismatch = find_difference(each);
    }
    if (mismatch) {
      result_.finding = make_finding(Stage::kStability, {each.launch.shape(), each.launch.input(),
                                                         each.launch.seed(), std::move(*mismatch)});
    }
    return base::ok();
  }

  static std::optional<Mismatch> find_difference(const StabilityCase& each) {
    const operators::Problem& problem = each.launch.shape().problem;
    const auto shapes = problem.shapes(each.launch.shape().launch_axes);
    for (std::size_t i = 0; shapes && i < each.first.size(); ++i) {
      const std::vector<std::byte>& now = each.launch.outputs()[i];
      const std::vector<std::byte>& first = each.first[i];
      const auto changed = std::mismatch(first.begin(), first.end(), now.begin()).first;
      if (changed == first.end()) continue;
      const operators::TensorShape& shape = shapes->tensors[i];
      const std::size_t size_bytes = base::data_type_size_bytes(shape.type);
      const std::size_t element = static_cast<std::size_t>(changed - first.begin()) / size_bytes;
      Mismatch mismatch;
      mismatch.verdict = VerdictClass::kNondet;
      mismatch.tensor = problem.contract().tensors()[i].name;
      mismatch.index = operators::element_place(shape, element);
      const std::size_t offset = element * size_bytes;
      mismatch.got = base::concat(base::load_as_double(shape.type, now.data() + offset));
      mismatch.expected = base::concat(base::load_as_double(shape.type, first.data() + offset));
      mismatch.sentence = base::concat("Tensor \"", mismatch.tensor,
                                       "\" differs between launches with the same inputs, at [",
                                       base::join(mismatch.index), "]: ", mismatch.expected,
                                       " and then ", mismatch.got, "; the contract is bitwise.");
      return mismatch;
    }
    return std::nullopt;
  }

  const StabilityDesc& desc_;
  LaunchSession session_;
  operators::CounterRandom random_;
  std::uint64_t drawn_ = 0;
  std::vector<PlannedShape> shapes_;
  std::vector<StabilityCase> cases_;
  StabilityResult result_;
};

}  // namespace

base::Result<StabilityResult> run_stability(Runner& runner, const StabilityDesc& desc) {
  return StabilityRun(runner, desc).run();
}

}  // namespace halyard::verification
