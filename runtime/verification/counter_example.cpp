// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/counter_example.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <variant>

namespace halyard::verification {
namespace {

class Reduction {
 public:
  Reduction(LaunchSession& session, const ShapeMaker& maker, SmallerFailure failure,
            std::uint64_t launches)
      : session_(session),
        maker_(maker),
        best_(std::move(failure)),
        is_apart_(session.fence() == Fence::kApart),
        left_(launches) {}

  base::Result<SmallerFailure> run() {
    bool is_smaller = true;
    while (is_smaller && left_ > 0) {
      is_smaller = false;
      for (std::size_t axis = 0; axis < best_.shape.axes.size(); ++axis) {
        HALYARD_TRY_ASSIGN(const bool shrunk, shrink(axis));
        is_smaller = is_smaller || shrunk;
      }
    }
    if (best_.input.family != InputFamily::kNormal) {
      HALYARD_TRY(attempt(best_.shape, {InputFamily::kNormal, 0}));
    }
    return std::move(best_);
  }

 private:
  // Tries the least value of an axis, half of it, and one less.
  base::Result<bool> shrink(std::size_t axis) {
    const std::int64_t value = best_.shape.axes[axis].value;
    for (const std::int64_t smaller : {std::int64_t{1}, value / 2, value - 1}) {
      if (smaller < 1 || smaller >= value) continue;
      std::map<std::string, std::int64_t> axes;
      for (const operators::AxisValue& each : best_.shape.axes)
        axes[each.name] = each.value;
      axes[best_.shape.axes[axis].name] = smaller;
      std::optional<PlannedShape> shape = maker_.make(axes, best_.shape.problem.attributes(),
                                                      {best_.shape.steps, best_.shape.bytes});
      if (!shape) continue;
      HALYARD_TRY_ASSIGN(const bool fails, attempt(std::move(*shape), best_.input));
      if (fails) return true;
    }
    return false;
  }

  // Takes the shape and the inputs as the best when they fail likewise.
  base::Result<bool> attempt(PlannedShape shape, InputCase input) {
    const std::array<Fence, 2> fences{is_apart_ ? Fence::kApart : Fence::kAfter, Fence::kBefore};
    for (const Fence fence : fences) {
      if (left_ == 0) return false;
      --left_;
      HALYARD_TRY_ASSIGN(CheckedLaunch launch,
                         CheckedLaunch::create(shape, input, best_.seed, operators::CheckLimits{}));
      HALYARD_TRY(session_.place(launch, fence));
      HALYARD_TRY_ASSIGN(std::optional<Mismatch> mismatch, session_.run(launch));
      if (mismatch && mismatch->verdict == best_.mismatch.verdict) {
        best_ = {std::move(shape), input, best_.seed, std::move(*mismatch)};
        return true;
      }
      if (best_.mismatch.verdict != VerdictClass::kBounds) break;
    }
    return false;
  }

  LaunchSession& session_;
  const ShapeMaker& maker_;
  SmallerFailure best_;
  bool is_apart_;  // What fails may do so only with rows apart.
  std::uint64_t left_;
};

boost::json::object attributes_json(const operators::Attributes& attributes) {
  boost::json::object object;
  for (const auto& [name, value] : attributes) {
    std::visit([&object, &name = name](const auto& each) { object[name] = each; }, value);
  }
  return object;
}

store::TypeBinding types_of(const operators::Problem& problem) {
  return {problem.types().begin(), problem.types().end()};
}

// The power of two at or below a length.
std::int64_t bucket_of(std::int64_t length) {
  std::int64_t bucket = 1;
  while (bucket <= length / 2)
    bucket *= 2;
  return std::min(bucket, length);
}

std::string held_out_word(VerdictClass verdict) {
  switch (verdict) {
    case VerdictClass::kBounds:
      return "touches memory that it must not";
    case VerdictClass::kCheat:
      return "is not honest";
    case VerdictClass::kHang:
      return "does not end";
    case VerdictClass::kNondet:
      return "gives different answers for the same input";
    case VerdictClass::kStatic:
      return "is refused";
    case VerdictClass::kUndecided:
      return "needs what the verifier does not know";
    default:
      return "gives wrong values";
  }
}

Finding held_out_finding(Stage stage, const SmallerFailure& failure) {
  Finding finding{stage, failure.mismatch.verdict, {}, CounterExample{}};
  CounterExample& example = *finding.counter_example;
  example.types = types_of(failure.shape.problem);
  example.is_held_out = true;
  std::vector<std::string> texts;
  for (const operators::AxisValue& axis : failure.shape.axes) {
    const std::int64_t bucket = bucket_of(axis.value);
    example.axes[axis.name] = bucket;
    texts.push_back(base::concat(axis.name, " from ", bucket));
  }
  finding.sentence = base::concat("A launch of a held-out shape ", held_out_word(finding.verdict),
                                  "; its bucket is ", base::join(texts), ".");
  return finding;
}

}  // namespace

base::Result<SmallerFailure> find_smaller(LaunchSession& session, const ShapeMaker& maker,
                                          SmallerFailure failure, std::uint64_t launches) {
  const VerdictClass verdict = failure.mismatch.verdict;
  if (verdict != VerdictClass::kNumeric && verdict != VerdictClass::kBounds) return failure;
  return Reduction(session, maker, std::move(failure), launches).run();
}

Finding make_finding(Stage stage, const SmallerFailure& failure) {
  if (failure.shape.origin == ShapeOrigin::kHeldOut) return held_out_finding(stage, failure);
  const operators::Problem& problem = failure.shape.problem;
  Finding finding{stage, failure.mismatch.verdict, {}, CounterExample{}};
  CounterExample& example = *finding.counter_example;
  example.types = types_of(problem);
  example.attributes = attributes_json(problem.attributes());
  for (const operators::AxisValue& axis : failure.shape.axes)
    example.axes[axis.name] = axis.value;
  example.inputs = input_case_name(failure.input, problem.contract());
  example.seed = failure.seed;
  example.tensor = failure.mismatch.tensor;
  example.index = failure.mismatch.index;
  example.got = failure.mismatch.got;
  example.expected = failure.mismatch.expected;
  finding.sentence = base::concat(
      failure.mismatch.sentence, " The launch has ", operators::type_bindings_text(problem.types()),
      ", ", axes_text(failure.shape.axes), " and inputs \"", example.inputs, "\".");
  return finding;
}

}  // namespace halyard::verification
