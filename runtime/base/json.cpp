// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/json.h"

#include "runtime/base/nearest_name.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <cmath>

namespace halyard::base {
namespace {

namespace json = boost::json;

json::string_view boost_view(std::string_view text) {
  return {text.data(), text.size()};
}
std::string_view standard_view(const json::string& text) {
  return {text.data(), text.size()};
}

void append_pointer_token(std::string& path, std::string_view name) {
  path.push_back('/');
  for (const char c : name) {
    if (c == '~') {
      path += "~0";
    } else if (c == '/') {
      path += "~1";
    } else {
      path.push_back(c);
    }
  }
}

Error error_at(std::string_view source_name, std::string_view path, std::string_view what) {
  const std::string_view subject = path.empty() ? std::string_view("the document") : path;
  return Error(ErrorCode::kCorruptData, source_name.empty()
                                            ? concat(subject, ' ', what, '.')
                                            : concat(source_name, ": ", subject, ' ', what, '.'));
}

std::optional<std::int64_t> integer_of(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (value.is_uint64()) {
    if (value.get_uint64() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return {};
    return static_cast<std::int64_t>(value.get_uint64());
  }
  constexpr double kPast = 0x1p63;
  if (!value.is_double()) return {};
  const double number = value.get_double();
  if (number != std::floor(number) || number < -kPast || number >= kPast) return {};
  return static_cast<std::int64_t>(number);
}

std::string quoted_list(std::span<const std::string_view> names) {
  std::string out;
  for (const std::string_view name : names) {
    out += concat(out.empty() ? "\"" : ", \"", name, "\"");
  }
  return out;
}

}  // namespace

std::string_view json_kind_name(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return "null";
    case json::kind::bool_:
      return "a boolean";
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_:
      return "a number";
    case json::kind::string:
      return "a string";
    case json::kind::array:
      return "an array";
    case json::kind::object:
      return "an object";
  }
  return "unknown";
}

Result<JsonObject> JsonObject::from(const json::value& value, std::string_view source_name,
                                    std::string path) {
  const json::object* const members = value.if_object();
  if (members == nullptr) {
    return error_at(source_name, path, concat("is ", json_kind_name(value), ", not an object"));
  }
  return JsonObject(members, source_name, std::move(path));
}

const json::value* JsonObject::find(std::string_view name) const {
  return members_->if_contains(boost_view(name));
}

std::string JsonObject::path_of(std::string_view name) const {
  std::string path = path_;
  append_pointer_token(path, name);
  return path;
}

std::string JsonObject::path_of(std::string_view name, std::size_t index) const {
  return concat(path_of(name), '/', index);
}

Error JsonObject::error(std::string_view name, std::string_view what) const {
  return error_at(source_name_, path_of(name), what);
}

Error JsonObject::error_here(std::string_view what) const {
  return error_at(source_name_, path_, what);
}

Error JsonObject::wrong_kind(std::string_view name, const json::value& found,
                             std::string_view expected) const {
  return error(name, concat("is ", json_kind_name(found), ", not ", expected));
}

Result<const json::value*> JsonObject::require(std::string_view name) const {
  const json::value* const value = find(name);
  if (value == nullptr) return error(name, "is missing");
  return value;
}

Result<std::string> JsonObject::required_string(std::string_view name) const {
  HALYARD_TRY_ASSIGN(const json::value* const value, require(name));
  const json::string* const text = value->if_string();
  if (text == nullptr) return wrong_kind(name, *value, "a string");
  return std::string(standard_view(*text));
}

Result<std::string> JsonObject::optional_string(std::string_view name,
                                                std::string_view otherwise) const {
  if (!has(name)) return std::string(otherwise);
  return required_string(name);
}

Result<std::string> JsonObject::required_choice(std::string_view name,
                                                std::span<const std::string_view> choices) const {
  HALYARD_TRY_ASSIGN(std::string text, required_string(name));
  if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
    return error(name, concat("is \"", text, "\", not one of ", quoted_list(choices)));
  }
  return text;
}

Result<std::string> JsonObject::optional_choice(std::string_view name,
                                                std::span<const std::string_view> choices,
                                                std::string_view otherwise) const {
  if (!has(name)) return std::string(otherwise);
  return required_choice(name, choices);
}

