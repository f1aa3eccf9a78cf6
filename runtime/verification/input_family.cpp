// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/input_family.h"

#include "runtime/base/float_formats.h"
#include "runtime/base/text.h"
#include "runtime/operators/element_reader.h"
#include "runtime/operators/random_inputs.h"
#include "runtime/verification/extreme_inputs.h"
#include "runtime/verification/index_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

namespace halyard::verification {
namespace {

using operators::CounterRandom;
using operators::TensorRole;
using operators::WritableTensor;

struct NamedFamily {
  InputFamily family;
  std::string_view name;
  bool of_one_tensor = false;
};

constexpr std::array<NamedFamily, 18> kFamilies{{
    {InputFamily::kNormal, "normal"},
    {InputFamily::kMixedScales, "mixed-scales"},
    {InputFamily::kShifted, "shifted"},
    {InputFamily::kIntegers, "integers"},
    {InputFamily::kOnes, "ones"},
    {InputFamily::kOneHot, "one-hot"},
    {InputFamily::kSmall, "small"},
    {InputFamily::kLargeMean, "large-mean"},
    {InputFamily::kExtreme, "extreme"},
    {InputFamily::kTies, "ties"},
    {InputFamily::kBits, "bits"},
    {InputFamily::kIndexOrder, "index-order"},
    {InputFamily::kMasked, "masked"},
    {InputFamily::kNan, "nan", true},
    {InputFamily::kPositiveInfinity, "infinity", true},
    {InputFamily::kNegativeInfinity, "minus-infinity", true},
    {InputFamily::kNegativeZero, "minus-zero", true},
    {InputFamily::kSubnormal, "subnormal", true},
}};

const NamedFamily& named(InputFamily family) {
  return *std::find_if(kFamilies.begin(), kFamilies.end(),
                       [family](const NamedFamily& each) { return each.family == family; });
}

bool is_one_of(const operators::Contract& contract, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), contract.name()) != names.end();
}

constexpr std::array<std::string_view, 3> kSums{"gemm", "probe_fma", "probe_read"};
constexpr std::array<std::string_view, 3> kOneHots{"attention_decode_paged", "gemm", "probe_read"};

bool is_plain_float(const operators::Problem& problem, std::size_t tensor) {
  return problem.contract().tensors()[tensor].role != TensorRole::kOutput &&
         operators::is_plain_tensor(problem.contract(), tensor) &&
         base::data_type_is_float(problem.tensor_type(tensor));
}

bool is_exact(const operators::Problem& problem) {
  return problem.contract().fields().tolerance.kind == operators::ToleranceKind::kExact;
}

bool applies(InputFamily family, const operators::Problem& problem) {
  const operators::Contract& contract = problem.contract();
  switch (family) {
    case InputFamily::kNormal:
      return true;
    case InputFamily::kOneHot:
      return is_one_of(contract, kOneHots);
    case InputFamily::kExtreme:
      return has_extremes(contract);
    case InputFamily::kLargeMean:
      // Scores of 1e8 leave nothing of a softmax in f32.
      return contract.name() != "attention_decode_paged";
    case InputFamily::kBits:
      return is_exact(problem);
    case InputFamily::kIndexOrder:
    case InputFamily::kMasked:
      return has_indices(contract);
    default:
      return true;
  }
}

// Families that change values say nothing where there are none to change.
bool needs_values(InputFamily family) {
  return family != InputFamily::kNormal && family != InputFamily::kIndexOrder &&
         family != InputFamily::kMasked;
}

// A device may take what is subnormal in f32 and bf16 as 0 when it computes, and not when it
// copies; a subnormal f16 is a normal number of the accumulation.
bool keeps_subnormals(const operators::Problem& problem, std::size_t tensor) {
  return is_exact(problem) || problem.tensor_type(tensor) == base::DataType::kF16;
}

struct Place {
  std::uint64_t index = 0;
  std::uint64_t row = 0;
  std::uint64_t column = 0;
};

template <typename ValueOf>
void write_each(const WritableTensor& tensor, ValueOf value_of) {
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < tensor.rank; ++i)
    count *= static_cast<std::uint64_t>(tensor.shape[i]);
  const auto row = static_cast<std::uint64_t>(tensor.rank == 0 ? 1 : tensor.shape[tensor.rank - 1]);
  for (std::uint64_t i = 0; i < count; ++i) {
    operators::write_element(tensor, operators::element_offset(tensor, i),
                             value_of(Place{i, i / row, i % row}));
  }
}

double scale_of(std::uint64_t choice) {
  constexpr std::array<double, 3> kScales{1e3, 1, 1e-3};
  return kScales[choice % kScales.size()];
}

