// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/json_list.h"

#include "runtime/base/text.h"

namespace halyard::isa {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::JsonObject;
using base::Result;

namespace {

const boost::json::array no_values;

}  // namespace

Result<JsonList> JsonList::member(const JsonObject& object, std::string_view name) {
  HALYARD_TRY_ASSIGN(const boost::json::array* const values, object.optional_array(name));
  return JsonList(values == nullptr ? &no_values : values, object.source_name(),
                  object.path_of(name));
}

Error JsonList::error(std::size_t index, std::string_view what) const {
  return Error(ErrorCode::kCorruptData,
               concat(source_name_, ": ", path_, '/', index, ' ', what, '.'));
}

Result<std::string_view> JsonList::text(std::size_t index) const {
  if (index >= size()) return error(index, "is missing");
  const boost::json::string* const text = (*values_)[index].if_string();
  if (text == nullptr)
    return error(index, concat("is ", base::json_kind_name((*values_)[index]), ", not a string"));
  return std::string_view(text->data(), text->size());
}

Result<std::uint64_t> JsonList::wide_number(std::size_t index) const {
  if (index >= size()) return error(index, "is missing");
  boost::system::error_code failed;
  const auto number = (*values_)[index].to_number<std::uint64_t>(failed);
  if (failed) return error(index, "is no integer from 0 on");
  return number;
}

Result<std::uint32_t> JsonList::number(std::size_t index, std::uint32_t most) const {
  HALYARD_TRY_ASSIGN(const std::uint64_t number, wide_number(index));
  if (number > most) return error(index, concat("is ", number, "; the most is ", most));
  return static_cast<std::uint32_t>(number);
}

Result<JsonList> JsonList::list(std::size_t index) const {
  if (index >= size()) return error(index, "is missing");
  const boost::json::array* const values = (*values_)[index].if_array();
  if (values == nullptr)
    return error(index, concat("is ", base::json_kind_name((*values_)[index]), ", not an array"));
  return JsonList(values, source_name_, concat(path_, '/', index));
}

Result<JsonList> JsonList::list(std::size_t index, std::size_t size) const {
  HALYARD_TRY_ASSIGN(JsonList values, list(index));
  if (values.size() != size)
    return error(index, concat("has ", values.size(), " elements, not ", size));
  return values;
}

Result<JsonObject> JsonList::object(std::size_t index) const {
  if (index >= size()) return error(index, "is missing");
  return JsonObject::from((*values_)[index], source_name_, concat(path_, '/', index));
}

}  // namespace halyard::isa
