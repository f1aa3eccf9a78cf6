// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/checked_launch.h"

#include "runtime/base/text.h"
#include "runtime/operators/element_reader.h"
#include "runtime/operators/random_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace halyard::verification {

using operators::TensorRole;

base::Result<CheckedLaunch> CheckedLaunch::create(const PlannedShape& shape, const InputCase& input,
                                                  std::uint64_t seed,
                                                  const operators::CheckLimits& limits) {
  CheckedLaunch launch(shape, input, seed, limits);
  HALYARD_TRY_ASSIGN(launch.shapes_, shape.problem.shapes(shape.launch_axes));
  // Near what an application gives, and never just that; 1 may be what the contract asks for.
  launch.scalars_ = operators::typical_scalars(shape.problem);
  const operators::CounterRandom random(seed, "scalars");
  for (std::size_t i = 0; i < launch.scalars_.size(); ++i) {
    if (launch.scalars_[i] == 1) continue;
    launch.scalars_[i] *= 0.75 + static_cast<double>(random.below(i, 1024)) / 2048;
  }
  const std::vector<operators::ContractTensor>& tensors = shape.problem.contract().tensors();
  launch.inputs_.resize(tensors.size());
  launch.outputs_.resize(tensors.size());
  launch.last_outputs_.resize(tensors.size());
  std::vector<operators::WritableTensor> writable;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const operators::TensorShape& sizes = launch.shapes_.tensors[i];
    if (tensors[i].role != TensorRole::kOutput) {
      launch.inputs_[i].resize(static_cast<std::size_t>(sizes.size_bytes));
    }
    launch.poison_.emplace_back(0, tensors[i].name);
    writable.push_back(operators::dense_tensor(sizes, launch.inputs_[i].data()));
  }
  HALYARD_TRY(fill_inputs(input, {&shape.problem, shape.launch_axes, seed}, writable));
  return launch;
}

namespace {

// Copies packed rows to where rows lie apart, or back.
template <typename To, typename From>
void copy_rows(const TensorMemory& memory, To to, std::size_t to_pitch, From from,
               std::size_t from_pitch) {
  for (std::size_t at = 0; at * memory.pitch_bytes < memory.data.size(); ++at)
    std::memcpy(to + at * to_pitch, from + at * from_pitch, memory.row_bytes);
}

// The elements as they lie, one row after the other.
std::vector<std::byte> packed(const TensorMemory& memory) {
  if (memory.pitch_bytes == 0) return {memory.data.begin(), memory.data.end()};
  std::vector<std::byte> bytes(((memory.data.size() - memory.row_bytes) / memory.pitch_bytes + 1) *
                               memory.row_bytes);
  copy_rows(memory, bytes.data(), memory.row_bytes, memory.data.data(), memory.pitch_bytes);
  return bytes;
}

std::optional<Mismatch> check_gaps(const TensorAfter& tensor, const TensorMemory& memory) {
  if (memory.pitch_bytes == 0) return std::nullopt;
  std::vector<std::byte> guard(memory.data.size());
  tensor.poison->fill_guard(guard);
  const std::size_t rows = (guard.size() - memory.row_bytes) / memory.pitch_bytes;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t begin = row * memory.pitch_bytes + memory.row_bytes;
    const std::size_t end = (row + 1) * memory.pitch_bytes;
    if (std::memcmp(guard.data() + begin, memory.data.data() + begin, end - begin) == 0) continue;
    Mismatch mismatch;
    mismatch.verdict = VerdictClass::kBounds;
    mismatch.tensor = tensor.name;
    mismatch.sentence = base::concat("The launch writes between rows ", row, " and ", row + 1,
                                     " of tensor \"", tensor.name, "\".");
    return mismatch;
  }
  return std::nullopt;
}

}  // namespace

bool CheckedLaunch::is_output(std::size_t tensor) const {
  return shape_->problem.contract().tensors()[tensor].role != TensorRole::kInput;
}

