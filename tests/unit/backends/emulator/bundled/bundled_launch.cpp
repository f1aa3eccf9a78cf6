// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/bundled/bundled_launch.h"

#include "runtime/base/text.h"
#include "runtime/dispatch/slot_value.h"
#include "runtime/operators/contract_catalog.h"
#include "runtime/operators/element_reader.h"
#include "runtime/operators/output_check.h"
#include "runtime/operators/random_inputs.h"
#include "tests/unit/backends/emulator/emulator_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>

namespace halyard::emulator::testing {
namespace {

using base::concat;
using operators::Problem;
using operators::WritableTensor;
using store::ArgumentKind;

constexpr std::size_t kGuardBytes = 256;
constexpr unsigned char kGuard = 0xa7;

const operators::ContractCatalog& contracts() {
  static const operators::ContractCatalog catalog(HALYARD_BUNDLED_DATA);
  return catalog;
}

// One launch of a kernel: memory for its tensors, and the numbers that it is launched with.
class HostProblem {
 public:
  HostProblem(const BundledKernel& kernel, const LaunchShape& shape)
      : kernel_(kernel),
        problem_(make_problem(kernel, shape)) {
    const auto split = operators::split_axes(problem_.contract(), shape.axes);
    launch_axes_ = *problem_.launch_values(split->launch);
    shapes_ = *problem_.shapes(launch_axes_);
    scalars_ = operators::typical_scalars(problem_);
    make_slots();
  }

  bool attributes_fit() const {
    if (!kernel_.record.attributes) return true;
    for (const auto& [name, served] : *kernel_.record.attributes) {
      const auto& value = std::get<std::string>(problem_.attribute(name));
      if (std::find(served.begin(), served.end(), value) == served.end()) return false;
    }
    return true;
  }

  bool conditions_hold() const {
    return std::all_of(kernel_.record.where.begin(), kernel_.record.where.end(),
                       [&](const std::string& text) { return number(text) != 0; });
  }

  void fill(const LaunchShape& shape) {
    for (std::size_t i = 0; i < shapes_.tensor_count; ++i) {
      WritableTensor tensor = operators::dense_tensor(shapes_.tensors[i], nullptr);
      const auto rule = problem_.contract().tensors()[i].strides;
      if (rule != operators::StrideRule::kDense) pad(tensor, shape.row_padding);
      std::uint64_t bytes = extent_of(tensor) * base::data_type_size_bytes(tensor.type);
      if (!shapes_.tensors[i].present) bytes = 0;
      sizes_.push_back(bytes);
      memory_.emplace_back(kGuardBytes + bytes + kGuardBytes + 16, kGuard);
      tensor.data = memory_.back().data() + kGuardBytes;
      tensors_.push_back(tensor);
    }
    const auto filled = operators::fill_random_inputs(problem_, launch_axes_, shape.seed, tensors_);
    ASSERT_TRUE(filled) << filled.error().message();
    if (shape.has_specials) scatter_specials(shape.seed);
    before_ = memory_;
  }

  LaunchDesc describe(const store::KernelStage& stage, const LaunchOptions& options) {
    LaunchDesc desc;
    desc.options = options;
    for (std::size_t d = 0; d < 3; ++d) {
      desc.grid[d] = static_cast<std::uint32_t>(number(stage.grid[d].text));
      desc.block[d] = static_cast<std::uint32_t>(number(stage.block[d].text));
    }
    for (const store::KernelArgument& argument : stage.arguments)
      desc.arguments.push_back(make_argument(argument));
    return desc;
  }

  LaunchVerdict check() const {
    LaunchVerdict verdict;
    std::vector<operators::ReferenceTensor> inputs;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      operators::ReferenceTensor input = tensors_[i];
      input.data = before_[i].data() + kGuardBytes;
      inputs.push_back(input);
    }
    const auto expected =
        operators::expect_outputs({&problem_, launch_axes_, inputs, scalars_}, {});
    if (!expected) return {expected.error().message()};
    for (const operators::ExpectedOutput& output : *expected) {
      const auto worst = operators::compare_output(output, tensors_[output.tensor]);
      verdict.worst_ratio = std::max(verdict.worst_ratio, worst.ratio);
      if (worst.failures == 0) continue;
      verdict.failure =
          concat(problem_.contract().tensors()[output.tensor].name, " has ", worst.failures,
                 " wrong elements of ", worst.compared, "; element ", worst.element, " is ",
                 worst.value, ", not ", worst.reference, " (", worst.ratio, " times the allowed).");
    }
    check_surroundings(verdict);
    return verdict;
  }

