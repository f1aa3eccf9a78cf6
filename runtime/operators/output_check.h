// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/reference.h"
#include "runtime/operators/tolerance.h"

#include <cstdint>
#include <span>
#include <vector>

namespace halyard::operators {

struct CheckLimits {
  std::int64_t multiply_adds = 30'000'000;  // Of the reference, over all outputs.
  std::uint64_t seed = 1;                   // Of the choice of elements.
  // Where elements are chosen: the ends of rows and what lies around element 2^31 among them.
  bool with_edges = false;
};

// What the reference says of chosen elements of one output, in rising order.
struct ExpectedOutput {
  std::size_t tensor = 0;  // In contract order.
  TensorShape shape;
  ToleranceRule rule;
  bool is_partial = false;    // The launch writes `elements` and leaves all others alone.
  std::uint64_t written = 0;  // Elements that the launch writes.
  std::vector<std::uint64_t> elements;
  std::vector<double> values;
  std::vector<double> magnitudes;
};

// One entry for each output and inout that has elements: every element where the limit allows, else
// evenly spread ones, with the first and the last.
// Errors: as Reference::create().
base::Result<std::vector<ExpectedOutput>> expect_outputs(const ReferenceInputs& inputs,
                                                         const CheckLimits& limits);

// The worst of the expected elements.
WorstError compare_output(const ExpectedOutput& expected, const ReferenceTensor& after);

// How many elements that the launch leaves alone have changed; 0 when it writes all.
std::uint64_t count_changed(const ExpectedOutput& expected, const ReferenceTensor& before,
                            const ReferenceTensor& after);

// What error_ratio() allows there; 0 where only equality passes.
double allowed_error(const WorstError& worst, const ToleranceRule& rule);

// The index of element number `element`, by dimension.
std::vector<std::int64_t> element_place(const TensorShape& shape, std::uint64_t element);

// Rising numbers below `count`, at most `wanted`: one at random from each of as many equal parts,
// the first and the last in any case.
std::vector<std::uint64_t> spread_choice(std::uint64_t count, std::uint64_t wanted,
                                         std::uint64_t seed);

}  // namespace halyard::operators
