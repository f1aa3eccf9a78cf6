// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/text.h"
#include "runtime/operators/problem.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halyard::operators {
namespace {

base::Error invalid(std::string message) {
  return base::Error(base::ErrorCode::kInvalidArgument, std::move(message));
}

std::string value_text(const AttributeValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return base::concat(*integer);
  if (const auto* number = std::get_if<double>(&value)) return base::concat(*number);
  return base::concat('"', std::get<std::string>(value), '"');
}

const char* type_text(AttributeType type) {
  switch (type) {
    case AttributeType::kInteger:
      return "an integer";
    case AttributeType::kNumber:
      return "a number";
    case AttributeType::kText:
      break;
  }
  return "text";
}

bool has_type(const AttributeValue& value, AttributeType type) {
  switch (type) {
    case AttributeType::kInteger:
      return std::holds_alternative<std::int64_t>(value);
    case AttributeType::kNumber:
      return std::holds_alternative<double>(value) && std::isfinite(std::get<double>(value));
    case AttributeType::kText:
      break;
  }
  return std::holds_alternative<std::string>(value);
}

base::Status check_attribute(const Contract& contract, const ContractAttribute& attribute,
                             const AttributeValue& value) {
  if (!has_type(value, attribute.type)) {
    return invalid(base::concat("Attribute \"", attribute.name, "\" of contract \"",
                                contract.name(), "\" is ", value_text(value), ", and it takes ",
                                type_text(attribute.type), "."));
  }
  if (attribute.values.empty() || std::find(attribute.values.begin(), attribute.values.end(),
                                            value) != attribute.values.end()) {
    return base::ok();
  }
  std::vector<std::string> allowed;
  for (const AttributeValue& each : attribute.values)
    allowed.push_back(value_text(each));
  return invalid(base::concat("Attribute \"", attribute.name, "\" of contract \"", contract.name(),
                              "\" is ", value_text(value), ", and it takes ",
                              base::join(allowed, " or "), "."));
}

}  // namespace

base::Status Problem::bind_types(TypeBindings types) {
  const std::vector<TypeBindings>& allowed = content_->contract->fields().types;
  if (std::find(allowed.begin(), allowed.end(), types) == allowed.end()) {
    std::vector<std::string> texts;
    texts.reserve(allowed.size());
    for (const TypeBindings& each : allowed)
      texts.push_back(type_bindings_text(each));
    return invalid(base::concat("Contract \"", content_->contract->name(),
                                "\" does not allow the types ",
                                types.empty() ? "(none)" : type_bindings_text(types),
                                "; it allows ", base::join(texts, "; "), "."));
  }
  content_->types = std::move(types);
  return base::ok();
}

base::Status Problem::bind_attributes(Attributes attributes) {
  for (auto& [name, value] : attributes) {
    HALYARD_TRY_ASSIGN(const std::uint32_t index, content_->contract->attribute_index(name));
    const ContractAttribute& attribute = content_->contract->attributes()[index];
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (integer != nullptr && attribute.type == AttributeType::kNumber) {
      value = static_cast<double>(*integer);
    }
    HALYARD_TRY(check_attribute(*content_->contract, attribute, value));
  }
  for (const ContractAttribute& attribute : content_->contract->attributes()) {
    if (attributes.contains(attribute.name)) continue;
    if (!attribute.default_value) {
      return invalid(base::concat("Attribute \"", attribute.name, "\" of contract \"",
                                  content_->contract->name(), "\" is missing and has no default."));
    }
    attributes.emplace(attribute.name, *attribute.default_value);
  }
  content_->attributes = std::move(attributes);
  return base::ok();
}

}  // namespace halyard::operators
