// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/trial.h"

#include "runtime/base/float_formats.h"
#include "runtime/base/text.h"
#include "runtime/operators/random_inputs.h"
#include "runtime/operators/tolerance.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <numeric>
#include <utility>

namespace halyard::selection {
namespace {

using operators::TensorRole;

constexpr std::size_t kGuardBytes = 256;
constexpr std::byte kGuard{0xa5};
// NaN in every float type, and no plausible index.
constexpr std::byte kPoison{0xff};
constexpr std::chrono::seconds kDeadline{20};

base::Error wrong(std::string sentence) {
  return base::Error(base::ErrorCode::kCorruptData, std::move(sentence));
}

std::uint64_t scalar_bits(base::DataType type, double value) {
  std::uint64_t bits = 0;
  base::store_from_double(type, value, &bits);
  return bits;
}

}  // namespace

base::Result<Trial> Trial::create(core::Device& device, const operators::Problem& problem,
                                  std::span<const std::int64_t> axes, std::uint64_t seed) {
  Trial trial(problem, axes);
  HALYARD_TRY_ASSIGN(trial.shapes_, problem.shapes(axes));
  trial.scalars_ = operators::typical_scalars(problem);
  std::vector<operators::WritableTensor> host;
  for (std::size_t i = 0; i < problem.contract().tensors().size(); ++i) {
    const operators::TensorShape& shape = trial.shapes_.tensors[i];
    Tensor tensor;
    tensor.size_bytes = shape.present ? static_cast<std::uint64_t>(shape.size_bytes) : 0;
    tensor.bytes.assign(tensor.size_bytes, kPoison);
    tensor.host = operators::dense_tensor(shape, tensor.bytes.data());
    host.push_back(tensor.host);
    trial.tensors_.push_back(std::move(tensor));
  }
  HALYARD_TRY(operators::fill_random_inputs(problem, axes, seed, host));
  HALYARD_TRY(trial.place_tensors(device));
  return trial;
}

base::Status Trial::place_tensors(core::Device& device) {
  const auto& declared = problem_->contract().tensors();
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    Tensor& tensor = tensors_[i];
    const operators::TensorShape& shape = shapes_.tensors[i];
    if (!shape.present) continue;
    if (declared[i].constant) {
      HALYARD_TRY_ASSIGN(
          constants_[i],
          dispatch::Constant::create(device, shape.type, std::span(shape.sizes).first(shape.rank),
                                     tensor.bytes));
      continue;
    }
    HALYARD_TRY_ASSIGN(tensor.buffer,
                       device.create_buffer({tensor.size_bytes + 2 * kGuardBytes, 0}));
    std::vector<std::byte> bytes(tensor.size_bytes + 2 * kGuardBytes, kGuard);
    std::copy(tensor.bytes.begin(), tensor.bytes.end(), bytes.begin() + kGuardBytes);
    HALYARD_TRY(tensor.buffer->write(0, bytes));
  }
  return base::ok();
}

base::Status Trial::launch(const dispatch::Operation& operation) {
  std::vector<dispatch::TensorView> views(tensors_.size());
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (!tensors_[i].buffer || tensors_[i].size_bytes == 0) continue;
    views[i] = {tensors_[i].buffer.get(), kGuardBytes, tensors_[i].size_bytes, nullptr};
  }
  std::vector<std::uint64_t> scalars;
  for (std::size_t i = 0; i < scalars_.size(); ++i) {
    scalars.push_back(scalar_bits(problem_->contract().scalars()[i].type, scalars_[i]));
  }
  dispatch::Launch launch{views, axes_, scalars, {}};
  HALYARD_TRY_ASSIGN(const std::uint64_t workspace_bytes, operation.workspace_bytes(axes_));
  base::Ref<core::Buffer> workspace;
  if (workspace_bytes != 0) {
    HALYARD_TRY_ASSIGN(workspace, operation.device().create_buffer({workspace_bytes, 0}));
    launch.workspace = {workspace.get(), 0, workspace_bytes, nullptr};
  }
  HALYARD_TRY_ASSIGN(base::Ref<core::Queue> queue, operation.device().create_queue());
  HALYARD_TRY(operation.enqueue(*queue, launch));
  return queue->synchronize(kDeadline);
}