Result<std::int64_t> JsonObject::required_integer(std::string_view name, IntegerRange range) const {
  HALYARD_TRY_ASSIGN(const json::value* const value, require(name));
  if (!value->is_number()) return wrong_kind(name, *value, "an integer");
  const std::optional<std::int64_t> integer = integer_of(*value);
  if (!integer) return error(name, "is not an integer of 64 bits");
  if (*integer < range.minimum || *integer > range.maximum) {
    return error(name, concat("is ", *integer, ", outside ", range.minimum, " to ", range.maximum));
  }
  return *integer;
}

Result<std::int64_t> JsonObject::optional_integer(std::string_view name, std::int64_t otherwise,
                                                  IntegerRange range) const {
  if (!has(name)) return otherwise;
  return required_integer(name, range);
}

Result<double> JsonObject::required_number(std::string_view name) const {
  HALYARD_TRY_ASSIGN(const json::value* const value, require(name));
  if (value->is_int64()) return static_cast<double>(value->get_int64());
  if (value->is_uint64()) return static_cast<double>(value->get_uint64());
  if (value->is_double()) return value->get_double();
  return wrong_kind(name, *value, "a number");
}

Result<double> JsonObject::optional_number(std::string_view name, double otherwise) const {
  if (!has(name)) return otherwise;
  return required_number(name);
}

Result<bool> JsonObject::required_boolean(std::string_view name) const {
  HALYARD_TRY_ASSIGN(const json::value* const value, require(name));
  if (!value->is_bool()) return wrong_kind(name, *value, "a boolean");
  return value->get_bool();
}

Result<bool> JsonObject::optional_boolean(std::string_view name, bool otherwise) const {
  if (!has(name)) return otherwise;
  return required_boolean(name);
}

Result<JsonObject> JsonObject::required_object(std::string_view name) const {
  HALYARD_TRY_ASSIGN(const json::value* const value, require(name));
  return from(*value, source_name_, path_of(name));
}

Result<std::optional<JsonObject>> JsonObject::optional_object(std::string_view name) const {
  if (!has(name)) return std::optional<JsonObject>();
  HALYARD_TRY_ASSIGN(JsonObject object, required_object(name));
  return std::optional<JsonObject>(std::move(object));
}

Result<const json::array*> JsonObject::required_array(std::string_view name) const {
  HALYARD_TRY_ASSIGN(const json::value* const value, require(name));
  const json::array* const array = value->if_array();
  if (array == nullptr) return wrong_kind(name, *value, "an array");
  return array;
}

Result<const json::array*> JsonObject::optional_array(std::string_view name) const {
  if (!has(name)) return static_cast<const json::array*>(nullptr);
  return required_array(name);
}

Result<std::vector<JsonObject>> JsonObject::required_objects(std::string_view name) const {
  HALYARD_TRY_ASSIGN(const json::array* const array, required_array(name));
  std::vector<JsonObject> objects;
  objects.reserve(array->size());
  for (std::size_t index = 0; index < array->size(); ++index) {
    HALYARD_TRY_ASSIGN(JsonObject object,
                       from((*array)[index], source_name_, path_of(name, index)));
    objects.push_back(std::move(object));
  }
  return objects;
}

Result<std::vector<JsonObject>> JsonObject::optional_objects(std::string_view name) const {
  if (!has(name)) return std::vector<JsonObject>();
  return required_objects(name);
}

Result<std::vector<std::string>> JsonObject::required_strings(std::string_view name) const {
  HALYARD_TRY_ASSIGN(const json::array* const array, required_array(name));
  std::vector<std::string> strings;
  strings.reserve(array->size());
  for (std::size_t index = 0; index < array->size(); ++index) {
    const json::value& element = (*array)[index];
    if (!element.is_string()) {
      return error_at(source_name_, path_of(name, index),
                      concat("is ", json_kind_name(element), ", not a string"));
    }
    strings.emplace_back(standard_view(element.get_string()));
  }
  return strings;
}

Result<std::vector<std::string>> JsonObject::optional_strings(std::string_view name) const {
  if (!has(name)) return std::vector<std::string>();
  return required_strings(name);
}

Status JsonObject::refuse_unknown_keys(std::span<const std::string_view> known) const {
  for (const json::key_value_pair& member : *members_) {
    const std::string_view name(member.key().data(), member.key().size());
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return error(name, concat("is an unknown key", nearest_name_clause(name, known)));
    }
  }
  return ok();
}

Status JsonObject::refuse_unknown_keys(std::initializer_list<std::string_view> known) const {
  return refuse_unknown_keys(std::span<const std::string_view>(known.begin(), known.size()));
}

}  // namespace halyard::base