double mixed_scale(const CounterRandom& random, const Place& place) {
  constexpr std::uint64_t kTile = 16;
  const std::uint64_t mode = random.bits(2 * place.row) % 4;
  return mode < 3 ? scale_of(mode) : scale_of(random.bits(2 * (place.column / kTile) + 1));
}

double tied_value(const CounterRandom& random, const Place& place) {
  constexpr std::array<double, 3> kFew{-1, 0.5, 2};
  switch (place.row % 3) {
    case 0:
      return kFew[random.bits(place.index) % kFew.size()];
    case 1:
      return 2.5;
    default:
      return 0;
  }
}

// Factors of a norm: they may be 0 or 1 nowhere by chance.
bool is_weight(const operators::ContractTensor& tensor) {
  return tensor.constant && tensor.shape.size() == 1;
}

class ValueFiller {
 public:
  ValueFiller(const InputLaunch& launch, InputFamily family, std::size_t tensor)
      : contract_tensor_(launch.problem->contract().tensors()[tensor]),
        family_(family),
        random_(launch.seed, contract_tensor_.name),
        rows_(launch.seed, base::concat(contract_tensor_.name, "/rows")) {}

  void fill(const WritableTensor& tensor) const {
    if (family_ == InputFamily::kBits) return fill_bits(tensor);
    write_each(tensor, [this](const Place& place) { return value(place); });
  }

 private:
  double value(const Place& place) const {
    const double normal = random_.normal(place.index);
    const bool weighs = is_weight(contract_tensor_);
    switch (family_) {
      case InputFamily::kMixedScales:
        return weighs ? normal : normal * mixed_scale(rows_, place);
      case InputFamily::kShifted:
        if (weighs) return 0.5 + 1.5 * uniform(place.index);
        return 5 + 10 * normal + 6 * (static_cast<double>(rows_.bits(place.row) % 1024) / 1024);
      case InputFamily::kIntegers:
        return static_cast<double>(random_.below(place.index, 3) - 1);
      case InputFamily::kOnes:
        return place.row % 2 == 0 ? 1 : static_cast<double>(random_.below(place.index, 2));
      case InputFamily::kSmall:
        return weighs ? normal : 1e-3 * normal;
      case InputFamily::kLargeMean:
        return weighs ? normal : 1e4 + normal;
      case InputFamily::kTies:
        return weighs ? normal : tied_value(random_, place);
      default:
        return normal;
    }
  }

  double uniform(std::uint64_t index) const {
    return static_cast<double>(random_.bits(index) >> 11) * 0x1p-53;
  }

  // NaNs are the quiet one of the type.
  void fill_bits(const WritableTensor& tensor) const {
    write_each(tensor, [&](const Place& place) {
      const std::uint64_t bits = random_.bits(place.index);
      std::array<unsigned char, 8> element{};
      std::memcpy(element.data(), &bits, sizeof(bits));
      const double value = base::load_as_double(tensor.type, element.data());
      return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
    });
  }

  const operators::ContractTensor& contract_tensor_;
  InputFamily family_;
  CounterRandom random_;
  CounterRandom rows_;
};

void put_special(InputFamily family, const InputLaunch& launch, std::string_view name,
                 const WritableTensor& tensor) {
  const CounterRandom random(launch.seed, base::concat(name, "/special"));
  std::int64_t count = 1;
  for (std::uint32_t i = 0; i < tensor.rank; ++i)
    count *= tensor.shape[i];
  if (count == 0) return;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double value = std::numeric_limits<double>::quiet_NaN();
  if (family == InputFamily::kPositiveInfinity) value = kInfinity;
  if (family == InputFamily::kNegativeInfinity) value = -kInfinity;
  const auto element = static_cast<std::uint64_t>(random.below(0, count));
  operators::write_element(tensor, operators::element_offset(tensor, element), value);
}

void put_zeros(const InputLaunch& launch, std::string_view name, const WritableTensor& tensor) {
  const CounterRandom random(launch.seed, name);
  write_each(tensor, [&random](const Place& place) {
    if (place.row % 2 != 0) return random.normal(place.index);
    return random.bits(place.index) % 2 == 0 ? 0.0 : -0.0;
  });
}

double least_subnormal(base::DataType type) {
  return std::ldexp(1.0, type == base::DataType::kF16    ? -24
                         : type == base::DataType::kBf16 ? -133
                                                         : -149);
}

void put_subnormals(const InputLaunch& launch, std::string_view name,
                    const WritableTensor& tensor) {
  const CounterRandom random(launch.seed, name);
  const CounterRandom columns(launch.seed, base::concat(name, "/special"));
  const std::int64_t row = tensor.rank == 0 ? 1 : tensor.shape[tensor.rank - 1];
  write_each(tensor, [&](const Place& place) {
    if (static_cast<std::int64_t>(place.column) != columns.below(place.row, row))
      return random.normal(place.index);
    return static_cast<double>(1 + random.below(place.index, 60)) * least_subnormal(tensor.type);
  });
}