base::Result<std::vector<std::byte>> Trial::read_guarded(std::size_t tensor) const {
  const Tensor& source = tensors_[tensor];
  std::vector<std::byte> bytes(source.size_bytes + 2 * kGuardBytes);
  HALYARD_TRY(source.buffer->read(0, bytes));
  const std::string& name = problem_->contract().tensors()[tensor].name;
  for (std::size_t i = 0; i < kGuardBytes; ++i) {
    if (bytes[kGuardBytes - 1 - i] != kGuard) {
      return wrong(base::concat("Byte ", i + 1, " before tensor ", name, " was written."));
    }
    if (bytes[kGuardBytes + source.size_bytes + i] != kGuard) {
      return wrong(base::concat("Byte ", i + 1, " after the ", source.size_bytes,
                                " bytes of tensor ", name, " was written."));
    }
  }
  return std::vector<std::byte>(bytes.begin() + kGuardBytes, bytes.end() - kGuardBytes);
}

base::Result<double> Trial::compare(std::size_t tensor, operators::Reference& reference,
                                    std::span<const std::byte> output) const {
  const operators::TensorShape& shape = shapes_.tensors[tensor];
  std::vector<std::uint64_t> elements(static_cast<std::size_t>(shape.element_count));
  std::iota(elements.begin(), elements.end(), std::uint64_t{0});
  std::vector<double> value(elements.size());
  std::vector<double> magnitude(elements.size());
  HALYARD_TRY(reference.evaluate(tensor, elements, value, magnitude));
  HALYARD_TRY_ASSIGN(const std::int64_t reduction, problem_->reduction_length(axes_));
  const operators::Contract& contract = problem_->contract();
  operators::ToleranceRule rule;
  rule.kind = contract.fields().tolerance.kind;
  rule.c = contract.fields().tolerance.c;
  rule.reduction_length = static_cast<double>(reduction);
  rule.output = shape.type;
  rule.accumulation = contract.fields().accumulation;
  operators::ErrorTally tally(rule);
  const std::size_t step = base::data_type_size_bytes(shape.type);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    tally.add(i, base::load_as_double(shape.type, output.data() + i * step), value[i],
              magnitude[i]);
  }
  if (tally.passed()) return tally.worst().ratio;
  const operators::WorstError& worst = tally.worst();
  return wrong(base::concat("Element ", worst.element, " of ", contract.tensors()[tensor].name,
                            " is ", worst.value, ", the reference ", worst.reference, ": ",
                            worst.ratio, " times the tolerance, ", worst.failures, " of ",
                            worst.compared, " elements are outside."));
}

base::Result<double> Trial::check(const dispatch::Operation& operation) {
  HALYARD_TRY(launch(operation));
  std::vector<operators::ReferenceTensor> before;
  for (const Tensor& tensor : tensors_)
    before.push_back(tensor.host);
  HALYARD_TRY_ASSIGN(auto reference,
                     operators::Reference::create({problem_, axes_, before, scalars_}));
  double worst = 0;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (!tensors_[i].buffer) continue;
    HALYARD_TRY_ASSIGN(const std::vector<std::byte> after, read_guarded(i));
    if (problem_->contract().tensors()[i].role == TensorRole::kInput) {
      const auto [changed, original] =
          std::mismatch(after.begin(), after.end(), tensors_[i].bytes.begin());
      if (changed == after.end()) continue;
      return wrong(base::concat("Byte ", changed - after.begin(), " of input ",
                                problem_->contract().tensors()[i].name,
                                " was changed by the launch from ", static_cast<int>(*original),
                                " to ", static_cast<int>(*changed), "."));
    }
    HALYARD_TRY_ASSIGN(const double ratio, compare(i, *reference, after));
    worst = std::max(worst, ratio);
  }
  return worst;
}

}  // namespace halyard::selection
