// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace halyard::command_line {

// A document of the library or of a file; `source` names it in the sentence of a failure.
boost::json::object parse_document(std::string_view text, const std::string& source);

std::string read_file(const std::string& path);

// A member as text: booleans and whole numbers as JSON writes them, other numbers in the shortest
// form; "" where there is none or null.
std::string text_of(const boost::json::object& object, std::string_view name);

// A member as number; nothing where there is none or null.
std::optional<double> number_of(const boost::json::object& object, std::string_view name);

// A member as object or array; an empty one where there is none.
const boost::json::object& object_of(const boost::json::object& object, std::string_view name);
const boost::json::array& array_of(const boost::json::object& object, std::string_view name);

// "T=bf16 S=f32" of an object's members.
std::string pairs_text(const boost::json::object& object);

// The elements of an array of scalars, between `separator`.
std::string join(const boost::json::array& array, std::string_view separator);

// Prints one line of JSON to stdout.
void print_document(const boost::json::object& document);

}  // namespace halyard::command_line
