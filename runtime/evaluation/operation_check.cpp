// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/operation_check.h"

#include "runtime/base/text.h"
#include "runtime/operators/element_reader.h"
#include "runtime/operators/random_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace halyard::services {
namespace {

using operators::ReferenceTensor;
using operators::TensorRole;
using operators::TensorShape;

// The elements to compare, in rising order.
std::vector<std::uint64_t> choose_elements(const operators::Reference& reference,
                                           std::size_t tensor, std::int64_t launch_cost,
                                           const CheckLimits& limits, std::int64_t share) {
  const auto count = static_cast<std::uint64_t>(reference.shapes().tensors[tensor].element_count);
  const auto together =
      static_cast<std::uint64_t>(std::max<std::int64_t>(1, reference.elements_together(tensor)));
  const std::uint64_t groups = (count + together - 1) / together;
  const std::int64_t group_cost = std::max<std::int64_t>(
      static_cast<std::int64_t>(together), launch_cost / static_cast<std::int64_t>(groups));
  const auto wanted = static_cast<std::uint64_t>(std::max<std::int64_t>(2, share / group_cost));
  std::vector<std::uint64_t> elements;
  for (const std::uint64_t group : spread_choice(groups, wanted, limits.seed)) {
    for (std::uint64_t i = group * together; i < std::min(count, (group + 1) * together); ++i)
      elements.push_back(i);
  }
  return elements;
}

bool equal_elements(const ReferenceTensor& a, const ReferenceTensor& b, std::uint64_t element) {
  const auto size_bytes = static_cast<std::int64_t>(base::data_type_size_bytes(a.type));
  const auto* left =
      static_cast<const char*>(a.data) + operators::element_offset(a, element) * size_bytes;
  const auto* right =
      static_cast<const char*>(b.data) + operators::element_offset(b, element) * size_bytes;
  return std::memcmp(left, right, static_cast<std::size_t>(size_bytes)) == 0;
}

bool is_packed(const ReferenceTensor& tensor) {
  std::int64_t stride = 1;
  for (std::uint32_t i = tensor.rank; i-- > 0;) {
    if (tensor.shape[i] > 1 && tensor.strides[i] != stride) return false;
    stride *= tensor.shape[i];
  }
  return true;
}

// Elements of [begin, end) that differ.
std::uint64_t count_changed(const ReferenceTensor& before, const ReferenceTensor& after,
                            std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return 0;
  const std::uint64_t size_bytes = base::data_type_size_bytes(before.type);
  if (is_packed(before) && is_packed(after) &&
      std::memcmp(static_cast<const char*>(before.data) + begin * size_bytes,
                  static_cast<const char*>(after.data) + begin * size_bytes,
                  (end - begin) * size_bytes) == 0) {
    return 0;
  }
  std::uint64_t changed = 0;
  for (std::uint64_t i = begin; i < end; ++i) {
    if (!equal_elements(before, after, i)) ++changed;
  }
  return changed;
}

std::uint64_t count_changed_between(const ReferenceTensor& before, const ReferenceTensor& after,
                                    std::span<const std::uint64_t> written, std::uint64_t count) {
  std::uint64_t changed = 0;
  std::uint64_t next = 0;
  for (const std::uint64_t element : written) {
    changed += count_changed(before, after, next, element);
    next = element + 1;
  }
  return changed + count_changed(before, after, next, count);
}

std::vector<std::int64_t> place_of(const TensorShape& shape, std::uint64_t element) {
  std::vector<std::int64_t> place(shape.rank);
  for (std::uint32_t i = shape.rank; i-- > 0;) {
    const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.sizes[i], 1));
    place[i] = static_cast<std::int64_t>(element % size);
    element /= size;
  }
  return place;
}

// What error_ratio() allows there; 0 where only equality passes.
double tolerance_at(const operators::WorstError& worst, const operators::ToleranceRule& rule) {
  if (rule.kind == operators::ToleranceKind::kExact || !base::data_type_is_float(rule.output) ||
      !std::isfinite(worst.reference) || !std::isfinite(worst.magnitude)) {
    return 0;
  }
  return base::data_type_unit_roundoff(rule.output) * std::abs(worst.reference) +
         rule.c * base::data_type_unit_roundoff(rule.accumulation) *
             std::sqrt(std::max(rule.reduction_length, 1.0)) * std::max(worst.magnitude, 0.0);
}

class OutputChecker {
 public:
  OutputChecker(const LaunchRecord& launch, const CheckLimits& limits,
                operators::Reference& reference)
      : launch_(launch),
        limits_(limits),
        reference_(reference) {}

