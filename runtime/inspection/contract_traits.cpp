// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/contract_traits.h"

#include "runtime/base/expression.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace halyard::services {
namespace {

using operators::ContractFields;
using operators::ContractTensor;
using operators::TensorRole;

using Axes = std::set<std::string, std::less<>>;

// A word of a contract's summary or rules, and what is computed where it stands.
struct FunctionWord {
  std::string_view word;
  std::string_view function;
};

constexpr std::array<FunctionWord, 10> kFunctionWords = {{
    {"rsqrt", "rsqrt"},
    {"sqrt(", "sqrt"},
    {"silu", "exp"},
    {"sigmoid", "exp"},
    {"softmax", "exp"},
    {"attention", "exp"},
    {"exp(", "exp"},
    {"log-sum-exp", "log"},
    {"lse", "log"},
    {"gelu", "exp"},
}};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

Axes axes_of(const ContractTensor& tensor) {
  Axes axes;
  for (const std::string& size : tensor.shape) {
    const std::vector<std::string> names = base::Expression::names_of(size);
    axes.insert(names.begin(), names.end());
  }
  return axes;
}

bool lacks_one(const Axes& left, const Axes& right) {
  return std::any_of(left.begin(), left.end(),
                     [&](const std::string& axis) { return !right.contains(axis); });
}

bool is_floating(const ContractFields& contract, const ContractTensor& tensor) {
  const bool variable =
      std::any_of(contract.types.begin(), contract.types.end(),
                  [&](const auto& binding) { return binding.contains(tensor.type); });
  const auto type = base::data_type_from_name(tensor.type);
  return variable || (type && base::data_type_name(*type).find('f') != std::string_view::npos);
}

std::vector<Axes> floating_inputs(const ContractFields& contract) {
  std::vector<Axes> inputs;
  for (const ContractTensor& tensor : contract.tensors) {
    if (tensor.role != TensorRole::kOutput && is_floating(contract, tensor)) {
      inputs.push_back(axes_of(tensor));
    }
  }
  return inputs;
}

bool is_product(const std::vector<Axes>& inputs, bool reduces) {
  for (const Axes& left : inputs) {
    for (const Axes& right : inputs) {
      if (reduces && lacks_one(left, right) && lacks_one(right, left)) return true;
    }
  }
  return false;
}

// An axis of an input that no output has is summed, or searched, or picked from by indices.
bool loses_an_axis(const ContractFields& contract, const std::vector<Axes>& inputs) {
  Axes outputs;
  for (const ContractTensor& tensor : contract.tensors) {
    if (tensor.role == TensorRole::kInput) continue;
    const Axes axes = axes_of(tensor);
    outputs.insert(axes.begin(), axes.end());
  }
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const Axes& input) { return lacks_one(input, outputs); });
}

void add_types(const ContractFields& contract, ContractTraits& traits) {
  for (const operators::TypeBindings& binding : contract.types) {
    for (const auto& [variable, type] : binding)
      traits.insert(base::concat("type.", base::data_type_name(type)));
  }
  for (const ContractTensor& tensor : contract.tensors) {
    if (base::data_type_from_name(tensor.type)) traits.insert("type." + tensor.type);
  }
}

void add_functions(const ContractFields& contract, ContractTraits& traits) {
  std::string text = contract.summary;
  for (const auto& [name, sentence] : contract.rules)
    text += base::concat(' ', name, ' ', sentence);
  text = lower_case(std::move(text));
  for (const FunctionWord& row : kFunctionWords) {
    if (text.find(row.word) != std::string::npos) traits.insert(std::string(row.function));
  }
}

}  // namespace

ContractTraits traits_of(const operators::Contract& contract) {
  const ContractFields& fields = contract.fields();
  ContractTraits traits;
  const std::vector<Axes> inputs = floating_inputs(fields);
  const bool indexed =
      std::any_of(fields.tensors.begin(), fields.tensors.end(), [&](const ContractTensor& tensor) {
        return tensor.role == TensorRole::kInput && !is_floating(fields, tensor);
      });
  const bool sums = !base::Expression::names_of(fields.tolerance.reduction).empty();
  if (indexed) traits.insert("indexed");
  if (sums || (!indexed && loses_an_axis(fields, inputs))) traits.insert("reduction");
  traits.insert(is_product(inputs, sums) ? "product" : "stream");
  add_types(fields, traits);
  add_functions(fields, traits);
  return traits;
}

}  // namespace halyard::services
