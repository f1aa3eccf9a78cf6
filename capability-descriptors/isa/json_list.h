// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/json.h"

#include <boost/json/array.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace halyard::isa {

// Reads the elements of a JSON array that have certain kinds, as base::JsonObject reads members.
// Borrows the array and the names; cheap to copy.
// Errors: kCorruptData, "<source>: <JSON pointer> <what>."
class JsonList {
 public:
  // The array member `name`; one that is absent is empty.
  static base::Result<JsonList> member(const base::JsonObject& object, std::string_view name);

  std::size_t size() const { return values_->size(); }
  bool is_list(std::size_t index) const { return (*values_)[index].is_array(); }
  bool is_null(std::size_t index) const { return (*values_)[index].is_null(); }
  base::Result<std::string_view> text(std::size_t index) const;
  base::Result<std::uint32_t> number(
      std::size_t index, std::uint32_t most = std::numeric_limits<std::uint32_t>::max()) const;
  base::Result<std::uint64_t> wide_number(std::size_t index) const;
  // An array of exactly `size` elements.
  base::Result<JsonList> list(std::size_t index, std::size_t size) const;
  base::Result<JsonList> list(std::size_t index) const;
  base::Result<base::JsonObject> object(std::size_t index) const;

  base::Error error(std::size_t index, std::string_view what) const;
  const std::string& path() const { return path_; }

 private:
  JsonList(const boost::json::array* values, std::string_view source_name, std::string path)
      : values_(values),
        source_name_(source_name),
        path_(std::move(path)) {}

  const boost::json::array* values_;
  std::string_view source_name_;
  std::string path_;
};

}  // namespace halyard::isa
