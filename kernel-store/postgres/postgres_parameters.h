// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/sha256.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

// The values of one statement in their order, in the binary form of the protocol. Text and bytes
// are borrowed until the statement ran; numbers and lists are kept here.
class PostgresParameters {
 public:
  PostgresParameters() = default;
  PostgresParameters(const PostgresParameters&) = delete;
  PostgresParameters& operator=(const PostgresParameters&) = delete;

  PostgresParameters& add(std::int64_t value);
  PostgresParameters& add(std::string_view text);
  PostgresParameters& add(const char* text) { return add(std::string_view(text)); }
  PostgresParameters& add(std::span<const std::byte> bytes);
  PostgresParameters& add(const base::Sha256Digest& digest) {
    return add(std::as_bytes(std::span(digest)));
  }
  PostgresParameters& add(std::span<const std::string_view> texts);
  PostgresParameters& add_null();

  // As libpq takes them.
  int count() const { return static_cast<int>(values_.size()); }
  const char* const* values() const { return values_.data(); }
  const int* lengths() const { return lengths_.data(); }
  const int* formats() const { return formats_.data(); }
  // False when a value is longer than the protocol takes (2 GiB).
  bool fits() const { return fits_; }

 private:
  void add_bytes(const char* data, std::size_t size);
  void keep(std::string encoded);

  std::vector<const char*> values_;
  std::vector<int> lengths_;
  std::vector<int> formats_;
  std::deque<std::string> kept_;
  bool fits_ = true;
};

}  // namespace halyard::store
