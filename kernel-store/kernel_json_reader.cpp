// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_json_reader.h"

#include "runtime/base/expression.h"
#include "runtime/base/text.h"

#include <limits>

namespace halyard::store::reader {
namespace {

using base::concat;

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > 128 || (text[0] >= '0' && text[0] <= '9')) return false;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(c >= '0' && c <= '9')) return false;
  }
  return true;
}

constexpr std::string_view kNoName =
    "is not a name of letters, digits and underscores (at most 128, no digit first)";

}  // namespace

base::Result<std::string> required_name(const base::JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(std::string text, object.required_string(key));
  if (!is_name(text)) return object.error(key, kNoName);
  return text;
}

base::Result<ExpressionText> expression_of(const base::JsonObject& object, std::string_view key,
                                           const boost::json::value& value,
                                           std::string_view where) {
  if (value.is_int64()) return ExpressionText{std::to_string(value.get_int64()), true};
  if (!value.is_string()) {
    return object.error(
        key, concat(where, "is ", base::json_kind_name(value), ", not an integer expression"));
  }
  const auto& string = value.get_string();
  ExpressionText expression{std::string(string.data(), string.size()), false};
  const auto any_name = [](std::string_view) { return std::optional<std::uint32_t>(0); };
  auto compiled = base::Expression::compile(expression.text, any_name);
  if (!compiled) return object.error(key, concat(where, "holds: ", compiled.error().message()));
  return expression;
}

base::Result<ExpressionText> required_expression(const base::JsonObject& object,
                                                 std::string_view key) {
  const boost::json::value* const value = object.find(key);
  if (value == nullptr) return object.error(key, "is missing");
  return expression_of(object, key, *value, "");
}

base::Result<std::optional<ExpressionText>> optional_expression(const base::JsonObject& object,
                                                                std::string_view key) {
  if (!object.has(key)) return std::optional<ExpressionText>();
  HALYARD_TRY_ASSIGN(ExpressionText expression, required_expression(object, key));
  return std::optional<ExpressionText>(std::move(expression));
}

base::Result<std::vector<ExpressionText>> required_expressions(const base::JsonObject& object,
                                                               std::string_view key,
                                                               std::size_t minimum,
                                                               std::size_t maximum) {
  HALYARD_TRY_ASSIGN(const boost::json::array* const array, object.required_array(key));
  if (array->size() < minimum || array->size() > maximum) {
    return object.error(
        key, minimum == maximum
                 ? concat("has ", array->size(), " elements, not ", minimum)
                 : concat("has ", array->size(), " elements, outside ", minimum, " to ", maximum));
  }
  std::vector<ExpressionText> expressions;
  for (std::size_t i = 0; i < array->size(); ++i) {
    HALYARD_TRY_ASSIGN(ExpressionText expression,
                       expression_of(object, key, (*array)[i], concat("element ", i, " ")));
    expressions.push_back(std::move(expression));
  }
  return expressions;
}

base::Result<std::optional<std::uint32_t>> optional_count(const base::JsonObject& object,
                                                          std::string_view key,
                                                          base::IntegerRange range) {
  if (!object.has(key)) return std::optional<std::uint32_t>();
  HALYARD_TRY_ASSIGN(const std::int64_t value, object.required_integer(key, range));
  return std::optional<std::uint32_t>(static_cast<std::uint32_t>(value));
}

base::Result<TypeBinding> type_binding_of(const base::JsonObject& object) {
  TypeBinding types;
  for (const auto& member : object.members()) {
    const std::string key(member.key().data(), member.key().size());
    if (!is_name(key)) return object.error(key, kNoName);
    HALYARD_TRY_ASSIGN(const std::string name, object.required_string(key));
    const auto type = base::data_type_from_name(name);
    if (!type) return object.error(key, concat("is \"", name, "\", which is no element type"));
    types.emplace(key, *type);
  }
  return types;
}

base::Result<std::map<std::string, std::int64_t>> integers_of(const base::JsonObject& object) {
  std::map<std::string, std::int64_t> values;
  for (const auto& member : object.members()) {
    const std::string key(member.key().data(), member.key().size());
    if (!is_name(key)) return object.error(key, kNoName);
    HALYARD_TRY_ASSIGN(const std::int64_t value, object.required_integer(key));
    values.emplace(key, value);
  }
  return values;
}

}  // namespace halyard::store::reader
