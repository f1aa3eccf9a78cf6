// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/output_check.h"

#include "runtime/operators/element_reader.h"
#include "runtime/operators/random_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace halyard::operators {
namespace {

// Adds the last element of spread rows, and those around number 2^31.
void add_edges(const TensorShape& shape, std::uint64_t wanted, std::uint64_t seed,
               std::vector<std::uint64_t>& elements) {
  const auto count = static_cast<std::uint64_t>(shape.element_count);
  const auto row = static_cast<std::uint64_t>(shape.rank == 0 ? 1 : shape.sizes[shape.rank - 1]);
  for (const std::uint64_t each : spread_choice(count / row, wanted, seed))
    elements.push_back((each + 1) * row - 1);
  constexpr std::uint64_t kSignChange = std::uint64_t{1} << 31;
  for (std::uint64_t i = kSignChange - 2; i < kSignChange + 2 && i < count; ++i)
    elements.push_back(i);
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
}

// The elements to compare, in rising order; `share` is this output's part of the limit.
std::vector<std::uint64_t> choose_elements(const Reference& reference, std::size_t tensor,
                                           std::int64_t launch_cost, const CheckLimits& limits,
                                           std::int64_t share) {
  const TensorShape& shape = reference.shapes().tensors[tensor];
  const auto count = static_cast<std::uint64_t>(shape.element_count);
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
  if (limits.with_edges && together == 1 && wanted < groups) {
    add_edges(shape, wanted, limits.seed, elements);
  }
  return elements;
}

bool equal_elements(const ReferenceTensor& a, const ReferenceTensor& b, std::uint64_t element) {
  const auto size_bytes = static_cast<std::int64_t>(base::data_type_size_bytes(a.type));
  const auto* left = static_cast<const char*>(a.data) + element_offset(a, element) * size_bytes;
  const auto* right = static_cast<const char*>(b.data) + element_offset(b, element) * size_bytes;
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
std::uint64_t count_differences(const ReferenceTensor& before, const ReferenceTensor& after,
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

}  // namespace

base::Result<std::vector<ExpectedOutput>> expect_outputs(const ReferenceInputs& inputs,
                                                         const CheckLimits& limits) {
  const Problem& problem = *inputs.problem;
  const ContractFields& fields = problem.contract().fields();
  HALYARD_TRY_ASSIGN(const ShapeTable shapes, problem.shapes(inputs.launch_axes));
  std::vector<ExpectedOutput> outputs;
  for (std::size_t i = 0; i < fields.tensors.size(); ++i) {
    if (fields.tensors[i].role == TensorRole::kInput || shapes.tensors[i].element_count == 0)
      continue;
    outputs.emplace_back().tensor = i;
  }
  if (outputs.empty()) return outputs;
  HALYARD_TRY_ASSIGN(const std::unique_ptr<Reference> reference, Reference::create(inputs));
  HALYARD_TRY_ASSIGN(const std::int64_t flops, problem.flops(inputs.launch_axes));
  HALYARD_TRY_ASSIGN(const std::int64_t length, problem.reduction_length(inputs.launch_axes));
  const std::int64_t share = limits.multiply_adds / static_cast<std::int64_t>(outputs.size());
  for (ExpectedOutput& output : outputs) {
    const std::size_t tensor = output.tensor;
    output.shape = shapes.tensors[tensor];
    output.rule = {fields.tolerance.kind, fields.tolerance.c, static_cast<double>(length),
                   problem.tensor_type(tensor), fields.accumulation};
    output.is_partial = reference->written_elements(tensor, output.elements);
    if (!output.is_partial) {
      output.elements = choose_elements(*reference, tensor, flops / 2, limits, share);
    }
    output.written = output.is_partial ? output.elements.size()
                                       : static_cast<std::uint64_t>(output.shape.element_count);
    output.values.resize(output.elements.size());
    output.magnitudes.resize(output.elements.size());
    HALYARD_TRY(reference->evaluate(tensor, output.elements, output.values, output.magnitudes));
  }
  return outputs;
}

WorstError compare_output(const ExpectedOutput& expected, const ReferenceTensor& after) {
  ErrorTally tally(expected.rule);
  for (std::size_t i = 0; i < expected.elements.size(); ++i) {
    const double y = read_element(after, element_offset(after, expected.elements[i]));
    tally.add(expected.elements[i], y, expected.values[i], expected.magnitudes[i]);
  }
  return tally.worst();
}

std::uint64_t count_changed(const ExpectedOutput& expected, const ReferenceTensor& before,
                            const ReferenceTensor& after) {
  if (!expected.is_partial) return 0;
  std::uint64_t changed = 0;
  std::uint64_t next = 0;
  for (const std::uint64_t element : expected.elements) {
    changed += count_differences(before, after, next, element);
    next = element + 1;
  }
  return changed + count_differences(before, after, next,
                                     static_cast<std::uint64_t>(expected.shape.element_count));
}

double allowed_error(const WorstError& worst, const ToleranceRule& rule) {
  if (rule.kind == ToleranceKind::kExact || !base::data_type_is_float(rule.output) ||
      !std::isfinite(worst.reference) || !std::isfinite(worst.magnitude)) {
    return 0;
  }
  return base::data_type_unit_roundoff(rule.output) * std::abs(worst.reference) +
         rule.c * base::data_type_unit_roundoff(rule.accumulation) *
             std::sqrt(std::max(rule.reduction_length, 1.0)) * std::max(worst.magnitude, 0.0);
}

std::vector<std::int64_t> element_place(const TensorShape& shape, std::uint64_t element) {
  std::vector<std::int64_t> place(shape.rank);
  for (std::uint32_t i = shape.rank; i-- > 0;) {
    const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.sizes[i], 1));
    place[i] = static_cast<std::int64_t>(element % size);
    element /= size;
  }
  return place;
}

std::vector<std::uint64_t> spread_choice(std::uint64_t count, std::uint64_t wanted,
                                         std::uint64_t seed) {
  std::vector<std::uint64_t> chosen;
  if (wanted >= count) {
    chosen.resize(count);
    std::iota(chosen.begin(), chosen.end(), std::uint64_t{0});
    return chosen;
  }
  const CounterRandom random(seed, "check");
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

}  // namespace halyard::operators
