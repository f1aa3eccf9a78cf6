// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/problem.h"
#include "runtime/operators/reference.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halyard::verification {

// A way to fill the inputs of a launch; each finds mistakes that the others hide.
enum class InputFamily : std::uint8_t {
  kNormal,            // N(0, 1), and indices as an application has them
  kMixedScales,       // 1e3, 1 and 1e-3 within one tensor, by row and by tile
  kShifted,           // mean 5 and another for each row, deviation 10; weights in [0.5, 2)
  kIntegers,          // -1, 0 and 1
  kOnes,              // rows of ones, and rows of 0 and 1: sums beyond what narrow types count
  kOneHot,            // one element of each row, so that each step of a reduction shows alone
  kSmall,             // deviation 1e-3
  kLargeMean,         // 1e4 + N(0, 1)
  kExtreme,           // what overflows or cancels in a careless formula
  kTies,              // rows of zeros, of one value, of three values
  kBits,              // random bits
  kNan,               // one NaN in one tensor
  kPositiveInfinity,  // one infinity in one tensor
  kNegativeInfinity,
  kNegativeZero,  // rows of zeros of either sign in one tensor
  kSubnormal,     // one subnormal in each row of one tensor
  kIndexOrder,    // descending and repeated indices, ragged lengths
  kMasked,        // indices outside their range
};

struct InputCase {
  InputFamily family = InputFamily::kNormal;
  std::size_t tensor = 0;  // Of the families of one tensor.
};

// "normal", "mixed-scales", "nan in weight".
std::string input_case_name(const InputCase& input, const operators::Contract& contract);

// The cases that say something about a problem, kNormal first.
std::vector<InputCase> input_cases(const operators::Problem& problem);

// Whether a launch with these inputs has outputs that are exact but for one rounding, wherever sums
// stay in the range where the accumulation counts one by one.
bool has_exact_sums(const InputCase& input, const operators::Contract& contract);

// What fillers of one launch share.
struct InputLaunch {
  const operators::Problem* problem = nullptr;
  std::span<const std::int64_t> launch_axes;
  std::uint64_t seed = 0;
};

// Fills the inputs and inouts of a launch; `tensors` are in contract order, outputs stay as they
// are. Errors: INVALID_ARGUMENT when the tensors do not fit the problem.
base::Status fill_inputs(const InputCase& input, const InputLaunch& launch,
                         std::span<const operators::WritableTensor> tensors);

}  // namespace halyard::verification