void CheckedLaunch::arm(std::span<const TensorMemory> memory, std::uint64_t poison_seed) {
  const std::vector<operators::ContractTensor>& tensors = shape_->problem.contract().tensors();
  poison_.clear();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Poison& poison = poison_.emplace_back(poison_seed, tensors[i].name);
    const bool is_poisoned = tensors[i].role == TensorRole::kOutput;
    if (memory[i].pitch_bytes != 0) {
      std::vector<std::byte> bytes = inputs_[i];
      bytes.resize(static_cast<std::size_t>(shapes_.tensors[i].size_bytes));
      if (is_poisoned) poison.fill(shapes_.tensors[i].type, bytes);
      poison.fill_guard(memory[i].data);
      copy_rows(memory[i], memory[i].data.data(), memory[i].pitch_bytes, bytes.data(),
                memory[i].row_bytes);
    } else if (is_poisoned) {
      poison.fill(shapes_.tensors[i].type, memory[i].data);
    } else {
      std::copy(inputs_[i].begin(), inputs_[i].end(), memory[i].data.begin());
    }
    poison.fill_guard(memory[i].guard_before);
    poison.fill_guard(memory[i].guard_after);
  }
}

TensorAfter CheckedLaunch::tensor_after(std::size_t tensor,
                                        std::span<const std::byte> after) const {
  return {shape_->problem.contract().tensors()[tensor].name,
          shapes_.tensors[tensor],
          &poison_[tensor],
          inputs_[tensor],
          after,
          last_outputs_[tensor]};
}

base::Result<std::optional<Mismatch>> CheckedLaunch::check(std::span<const TensorMemory> memory) {
  std::swap(outputs_, last_outputs_);
  // Copied before anything is looked at, so that it is one state that is judged.
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (is_output(i)) outputs_[i] = packed(memory[i]);
  }
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (!shapes_.tensors[i].present) continue;
    const TensorAfter tensor = tensor_after(i, memory[i].data);
    if (auto mismatch = check_guards(tensor, memory[i])) return mismatch;
    if (auto mismatch = check_gaps(tensor, memory[i])) return mismatch;
  }
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (is_output(i)) continue;
    const std::vector<std::byte> after = packed(memory[i]);
    if (auto mismatch = check_unchanged(tensor_after(i, after))) return mismatch;
  }
  HALYARD_TRY(expect());
  worst_ratio_ = 0;
  const bool is_exact = has_exact_sums(input_, shape_->problem.contract());
  for (const operators::ExpectedOutput& output : *expected_) {
    OutputComparison result =
        compare_values(output, tensor_after(output.tensor, outputs_[output.tensor]), is_exact);
    worst_ratio_ = std::max(worst_ratio_, result.worst_ratio);
    if (result.mismatch) return std::move(result.mismatch);
  }
  return std::optional<Mismatch>{};
}

base::Status CheckedLaunch::expect() {
  if (expected_) return base::ok();
  std::vector<operators::ReferenceTensor> tensors;
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    tensors.push_back(operators::dense_tensor(shapes_.tensors[i], inputs_[i].data()));
  HALYARD_TRY_ASSIGN(expected_,
                     operators::expect_outputs(
                         {&shape_->problem, shape_->launch_axes, tensors, scalars_}, limits_));
  return base::ok();
}

base::Result<bool> CheckedLaunch::change(std::size_t tensor, std::uint64_t element) {
  const operators::Problem& problem = shape_->problem;
  HALYARD_TRY(expect());
  const operators::WritableTensor target =
      operators::dense_tensor(shapes_.tensors[tensor], inputs_[tensor].data());
  const auto offset = static_cast<std::int64_t>(element);
  if (base::data_type_is_float(target.type)) {
    const double value = operators::read_element(target, offset);
    operators::write_element(target, offset, std::isfinite(value) ? 4 * std::abs(value) + 64 : 64);
  } else if (operators::is_plain_tensor(problem.contract(), tensor)) {
    inputs_[tensor][element * base::data_type_size_bytes(target.type)] ^= std::byte{0x55};
  } else {
    HALYARD_TRY(operators::fill_random_input(problem, shape_->launch_axes, seed_ + 1 + element,
                                             tensor, target));
  }
  const std::vector<operators::ExpectedOutput> before = std::move(*expected_);
  expected_.reset();
  HALYARD_TRY(expect());
  return differs(before);
}

bool CheckedLaunch::differs(const std::vector<operators::ExpectedOutput>& before) const {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const operators::ExpectedOutput& now = (*expected_)[i];
    if (now.elements != before[i].elements) return true;
    for (std::size_t j = 0; j < now.elements.size(); ++j) {
      const double ratio =
          operators::error_ratio(before[i].values[j], now.values[j], now.magnitudes[j], now.rule);
      constexpr double kClear = 4;
      if (ratio > kClear) return true;
    }
  }
  return false;
}

}  // namespace halyard::verification