  // `share` is this output's part of the limit.
  base::Result<OutputCheck> check(std::size_t tensor, std::int64_t launch_cost,
                                  std::int64_t share) {
    const TensorShape& shape = reference_.shapes().tensors[tensor];
    OutputCheck result;
    result.tensor = launch_.problem->contract().tensors()[tensor].name;
    std::vector<std::uint64_t> elements;
    if (reference_.written_elements(tensor, elements)) {
      result.elements = elements.size();
      result.changed =
          count_changed_between(launch_.before[tensor], launch_.after[tensor], elements,
                                static_cast<std::uint64_t>(shape.element_count));
    } else {
      result.elements = static_cast<std::uint64_t>(shape.element_count);
      elements = choose_elements(reference_, tensor, launch_cost, limits_, share);
    }
    HALYARD_TRY_ASSIGN(const operators::ToleranceRule rule, rule_of(tensor));
    std::vector<double> values(elements.size());
    std::vector<double> magnitudes(elements.size());
    HALYARD_TRY(reference_.evaluate(tensor, elements, values, magnitudes));
    operators::ErrorTally tally(rule);
    const ReferenceTensor& after = launch_.after[tensor];
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const double y =
          operators::read_element(after, operators::element_offset(after, elements[i]));
      tally.add(elements[i], y, values[i], magnitudes[i]);
    }
    result.worst = tally.worst();
    result.tolerance = tolerance_at(result.worst, rule);
    result.place = place_of(shape, result.worst.element);
    return result;
  }

 private:
  base::Result<operators::ToleranceRule> rule_of(std::size_t tensor) const {
    const operators::ContractFields& fields = launch_.problem->contract().fields();
    HALYARD_TRY_ASSIGN(const std::int64_t length,
                       launch_.problem->reduction_length(launch_.launch_axes));
    return operators::ToleranceRule{fields.tolerance.kind, fields.tolerance.c,
                                    static_cast<double>(length),
                                    launch_.problem->tensor_type(tensor), fields.accumulation};
  }

  const LaunchRecord& launch_;
  const CheckLimits& limits_;
  operators::Reference& reference_;
};

}  // namespace

std::vector<std::uint64_t> spread_choice(std::uint64_t count, std::uint64_t wanted,
                                         std::uint64_t seed) {
  std::vector<std::uint64_t> chosen;
  if (wanted >= count) {
    chosen.resize(count);
    std::iota(chosen.begin(), chosen.end(), std::uint64_t{0});
    return chosen;
  }
  const operators::CounterRandom random(seed, "check");
  for (std::uint64_t part = 0; part < wanted; ++part) {
    const std::uint64_t begin = count / wanted * part + count % wanted * part / wanted;
    const std::uint64_t end = count / wanted * (part + 1) + count % wanted * (part + 1) / wanted;
    const auto size = static_cast<std::int64_t>(end - begin);
    chosen.push_back(begin + static_cast<std::uint64_t>(random.below(part, size)));
  }
  if (wanted > 0) chosen.front() = 0;
  if (wanted > 1) chosen.back() = count - 1;
  return chosen;
}

bool OperationCheck::passed() const {
  return std::all_of(outputs.begin(), outputs.end(),
                     [](const OutputCheck& output) { return output.passed(); });
}

bool OperationCheck::is_full() const {
  return std::all_of(outputs.begin(), outputs.end(), [](const OutputCheck& output) {
    return output.worst.compared == output.elements;
  });
}

std::uint64_t OperationCheck::compared() const {
  std::uint64_t total = 0;
  for (const OutputCheck& output : outputs)
    total += output.worst.compared;
  return total;
}

std::uint64_t OperationCheck::elements() const {
  std::uint64_t total = 0;
  for (const OutputCheck& output : outputs)
    total += output.elements;
  return total;
}

double OperationCheck::error_ratio() const {
  double ratio = 0;
  for (const OutputCheck& output : outputs)
    ratio = std::max(ratio, output.worst.ratio);
  return ratio;
}

std::string OperationCheck::failure() const {
  for (const OutputCheck& output : outputs) {
    const operators::WorstError& worst = output.worst;
    if (worst.failures != 0) {
      return base::concat("Tensor \"", output.tensor, "\" is wrong at [", base::join(output.place),
                          "]: ", worst.value, " instead of ", worst.reference, ", with ",
                          output.tolerance, " allowed; ", worst.failures, " of ", worst.compared,
                          " compared elements are out of bounds.");
    }
    if (output.changed != 0) {
      return base::concat("Tensor \"", output.tensor, "\" changed in ", output.changed,
                          " elements that the launch leaves alone.");
    }
  }
  return {};
}

base::Result<OperationCheck> check_outputs(const LaunchRecord& launch, const CheckLimits& limits) {
  OperationCheck result;
  const auto& tensors = launch.problem->contract().tensors();
  std::vector<ReferenceTensor> inputs(launch.before.begin(), launch.before.end());
  std::vector<std::size_t> outputs;
  HALYARD_TRY_ASSIGN(const operators::ShapeTable shapes,
                     launch.problem->shapes(launch.launch_axes));
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].role == TensorRole::kInput || shapes.tensors[i].element_count == 0) continue;
    outputs.push_back(i);
  }
  if (outputs.empty()) return result;
  HALYARD_TRY_ASSIGN(
      const std::unique_ptr<operators::Reference> reference,
      operators::Reference::create({launch.problem, launch.launch_axes, inputs, launch.scalars}));
  HALYARD_TRY_ASSIGN(const std::int64_t flops, launch.problem->flops(launch.launch_axes));
  OutputChecker checker(launch, limits, *reference);
  const std::int64_t share = limits.multiply_adds / static_cast<std::int64_t>(outputs.size());
  for (const std::size_t tensor : outputs) {
    HALYARD_TRY_ASSIGN(OutputCheck output, checker.check(tensor, flops / 2, share));
    result.outputs.push_back(std::move(output));
  }
  return result;
}

}  // namespace halyard::services
