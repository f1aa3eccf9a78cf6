// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/reference.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace halyard::operators {

// Number `index` of the sequence of a seed and a name: the same on every machine, in any order. Who
// sees numbers of a sequence can tell the others of it, and neither the seed nor other sequences.
class CounterRandom {
 public:
  CounterRandom(std::uint64_t seed, std::string_view name);

  std::uint64_t bits(std::uint64_t index) const;
  // 0 to bound - 1; bound is at least 1.
  std::int64_t below(std::uint64_t index, std::int64_t bound) const;
  // Close to N(0, 1), within +-3.47.
  double normal(std::uint64_t index) const;

 private:
  std::uint64_t key_ = 0;
};

// Fills the inputs and inouts of a launch in host memory; outputs stay as they are. Floats are
// close to N(0, 1); what has a meaning is consistent: ids and positions in range, slots unique (-1
// once the cache is full), the page table a permutation that covers the sequences in equal shares,
// and each length within the axis bound and the pages of its sequence, its last page partly filled.
// Errors: INVALID_ARGUMENT when the tensors do not fit the problem.
base::Status fill_random_inputs(const Problem& problem, std::span<const std::int64_t> launch_axes,
                                std::uint64_t seed, std::span<const WritableTensor> tensors);

// One tensor of a launch likewise, with the values that fill_random_inputs gives it.
// Errors: INVALID_ARGUMENT when `target` does not fit tensor number `tensor` of the problem.
base::Status fill_random_input(const Problem& problem, std::span<const std::int64_t> launch_axes,
                               std::uint64_t seed, std::size_t tensor,
                               const WritableTensor& target);

// Whether a tensor takes any value of its type: it holds no ids, positions, slots, pages or
// lengths, and no table of angles.
bool is_plain_tensor(const Contract& contract, std::size_t tensor);

// Scalars as an application would give them, in contract order: sm_scale is 1 / sqrt(head_dim).
std::vector<double> typical_scalars(const Problem& problem);

}  // namespace halyard::operators
