// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_record.h"

#include "runtime/base/text.h"

#include <algorithm>

namespace halyard::store {

std::vector<std::string> KernelRecord::file_names() const {
  std::vector<std::string> names = files.value_or(std::vector<std::string>());
  names.push_back(source);
  std::sort(names.begin(), names.end());
  return names;
}

ParameterValues KernelRecord::default_parameters() const {
  ParameterValues values;
  for (const KernelParameter& parameter : parameters) {
    values.emplace(parameter.name, parameter.default_value);
  }
  return values;
}

const KernelStage* KernelRecord::find_stage(std::string_view stage) const {
  const auto found = std::find_if(stages.begin(), stages.end(),
                                  [&](const auto& each) { return each.name == stage; });
  return found == stages.end() ? nullptr : &*found;
}

bool KernelRecord::is_vulkan() const {
  return language == KernelLanguage::kGlsl || language == KernelLanguage::kSpirv ||
         language == KernelLanguage::kSpirvAssembly;
}

bool is_value_argument(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::kScalar:
    case ArgumentKind::kAttribute:
    case ArgumentKind::kAxis:
    case ArgumentKind::kStride:
    case ArgumentKind::kExpression:
    case ArgumentKind::kAxisOffset:
    case ArgumentKind::kParameter:
      return true;
    default:
      return false;
  }
}

// Names are letters, digits and underscores, so nothing needs an escape.
std::string type_binding_json(const TypeBinding& types) {
  std::string text = "{";
  for (const auto& [name, type] : types) {
    text += base::concat(text.size() > 1 ? ",\"" : "\"", name, "\":\"", base::data_type_name(type),
                         '"');
  }
  return text + "}";
}

std::string parameters_json(const ParameterValues& parameters) {
  std::string text = "{";
  for (const auto& [name, value] : parameters) {
    text += base::concat(text.size() > 1 ? ",\"" : "\"", name, "\":", value);
  }
  return text + "}";
}

bool is_package_file_name(std::string_view name) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= 128 && is_word(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_word(c) || c == '.' || c == '+' || c == '-'; });
}

}  // namespace halyard::store
