// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/document.h"

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/stream_parser.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

// The shortest text that reads back the same.
std::string number_text(double number) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

std::string scalar_text(const json::value& value) {
  if (value.is_null()) return "";
  if (const auto* text = value.if_string()) return std::string(*text);
  if (const double* number = value.if_double()) return number_text(*number);
  return json::serialize(value);
}

}  // namespace

json::object parse_document(std::string_view text, const std::string& source) {
  json::error_code error;
  json::stream_parser parser;
  const std::size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && read == text.size()) parser.finish(error);
  if (!error && text.find_first_not_of(" \t\r\n", read) != std::string_view::npos) {
    error = json::error::extra_data;
  }
  if (error) {
    const auto lines =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(read), '\n');
    throw std::runtime_error(source + " is not JSON: " + error.message() + " in line " +
                             std::to_string(lines + 1) + ".");
  }
  json::value value = parser.release();
  if (!value.is_object()) throw std::runtime_error(source + " is not a JSON object.");
  return std::move(value.as_object());
}

std::string read_file(const std::string& path) {
  constexpr std::uintmax_t kLimitBytes = 64U << 20;
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    throw std::runtime_error("File \"" + path + "\" is not a regular file.");
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kLimitBytes) {
    throw std::runtime_error("File \"" + path + "\" has " + std::to_string(size) +
                             " bytes, more than " + std::to_string(kLimitBytes) + ".");
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) {
    throw std::runtime_error("File \"" + path + "\" cannot be read: " + std::strerror(errno) + ".");
  }
  return text;
}

std::string text_of(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr ? scalar_text(*value) : "";
}

std::optional<double> number_of(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

const json::object& object_of(const json::object& object, std::string_view name) {
  static const json::object empty;
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_object() ? value->as_object() : empty;
}

const json::array& array_of(const json::object& object, std::string_view name) {
  static const json::array empty;
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_array() ? value->as_array() : empty;
}

std::string pairs_text(const json::object& object) {
  std::string text;
  for (const auto& [name, value] : object) {
    if (!text.empty()) text += ' ';
    text += std::string(name) + "=" + scalar_text(value);
  }
  return text;
}

std::string join(const json::array& array, std::string_view separator) {
  std::string text;
  for (const json::value& value : array) {
    if (!text.empty()) text += separator;
    text += scalar_text(value);
  }
  return text;
}

void print_document(const json::object& document) {
  std::cout << json::serialize(document) << '\n';
}

}  // namespace halyard::command_line