// Each row picks another step of the reduction, spread over all of them.
void fill_unit_rows(const InputLaunch& launch, const WritableTensor& tensor) {
  const auto rows = static_cast<std::uint64_t>(std::max<std::int64_t>(tensor.shape[0], 1));
  const auto steps = static_cast<std::uint64_t>(std::max<std::int64_t>(tensor.shape[1], 1));
  const CounterRandom random(launch.seed, "one-hot");
  const std::uint64_t offset = random.bits(0) % steps;
  write_each(tensor, [&](const Place& place) {
    const std::uint64_t step = (offset + place.row % rows * steps / rows) % steps;
    return place.column == step ? 1.0 : 0.0;
  });
}

// Equal scores, and values that tell the pages apart: what a page adds is large and known.
void fill_page_values(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  const operators::Contract& contract = launch.problem->contract();
  const WritableTensor& keys = tensors[*contract.tensor_index("k_cache")];
  const WritableTensor& values = tensors[*contract.tensor_index("v_cache")];
  const auto head = static_cast<std::uint64_t>(values.shape[3]);
  const auto page = static_cast<std::uint64_t>(values.shape[1] * values.shape[2]);
  write_each(keys, [](const Place&) { return 0.0; });
  write_each(values, [&](const Place& place) {
    return place.column == place.row / page % head ? 64.0 : 0.0;
  });
}

void fill_one_hot(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  if (launch.problem->contract().name() == "attention_decode_paged") {
    return fill_page_values(launch, tensors);
  }
  fill_unit_rows(launch, tensors[0]);
}

void fill_one_tensor(const InputCase& input, const InputLaunch& launch,
                     const WritableTensor& tensor) {
  const std::string& name = launch.problem->contract().tensors()[input.tensor].name;
  if (tensor.data == nullptr) return;
  if (input.family == InputFamily::kNegativeZero) return put_zeros(launch, name, tensor);
  if (input.family == InputFamily::kSubnormal) return put_subnormals(launch, name, tensor);
  put_special(input.family, launch, name, tensor);
}

}  // namespace

std::string input_case_name(const InputCase& input, const operators::Contract& contract) {
  const NamedFamily& family = named(input.family);
  if (!family.of_one_tensor) return std::string(family.name);
  return base::concat(family.name, " in ", contract.tensors()[input.tensor].name);
}

std::vector<InputCase> input_cases(const operators::Problem& problem) {
  std::vector<std::size_t> plain;
  for (std::size_t i = 0; i < problem.contract().tensors().size(); ++i) {
    if (is_plain_float(problem, i)) plain.push_back(i);
  }
  std::vector<InputCase> cases;
  for (const NamedFamily& each : kFamilies) {
    if (!applies(each.family, problem)) continue;
    if (!each.of_one_tensor) {
      if (needs_values(each.family) && plain.empty()) continue;
      cases.push_back({each.family, 0});
      continue;
    }
    for (const std::size_t tensor : plain) {
      if (each.family == InputFamily::kSubnormal && !keeps_subnormals(problem, tensor)) continue;
      cases.push_back({each.family, tensor});
    }
  }
  return cases;
}

bool has_exact_sums(const InputCase& input, const operators::Contract& contract) {
  return is_one_of(contract, kSums) &&
         (input.family == InputFamily::kIntegers || input.family == InputFamily::kOnes);
}

base::Status fill_inputs(const InputCase& input, const InputLaunch& launch,
                         std::span<const WritableTensor> tensors) {
  const operators::Problem& problem = *launch.problem;
  HALYARD_TRY(operators::fill_random_inputs(problem, launch.launch_axes, launch.seed, tensors));
  switch (input.family) {
    case InputFamily::kNormal:
      return base::ok();
    case InputFamily::kOneHot:
      fill_one_hot(launch, tensors);
      return base::ok();
    case InputFamily::kExtreme:
      fill_extremes(launch, tensors);
      return base::ok();
    case InputFamily::kIndexOrder:
      order_indices(launch, tensors);
      return base::ok();
    case InputFamily::kMasked:
      mask_indices(launch, tensors);
      return base::ok();
    default:
      break;
  }
  if (named(input.family).of_one_tensor) {
    fill_one_tensor(input, launch, tensors[input.tensor]);
    return base::ok();
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].data == nullptr || !is_plain_float(problem, i)) continue;
    ValueFiller(launch, input.family, i).fill(tensors[i]);
  }
  return base::ok();
}

}  // namespace halyard::verification