 private:
  static Problem make_problem(const BundledKernel& kernel, const LaunchShape& shape) {
    const auto contract = contracts().find(kernel.record.contract);
    EXPECT_TRUE(contract);
    const auto split = operators::split_axes(**contract, shape.axes);
    operators::TypeBindings types(kernel.build.types.begin(), kernel.build.types.end());
    auto problem = Problem::create(*contract, types, shape.attributes, split->prepare);
    EXPECT_TRUE(problem) << problem.error().message();
    return *problem;
  }

  void make_slots() {
    slots_ = problem_.slots();
    for (std::size_t i = 0; i < launch_axes_.size(); ++i)
      slots_.set(static_cast<std::uint32_t>(i), launch_axes_[i]);
    for (const auto& [name, value] : kernel_.record.default_parameters())
      EXPECT_TRUE(slots_.add(name, value));
    EXPECT_TRUE(slots_.add("device.subgroup.size",
                           static_cast<std::int64_t>(kernel_.object->kernels().front().lanes)));
  }

  std::int64_t number(std::string_view text) const {
    const auto value = dispatch::SlotValue::compile(text, slots_);
    EXPECT_TRUE(value) << text;
    const auto result = value->evaluate(slots_.values());
    EXPECT_TRUE(result) << text;
    return result ? *result : 0;
  }

  // Rows `padding` elements further apart; the last dimension stays dense.
  static void pad(WritableTensor& tensor, std::int64_t padding) {
    if (tensor.rank < 2) return;
    std::int64_t stride = std::max<std::int64_t>(tensor.shape[tensor.rank - 1], 1) + padding;
    for (std::uint32_t d = tensor.rank - 1; d-- > 0;) {
      tensor.strides[d] = stride;
      stride = stride * std::max<std::int64_t>(tensor.shape[d], 1) + padding;
    }
  }

  // About one element in forty of each input that takes any number.
  void scatter_specials(std::uint64_t seed) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      const WritableTensor& tensor = tensors_[i];
      const bool is_output =
          problem_.contract().tensors()[i].role == operators::TensorRole::kOutput;
      if (is_output || !operators::is_plain_tensor(problem_.contract(), i)) continue;
      const bool is_half = tensor.type == base::DataType::kF16;
      if (!is_half && tensor.type != base::DataType::kF32 && tensor.type != base::DataType::kBf16)
        continue;
      const std::array<double, 5> specials{nan, kInfinity, -kInfinity, -0.0,
                                           is_half ? 0x1p-24 : 0x1p-130};
      const operators::CounterRandom random(seed, concat("specials ", i));
      const auto count = static_cast<std::uint64_t>(shapes_.tensors[i].element_count);
      for (std::uint64_t e = 0; e < count; ++e) {
        if (random.below(2 * e, 40) != 0) continue;
        const auto which = static_cast<std::size_t>(random.below(2 * e + 1, 5));
        operators::write_element(tensor, operators::element_offset(tensor, e), specials[which]);
      }
    }
  }

  static std::uint64_t extent_of(const WritableTensor& tensor) {
    std::int64_t last = 0;
    for (std::uint32_t d = 0; d < tensor.rank; ++d) {
      if (tensor.shape[d] == 0) return 0;
      last += (tensor.shape[d] - 1) * tensor.strides[d];
    }
    return static_cast<std::uint64_t>(last) + 1;
  }

  LaunchArgument memory_argument(std::size_t tensor) {
    LaunchArgument argument;
    argument.name = problem_.contract().tensors()[tensor].name;
    if (!shapes_.tensors[tensor].present) return argument;
    argument.host = reinterpret_cast<std::byte*>(memory_[tensor].data() + kGuardBytes);
    argument.size_bytes = sizes_[tensor];
    argument.is_writable =
        problem_.contract().tensors()[tensor].role != operators::TensorRole::kInput;
    return argument;
  }

  LaunchArgument make_argument(const store::KernelArgument& argument) {
    const operators::Contract& contract = problem_.contract();
    switch (argument.kind) {
      case ArgumentKind::kTensor:
        return memory_argument(*contract.tensor_index(argument.name));
      case ArgumentKind::kAxisPointer:
        return memory_argument(
            *contract.tensor_index(contract.axes()[*contract.axis_index(argument.name)].tensor));
      case ArgumentKind::kStride: {
        const WritableTensor& tensor = tensors_[*contract.tensor_index(argument.name)];
        return value_argument(argument, tensor.strides[argument.dimension]);
      }
      case ArgumentKind::kScalar:
        return float_argument(argument, scalars_[*contract.scalar_index(argument.name)]);
      case ArgumentKind::kAttribute: {
        const operators::AttributeValue& value = problem_.attribute(argument.name);
        if (const auto* real = std::get_if<double>(&value)) return float_argument(argument, *real);
        return value_argument(argument, std::get<std::int64_t>(value));
      }
      case ArgumentKind::kExpression:
        return value_argument(argument, number(argument.expression.text));
      default:
        return value_argument(argument, number(argument.name));
    }
  }

  static LaunchArgument value_argument(const store::KernelArgument& argument, std::int64_t value) {
    return testing::number(argument.name, static_cast<std::uint64_t>(value));
  }

  static LaunchArgument float_argument(const store::KernelArgument& argument, double value) {
    const auto single = static_cast<float>(value);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &single, sizeof(bits));
    return testing::number(argument.name, bits);
  }

  // Bytes around and between the rows of a tensor stay as they were.
  void check_surroundings(LaunchVerdict& verdict) const {
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      std::vector<unsigned char> expected = before_[i];
      const WritableTensor& tensor = tensors_[i];
      const std::size_t size = base::data_type_size_bytes(tensor.type);
      if (problem_.contract().tensors()[i].role != operators::TensorRole::kInput) {
        const auto count = static_cast<std::uint64_t>(shapes_.tensors[i].element_count);
        for (std::uint64_t e = 0; e < count; ++e) {
          const std::size_t at =
              kGuardBytes + static_cast<std::size_t>(operators::element_offset(tensor, e)) * size;
          std::memcpy(expected.data() + at, memory_[i].data() + at, size);
        }
      }
      if (expected == memory_[i]) continue;
      verdict.failure = concat("Bytes around tensor ", problem_.contract().tensors()[i].name,
                               " have changed. ", verdict.failure);
    }
  }

  const BundledKernel& kernel_;
  Problem problem_;
  std::vector<std::int64_t> launch_axes_;
  operators::ShapeTable shapes_;
  std::vector<double> scalars_;
  operators::SlotTable slots_;
  std::vector<WritableTensor> tensors_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::vector<unsigned char>> memory_;
  std::vector<std::vector<unsigned char>> before_;
};

}  // namespace

