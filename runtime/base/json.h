// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::base {

struct JsonLimits {
  std::size_t size_bytes = std::size_t{16} << 20;
  std::size_t depth = 64;
};

// Parses one JSON document (RFC 8259, valid UTF-8, no byte order mark). Refused besides: repeated
// keys, nesting or size beyond `limits`, numbers beyond a double, integers beyond 64 bits.
// Fractions round to the nearest double.
//
// Errors: kCorruptData, as "<source_name>:<line>:<column>: <sentence>", both counted from 1,
// columns in bytes; a document that is too large has no line.
Result<boost::json::value> parse_json(std::string_view text, std::string_view source_name,
                                      const JsonLimits& limits = {});

struct IntegerRange {
  std::int64_t minimum = std::numeric_limits<std::int64_t>::min();
  std::int64_t maximum = std::numeric_limits<std::int64_t>::max();
};

// Reads the members of a JSON object that must have a certain form. Borrows the value; cheap to
// copy.
//
// Errors: kCorruptData, one sentence that starts with the source and the JSON pointer of what is
// wrong: "kernel.json: /stages/0/entry is missing." A member that is null is an error too.
class JsonObject {
 public:
  // `path` is the JSON pointer of `value` in its document, empty for the whole.
  static Result<JsonObject> from(const boost::json::value& value, std::string_view source_name,
                                 std::string path = {});

  bool has(std::string_view name) const { return find(name) != nullptr; }
  // The member, or NULL.
  const boost::json::value* find(std::string_view name) const;
  // The JSON pointer of a member, or of an element of an array member.
  std::string path_of(std::string_view name) const;
  std::string path_of(std::string_view name, std::size_t index) const;
  const std::string& path() const { return path_; }
  const std::string& source_name() const { return source_name_; }
  const boost::json::object& members() const { return *members_; }

  Result<std::string> required_string(std::string_view name) const;
  Result<std::string> optional_string(std::string_view name, std::string_view otherwise) const;
  // A string that is one of `choices`.
  Result<std::string> required_choice(std::string_view name,
                                      std::span<const std::string_view> choices) const;
  Result<std::string> optional_choice(std::string_view name,
                                      std::span<const std::string_view> choices,
                                      std::string_view otherwise) const;
  // A number without fraction (1.0 is one) within `range`.
  Result<std::int64_t> required_integer(std::string_view name, IntegerRange range = {}) const;
  Result<std::int64_t> optional_integer(std::string_view name, std::int64_t otherwise,
                                        IntegerRange range = {}) const;
  Result<double> required_number(std::string_view name) const;
  Result<double> optional_number(std::string_view name, double otherwise) const;
  Result<bool> required_boolean(std::string_view name) const;
  Result<bool> optional_boolean(std::string_view name, bool otherwise) const;
  Result<JsonObject> required_object(std::string_view name) const;
  Result<std::optional<JsonObject>> optional_object(std::string_view name) const;
  // Never NULL; borrowed from the document.
  Result<const boost::json::array*> required_array(std::string_view name) const;
  // NULL when absent.
  Result<const boost::json::array*> optional_array(std::string_view name) const;
  // Arrays of one kind; an absent optional one is empty.
  Result<std::vector<JsonObject>> required_objects(std::string_view name) const;
  Result<std::vector<JsonObject>> optional_objects(std::string_view name) const;
  Result<std::vector<std::string>> required_strings(std::string_view name) const;
  Result<std::vector<std::string>> optional_strings(std::string_view name) const;

  // Fails on the first member that is not in `known`, naming the nearest known name.
  Status refuse_unknown_keys(std::span<const std::string_view> known) const;
  Status refuse_unknown_keys(std::initializer_list<std::string_view> known) const;

  // An error about the member `name`: "<source>: <path of name> <what>."
  Error error(std::string_view name, std::string_view what) const;
  // An error about the object itself.
  Error error_here(std::string_view what) const;

 private:
  JsonObject(const boost::json::object* members, std::string_view source_name, std::string path)
      : members_(members),
        source_name_(source_name),
        path_(std::move(path)) {}

  Result<const boost::json::value*> require(std::string_view name) const;
  Error wrong_kind(std::string_view name, const boost::json::value& found,
                   std::string_view expected) const;

  const boost::json::object* members_;
  std::string source_name_;
  std::string path_;
};

// "null", "a boolean", "a number", "a string", "an array" or "an object".
std::string_view json_kind_name(const boost::json::value& value);

}  // namespace halyard::base
