// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/null_kernels.h"

#include "runtime/base/text.h"
#include "runtime/operators/element_reader.h"
#include "runtime/verification/host_runner.h"

#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace halyard::verification {
namespace {

using operators::ContractTensor;
using operators::TensorRole;
using operators::WritableTensor;

std::uint64_t element_count(const WritableTensor& tensor) {
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < tensor.rank; ++i)
    count *= static_cast<std::uint64_t>(tensor.shape[i]);
  return count;
}

bool is_equal(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

// One null kernel, and whether it has been right by chance of the contract.
class NullLaunch {
 public:
  explicit NullLaunch(NullKernel kernel) : kernel_(kernel) {}

  bool is_operator() const { return is_operator_; }

  void run(const HostLaunch& launch) {
    const std::vector<ContractTensor>& tensors = launch.problem->contract().tensors();
    std::vector<std::vector<std::byte>> copies;
    const std::vector<WritableTensor> right = run_copy(launch, copies);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i].role == TensorRole::kInput || element_count(launch.tensors[i]) == 0) continue;
      fill(launch, i, right);
      note_differences(launch.tensors[i], right[i]);
    }
  }

 private:
  // What the reference makes of copies of the tensors.
  static std::vector<WritableTensor> run_copy(const HostLaunch& launch,
                                              std::vector<std::vector<std::byte>>& copies) {
    std::vector<WritableTensor> tensors(launch.tensors.begin(), launch.tensors.end());
    for (WritableTensor& tensor : tensors) {
      const auto* data = static_cast<const std::byte*>(tensor.data);
      const std::size_t size_bytes =
          data == nullptr ? 0 : element_count(tensor) * base::data_type_size_bytes(tensor.type);
      tensor.data = copies.emplace_back(data, data + size_bytes).data();
    }
    // A contract without a reference fails in the stage itself.
    static_cast<void>(
        operators::run_reference(*launch.problem, launch.launch_axes, tensors, launch.scalars));
    return tensors;
  }

  void fill(const HostLaunch& launch, std::size_t output,
            const std::vector<WritableTensor>& right) const {
    const WritableTensor& target = launch.tensors[output];
    if (kernel_ == NullKernel::kCopiedInput) {
      // An inout is left as it was.
      const bool is_inout = launch.problem->contract().tensors()[output].role == TensorRole::kInOut;
      if (!is_inout) copy(source_of(launch, output), target);
      return;
    }
    double value = kernel_ == NullKernel::kConstant ? 1 : 0;
    if (kernel_ == NullKernel::kMean) value = mean(right[output]);
    for (std::uint64_t i = 0; i < element_count(target); ++i)
      operators::write_element(target, static_cast<std::int64_t>(i), value);
  }

  // The first input with as many elements, or else the first that has any.
  static const WritableTensor* source_of(const HostLaunch& launch, std::size_t output) {
    const std::vector<ContractTensor>& tensors = launch.problem->contract().tensors();
    const WritableTensor* source = nullptr;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const WritableTensor& tensor = launch.tensors[i];
      if (tensors[i].role == TensorRole::kOutput || tensor.data == nullptr) continue;
      if (element_count(tensor) == 0) continue;
      if (element_count(tensor) == element_count(launch.tensors[output])) return &tensor;
      if (source == nullptr) source = &tensor;
    }
    return source;
  }

  static void copy(const WritableTensor* source, const WritableTensor& target) {
    if (source == nullptr) return;
    const std::uint64_t available = element_count(*source);
    for (std::uint64_t i = 0; i < element_count(target); ++i) {
      operators::write_element(
          target, static_cast<std::int64_t>(i),
          operators::read_element(*source, static_cast<std::int64_t>(i % available)));
    }
  }

  static double mean(const WritableTensor& tensor) {
    double sum = 0;
    double count = 0;
    for (std::uint64_t i = 0; i < element_count(tensor); ++i) {
      const double value = operators::read_element(tensor, static_cast<std::int64_t>(i));
      if (!std::isfinite(value)) continue;
      sum += value;
      ++count;
    }
    return count == 0 ? 0 : sum / count;
  }

  void note_differences(const WritableTensor& made, const WritableTensor& right) {
    for (std::uint64_t i = 0; is_operator_ && i < element_count(made); ++i) {
      const auto offset = static_cast<std::int64_t>(i);
      is_operator_ =
          is_equal(operators::read_element(made, offset), operators::read_element(right, offset));
    }
  }

  NullKernel kernel_;
  bool is_operator_ = true;
};

}  // namespace

std::string_view null_kernel_name(NullKernel kernel) {
  switch (kernel) {
    case NullKernel::kZeros:
      return "zeros";
    case NullKernel::kCopiedInput:
      return "a copy of an input";
    case NullKernel::kConstant:
      return "ones";
    case NullKernel::kMean:
      break;
  }
  return "the mean of the right answer";
}

base::Result<std::optional<std::string>> find_accepted_null_kernel(const NumericsDesc& desc) {
  NumericsDesc normal = desc;
  normal.normal_inputs_only = true;
  for (const NullKernel kernel :
       {NullKernel::kZeros, NullKernel::kCopiedInput, NullKernel::kConstant, NullKernel::kMean}) {
    NullLaunch null_launch(kernel);
    HostRunner runner([&null_launch](const HostLaunch& launch) { null_launch.run(launch); });
    HALYARD_TRY_ASSIGN(const NumericsResult result, run_numerics(runner, normal));
    if (result.finding && result.finding->verdict != VerdictClass::kUndecided) continue;
    if (kernel == NullKernel::kCopiedInput && null_launch.is_operator()) continue;
    return std::optional<std::string>(
        base::concat("Contract \"", desc.shapes.contract->name(), "\" with ",
                     operators::type_bindings_text(desc.shapes.types),
                     " cannot be verified: a kernel that writes ", null_kernel_name(kernel),
                     " passes ", result.launches, " launches."));
  }
  return std::optional<std::string>{};
}

}  // namespace halyard::verification
