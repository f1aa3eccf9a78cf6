// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/comparison.h"

#include "runtime/base/float_formats.h"
#include "runtime/base/text.h"
#include "runtime/operators/element_reader.h"
#include "runtime/verification/emulator_report.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

namespace halyard::verification {
namespace {

using operators::ExpectedOutput;
using operators::ReferenceTensor;

std::string place_text(const std::vector<std::int64_t>& place) {
  return base::concat('[', base::join(place), ']');
}

ReferenceTensor tensor_over(const operators::TensorShape& shape, std::span<const std::byte> bytes) {
  // The tensor is only read through the view that this becomes.
  return operators::dense_tensor(
      shape,
      const_cast<std::byte*>(bytes.data()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

double element_at(const TensorAfter& tensor, std::span<const std::byte> bytes,
                  std::uint64_t element) {
  return base::load_as_double(
      tensor.shape.type, bytes.data() + element * base::data_type_size_bytes(tensor.shape.type));
}

Mismatch guard_mismatch(const TensorAfter& tensor, std::int64_t element, const char* where) {
  Mismatch mismatch;
  mismatch.verdict = VerdictClass::kBounds;
  mismatch.tensor = tensor.name;
  mismatch.sentence = base::concat(
      "The launch writes ", element, element == 1 ? " element" : " elements", " ", where,
      " tensor \"", tensor.name, "\" (", tensor.shape.element_count, " elements).");
  return mismatch;
}

double round_to_type(base::DataType type, double value) {
  std::array<unsigned char, 8> bytes{};
  base::store_from_double(type, value, bytes.data());
  return base::load_as_double(type, bytes.data());
}

// Whether the accumulation counts the element's sum one by one.
bool is_counted(const ExpectedOutput& expected, std::size_t i) {
  const double most = 1 / base::data_type_unit_roundoff(expected.rule.accumulation);
  return expected.magnitudes[i] < most && expected.values[i] == std::trunc(expected.values[i]);
}

// One comparison of an output, element by element.
class ValueComparison {
 public:
  ValueComparison(const ExpectedOutput& expected, const TensorAfter& tensor, bool has_exact_sums)
      : expected_(expected),
        tensor_(tensor),
        has_exact_sums_(has_exact_sums),
        size_bytes_(base::data_type_size_bytes(tensor.shape.type)) {}

  OutputComparison run() {
    for (std::size_t i = 0; i < expected_.elements.size(); ++i)
      compare(i);
    OutputComparison result;
    result.worst_ratio = worst_.ratio;
    if (unwritten_ != 0) {
      result.mismatch = unwritten();
    } else if (worst_.failures != 0) {
      result.mismatch = wrong();
    }
    return result;
  }

 private:
  void compare(std::size_t i) {
    const std::uint64_t element = expected_.elements[i];
    const double y = element_at(tensor_, tensor_.after, element);
    double r = expected_.values[i];
    double ratio = operators::error_ratio(y, r, expected_.magnitudes[i], expected_.rule);
    if (has_exact_sums_ && is_counted(expected_, i)) {
      r = round_to_type(expected_.rule.output, r);
      ratio = y == r ? 0 : HUGE_VAL;
    }
    const bool is_wrong = ratio > 1;
    // A NaN that nobody wrote is no answer, even where NaN is right.
    if ((is_wrong || std::isnan(r)) && is_poison(element)) note_unwritten(element);
    if (is_wrong) note_wrong(element);
    if (worst_.compared++ == 0 || ratio > worst_.ratio) {
      worst_.ratio = ratio;
      worst_.element = element;
      worst_.value = y;
      worst_.reference = r;
      worst_.magnitude = expected_.magnitudes[i];
    }
  }

  // Inouts hold values, not poison.
  bool is_poison(std::uint64_t element) const {
    return tensor_.before.empty() &&
           tensor_.poison->holds(tensor_.shape.type, element,
                                 tensor_.after.data() + element * size_bytes_);
  }

  void note_unwritten(std::uint64_t element) {
    if (unwritten_++ == 0) first_unwritten_ = element;
  }

  void note_wrong(std::uint64_t element) {
    ++worst_.failures;
    const std::size_t offset = element * size_bytes_;
    const bool is_old = !tensor_.last_after.empty() &&
                        std::memcmp(tensor_.after.data() + offset,
                                    tensor_.last_after.data() + offset, size_bytes_) == 0;
    if (is_old) ++old_;
  }

  Mismatch mismatch_at(std::uint64_t element) const {
    Mismatch mismatch;
    mismatch.tensor = tensor_.name;
    mismatch.index = operators::element_place(tensor_.shape, element);
    mismatch.got = base::concat(element_at(tensor_, tensor_.after, element));
    return mismatch;
  }

  Mismatch unwritten() const {
    Mismatch mismatch = mismatch_at(first_unwritten_);
    mismatch.expected = expected_text(first_unwritten_);
    mismatch.sentence = base::concat(
        "Tensor \"", tensor_.name, "\" is not written: ", unwritten_, " of ", worst_.compared,
        " compared elements still hold what was there before the launch, the first at ",
        place_text(mismatch.index), ".");
    return mismatch;
  }

  Mismatch wrong() const {
    Mismatch mismatch = mismatch_at(worst_.element);
    mismatch.expected = base::concat(worst_.reference);
    mismatch.is_stale = old_ == worst_.failures;
    const double allowed = has_exact_sums_ ? 0 : operators::allowed_error(worst_, expected_.rule);
    mismatch.sentence = base::concat(
        "Tensor \"", tensor_.name, "\" is wrong at ", place_text(mismatch.index), ": ",
        mismatch.got, " instead of ", mismatch.expected, ", with ", allowed, " allowed; ",
        worst_.failures, " of ", worst_.compared, " compared elements are out of bounds.");
    return mismatch;
  }

  std::string expected_text(std::uint64_t element) const {
    const auto found =
        std::lower_bound(expected_.elements.begin(), expected_.elements.end(), element);
    return base::concat(
        expected_.values[static_cast<std::size_t>(found - expected_.elements.begin())]);
  }

  const ExpectedOutput& expected_;
  const TensorAfter& tensor_;
  bool has_exact_sums_;
  std::size_t size_bytes_;
  operators::WorstError worst_;
  std::uint64_t unwritten_ = 0;
  std::uint64_t first_unwritten_ = 0;
  std::uint64_t old_ = 0;
};

}  // namespace

std::optional<Mismatch> check_guards(const TensorAfter& tensor, const TensorMemory& memory) {
  const std::size_t size_bytes = base::data_type_size_bytes(tensor.shape.type);
  if (const auto changed = tensor.poison->first_change(memory.guard_after)) {
    return guard_mismatch(tensor, static_cast<std::int64_t>(*changed / size_bytes) + 1,
                          "past the end of");
  }
  if (const auto changed = tensor.poison->last_change(memory.guard_before)) {
    const std::size_t distance = memory.guard_before.size() - *changed;
    return guard_mismatch(tensor,
                          static_cast<std::int64_t>((distance + size_bytes - 1) / size_bytes),
                          "before the start of");
  }
  return std::nullopt;
}

std::optional<Mismatch> check_unchanged(const TensorAfter& tensor) {
  const auto [before, after] =
      std::mismatch(tensor.before.begin(), tensor.before.end(), tensor.after.begin());
  if (before == tensor.before.end()) return std::nullopt;
  const auto element = static_cast<std::uint64_t>(before - tensor.before.begin()) /
                       base::data_type_size_bytes(tensor.shape.type);
  Mismatch mismatch;
  mismatch.verdict = VerdictClass::kCheat;
  mismatch.tensor = tensor.name;
  mismatch.index = operators::element_place(tensor.shape, element);
  mismatch.got = base::concat(element_at(tensor, tensor.after, element));
  mismatch.expected = base::concat(element_at(tensor, tensor.before, element));
  mismatch.sentence = base::concat("The launch modifies its input \"", tensor.name, "\" at ",
                                   place_text(mismatch.index), ", from ", mismatch.expected, " to ",
                                   mismatch.got, ".");
  return mismatch;
}

OutputComparison compare_values(const ExpectedOutput& expected, const TensorAfter& tensor,
                                bool has_exact_sums) {
  OutputComparison result = ValueComparison(expected, tensor, has_exact_sums).run();
  if (result.mismatch || tensor.before.empty()) return result;
  const std::uint64_t changed = operators::count_changed(
      expected, tensor_over(tensor.shape, tensor.before), tensor_over(tensor.shape, tensor.after));
  if (changed == 0) return result;
  result.mismatch.emplace();
  result.mismatch->verdict = VerdictClass::kBounds;
  result.mismatch->tensor = tensor.name;
  result.mismatch->sentence =
      base::concat("Tensor \"", tensor.name, "\" changes in ", changed,
                   changed == 1 ? " element" : " elements", " that the launch should leave alone.");
  return result;
}

std::optional<Mismatch> outcome_mismatch(const LaunchOutcome& outcome) {
  Mismatch mismatch;
  switch (outcome.kind) {
    case LaunchOutcome::Kind::kDone:
      return std::nullopt;
    case LaunchOutcome::Kind::kRefused:
      mismatch.verdict = VerdictClass::kStatic;
      mismatch.sentence = base::concat("The launch does not start: ", outcome.message);
      break;
    case LaunchOutcome::Kind::kFault:
      mismatch.verdict = VerdictClass::kBounds;
      mismatch.sentence =
          base::concat("The launch touches memory outside its tensors: ", outcome.message);
      break;
    case LaunchOutcome::Kind::kCrash:
      mismatch.sentence = base::concat("The launch ends its process: ", outcome.message);
      break;
    case LaunchOutcome::Kind::kViolation:
      mismatch.verdict = VerdictClass::kCheat;
      mismatch.sentence =
          base::concat("The launch asks for what kernels have no use for: ", outcome.message);
      break;
    case LaunchOutcome::Kind::kReported:
      mismatch.verdict = verdict_of_report(outcome.message);
      mismatch.sentence = base::concat("The emulator stops the kernel: ", outcome.message);
      break;
    case LaunchOutcome::Kind::kHang:
      mismatch.verdict = VerdictClass::kHang;
      mismatch.sentence = base::concat("The launch hangs: ", outcome.message);
      break;
  }
  return mismatch;
}

}  // namespace halyard::verification
