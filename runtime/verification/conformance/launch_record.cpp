// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/launch_record.h"

#include "runtime/base/expression.h"

#include <algorithm>
#include <cmath>

namespace halyard::verification {
namespace {

constexpr std::string_view kDevicePrefix = "device.";
constexpr std::uint32_t kTensorMapBytes = 128;

class Values {
 public:
  Values(const store::KernelRecord& record, const store::ParameterValues& given,
         const descriptors::CapabilitySet* capabilities)
      : parameters_(record.default_parameters()),
        capabilities_(capabilities) {
    for (const auto& [name, value] : given)
      parameters_[name] = value;
  }

  // Nothing where the text names what has no value here, or cannot be evaluated.
  std::optional<std::int64_t> evaluate(const std::string& text) const {
    std::vector<std::int64_t> slots;
    const auto resolve = [&](std::string_view name) -> std::optional<std::uint32_t> {
      const auto value = value_of(name);
      if (!value) return std::nullopt;
      slots.push_back(*value);
      return static_cast<std::uint32_t>(slots.size() - 1);
    };
    const auto expression = base::Expression::compile(text, resolve);
    std::int64_t out = 0;
    if (!expression || !expression->evaluate_into(slots, &out)) return std::nullopt;
    return out;
  }

 private:
  std::optional<std::int64_t> value_of(std::string_view name) const {
    const auto parameter = parameters_.find(std::string(name));
    if (parameter != parameters_.end()) return parameter->second;
    if (capabilities_ == nullptr || !name.starts_with(kDevicePrefix)) return std::nullopt;
    const auto* capability = capabilities_->find(name.substr(kDevicePrefix.size()));
    if (capability == nullptr || capability->kind == descriptors::CapabilityKind::kText) {
      return std::nullopt;
    }
    return std::llround(capability->number);
  }

  store::ParameterValues parameters_;
  const descriptors::CapabilitySet* capabilities_;
};

std::uint32_t hidden_bytes(store::HiddenArgument hidden) {
  using store::HiddenArgument;
  if (hidden <= HiddenArgument::kBlockCountZ) return 4;
  const bool is_offset =
      hidden >= HiddenArgument::kGlobalOffsetX && hidden <= HiddenArgument::kGlobalOffsetZ;
  return is_offset ? 8 : 2;
}

CodeArgument code_argument(const store::KernelArgument& argument) {
  CodeArgument out;
  out.is_hidden = argument.kind == store::ArgumentKind::kHidden;
  out.is_address = !store::is_value_argument(argument.kind);
  if (out.is_hidden) {
    out.size_bytes = hidden_bytes(argument.hidden);
    out.is_address = false;
  } else if (argument.kind == store::ArgumentKind::kTensorMap) {
    out.size_bytes = kTensorMapBytes;
    out.is_address = false;
  } else if (!out.is_address) {
    out.size_bytes = base::data_type_size_bytes(argument.type);
  }
  return out;
}

}  // namespace

std::vector<CodeStage> code_stages(const store::KernelRecord& record,
                                   const store::ParameterValues& parameters,
                                   const descriptors::CapabilitySet* capabilities) {
  const Values values(record, parameters, capabilities);
  std::vector<CodeStage> out;
  for (const store::KernelStage& stage : record.stages) {
    CodeStage code;
    code.entry = stage.entry;
    for (std::size_t d = 0; d < 3; ++d)
      code.block[d] = values.evaluate(stage.block[d].text);
    code.shared_bytes = stage.shared_bytes ? values.evaluate(stage.shared_bytes->text)
                                           : std::optional<std::int64_t>(0);
    code.subgroup_size = stage.subgroup_size;
    for (const store::KernelArgument& argument : stage.arguments) {
      code.arguments.push_back(code_argument(argument));
      if (argument.binding) code.bindings.push_back(*argument.binding);
      if (argument.push) {
        const std::uint64_t end = *argument.push + std::uint64_t{code.arguments.back().size_bytes};
        code.push_bytes = std::max(code.push_bytes, end);
      }
    }
    out.push_back(std::move(code));
  }
  return out;
}

}  // namespace halyard::verification
