// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/identifier_list.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <bit>
#include <boost/json/array.hpp>
#include <charconv>
#include <limits>

namespace halyard::isa {
namespace {

namespace json = boost::json;
using base::concat;
using base::JsonObject;
using base::Result;

constexpr std::size_t kMostIdentifiers = 65'536;

}  // namespace

std::string hexadecimal(std::uint32_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "0x00000000";
  for (std::size_t i = 0; i < 8; ++i)
    text[i + 2] = kDigits[value >> (28 - 4 * i) & 0xfU];
  return text;
}

Result<std::uint32_t> read_hexadecimal(const JsonObject& object, std::string_view name) {
  HALYARD_TRY_ASSIGN(const std::string text, object.required_string(name));
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const bool reads = text.starts_with("0x") && text.size() == 10 &&
                     std::from_chars(text.data() + 2, end, value, 16).ptr == end;
  if (!reads) return object.error(name, concat("is \"", text, "\", not 0x and eight digits"));
  return value;
}

json::object write_identifiers(const std::vector<std::uint32_t>& identifiers) {
  std::uint32_t all = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t any = 0;
  for (const std::uint32_t identifier : identifiers) {
    all &= identifier;
    any |= identifier;
  }
  const std::uint32_t varying = any ^ all;
  const int shift = varying == 0 ? 0 : std::countr_zero(varying);
  json::array values;
  for (std::size_t first = 0; first < identifiers.size();) {
    std::size_t last = first;
    while (last + 1 < identifiers.size() &&
           identifiers[last + 1] - identifiers[last] == 1U << shift)
      ++last;
    const auto value_of = [&](std::size_t i) { return (identifiers[i] - all) >> shift; };
    if (last - first >= 2) {
      values.push_back(json::array{value_of(first), value_of(last)});
    } else {
      for (std::size_t i = first; i <= last; ++i)
        values.push_back(value_of(i));
    }
    first = last + 1;
  }
  json::object object;
  object["base"] = hexadecimal(all);
  object["shift"] = shift;
  object["values"] = std::move(values);
  return object;
}

Result<std::vector<std::uint32_t>> read_identifiers(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"base", "shift", "values"}));
  HALYARD_TRY_ASSIGN(const std::uint32_t base, read_hexadecimal(object, "base"));
  HALYARD_TRY_ASSIGN(const std::int64_t shift, object.required_integer("shift", {0, 31}));
  HALYARD_TRY_ASSIGN(const JsonList values, JsonList::member(object, "values"));
  std::vector<std::uint32_t> identifiers;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    if (values.is_list(i)) {
      HALYARD_TRY_ASSIGN(const JsonList run, values.list(i, 2));
      HALYARD_TRY_ASSIGN(first, run.number(0));
      HALYARD_TRY_ASSIGN(last, run.number(1));
    } else {
      HALYARD_TRY_ASSIGN(first, values.number(i));
      last = first;
    }
    if (last < first || last - first >= kMostIdentifiers - identifiers.size() ||
        last > std::numeric_limits<std::uint32_t>::max() >> shift ||
        base > std::numeric_limits<std::uint32_t>::max() - (last << shift))
      return values.error(i, "is no ascending run that fits 32 bits");
    for (std::uint32_t value = first; value <= last; ++value)
      identifiers.push_back(base + (value << shift));
  }
  if (!std::is_sorted(identifiers.begin(), identifiers.end()) ||
      std::adjacent_find(identifiers.begin(), identifiers.end()) != identifiers.end())
    return object.error("values", "are not ascending");
  return identifiers;
}

}  // namespace halyard::isa