std::vector<BundledKernel> bundled_kernels(std::string_view processor) {
  std::vector<BundledKernel> kernels;
  const auto bundle = store::Bundle::open(HALYARD_BUNDLED_DATA);
  if (!bundle) {
    ADD_FAILURE() << bundle.error().message();
    return kernels;
  }
  const std::string target = concat("amdgcn-", processor);
  const auto names = bundle->contracts();
  for (const std::string& name : *names) {
    const auto contract = bundle->kernels(name);
    for (const store::BuiltKernel& kernel : (*contract)->kernels) {
      for (const store::KernelBuild& build : kernel.builds) {
        if (build.target != target) continue;
        const std::string path = concat(kernel.directory, '/', build.file);
        kernels.push_back({kernel.package.record, build, load_object(processor, path)});
      }
    }
  }
  EXPECT_FALSE(kernels.empty()) << "There is no binary for " << target << ".";
  return kernels;
}

std::string launch_title(const BundledKernel& kernel, const LaunchShape& shape) {
  std::string text = concat(kernel.record.name, ' ', kernel.build.file);
  for (const operators::AxisValue& axis : shape.axes)
    text += concat(' ', axis.name, '=', axis.value);
  return concat(text, " padding=", shape.row_padding);
}

bool is_served(const BundledKernel& kernel, const LaunchShape& shape) {
  const HostProblem problem(kernel, shape);
  return problem.attributes_fit() && problem.conditions_hold();
}

std::vector<LaunchShape> golden_shapes(const BundledKernel& kernel) {
  std::vector<LaunchShape> shapes;
  const auto contract = contracts().find(kernel.record.contract);
  const operators::GoldenVectors& golden = (*contract)->fields().golden;
  for (const auto& axes : golden.axes) {
    for (const operators::Attributes& attributes : golden.attributes) {
      LaunchShape shape;
      shape.axes = axes;
      shape.attributes = attributes;
      if (is_served(kernel, shape)) shapes.push_back(std::move(shape));
    }
  }
  return shapes;
}

LaunchVerdict launch_and_check(const BundledKernel& kernel, const LaunchShape& shape,
                               const LaunchOptions& options) {
  HostProblem problem(kernel, shape);
  problem.fill(shape);
  std::uint64_t instructions = 0;
  for (const store::KernelStage& stage : kernel.record.stages) {
    LaunchDesc desc = problem.describe(stage, options);
    if (desc.grid[0] == 0 || desc.grid[1] == 0 || desc.grid[2] == 0) continue;
    const auto entry = kernel.object->kernel(stage.entry);
    if (!entry) return {entry.error().message()};
    const auto outcome = launch(*kernel.object, **entry, desc);
    if (!outcome) return {outcome.error().message()};
    if (outcome->report) return {report_text(*outcome->report)};
    instructions += outcome->instructions;
  }
  LaunchVerdict verdict = problem.check();
  verdict.instructions = instructions;
  return verdict;
}

}  // namespace halyard::emulator::testing
