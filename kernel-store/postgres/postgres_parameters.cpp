// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_parameters.h"

#include <limits>
#include <utility>

namespace halyard::store {
namespace {

constexpr std::uint32_t kTextType = 25;  // The server's number of the type text.
constexpr int kBinary = 1;

template <typename Number>
void append_big_endian(std::string& out, Number number) {
  for (int shift = static_cast<int>(sizeof(Number) - 1) * 8; shift >= 0; shift -= 8)
    out += static_cast<char>((number >> shift) & 0xff);
}

}  // namespace

void PostgresParameters::add_bytes(const char* data, std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    fits_ = false;
    size = 0;
  }
  values_.push_back(data != nullptr ? data : "");  // NULL stands for no value.
  lengths_.push_back(static_cast<int>(size));
  formats_.push_back(kBinary);
}

void PostgresParameters::keep(std::string encoded) {
  kept_.push_back(std::move(encoded));
  add_bytes(kept_.back().data(), kept_.back().size());
}

PostgresParameters& PostgresParameters::add(std::int64_t value) {
  std::string encoded;
  append_big_endian(encoded, static_cast<std::uint64_t>(value));
  keep(std::move(encoded));
  return *this;
}

PostgresParameters& PostgresParameters::add(std::string_view text) {
  add_bytes(text.data(), text.size());
  return *this;
}

PostgresParameters& PostgresParameters::add(std::span<const std::byte> bytes) {
  add_bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return *this;
}

// An array of one dimension: dimensions, whether there are NULLs, type; length and first index;
// each element with its length.
PostgresParameters& PostgresParameters::add(std::span<const std::string_view> texts) {
  std::string encoded;
  append_big_endian(encoded, std::uint32_t{texts.empty() ? 0U : 1U});
  append_big_endian(encoded, std::uint32_t{0});
  append_big_endian(encoded, kTextType);
  if (!texts.empty()) {
    append_big_endian(encoded, static_cast<std::uint32_t>(texts.size()));
    append_big_endian(encoded, std::uint32_t{1});
  }
  for (const std::string_view text : texts) {
    append_big_endian(encoded, static_cast<std::uint32_t>(text.size()));
    encoded += text;
  }
  keep(std::move(encoded));
  return *this;
}

PostgresParameters& PostgresParameters::add_null() {
  values_.push_back(nullptr);
  lengths_.push_back(0);
  formats_.push_back(kBinary);
  return *this;
}

}  // namespace halyard::store
