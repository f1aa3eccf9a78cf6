// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_rows.h"

#include <charconv>
#include <cstring>

namespace halyard::store {

std::size_t PostgresRows::size() const {
  return static_cast<std::size_t>(libpq_->PQntuples(result_.get()));
}

std::uint64_t PostgresRows::changed() const {
  const std::string_view count = libpq_->PQcmdTuples(result_.get());
  std::uint64_t number = 0;
  std::from_chars(count.data(), count.data() + count.size(), number);
  return number;
}

std::int64_t PostgresRows::integer(std::size_t row, int column) const {
  std::uint64_t number = 0;
  for (const std::byte byte : bytes(row, column))
    number = number << 8 | std::to_integer<std::uint64_t>(byte);
  return static_cast<std::int64_t>(number);
}

bool PostgresRows::boolean(std::size_t row, int column) const {
  return integer(row, column) != 0;
}

std::string_view PostgresRows::text(std::size_t row, int column) const {
  const std::span<const std::byte> found = bytes(row, column);
  return {reinterpret_cast<const char*>(found.data()), found.size()};
}

std::span<const std::byte> PostgresRows::bytes(std::size_t row, int column) const {
  const auto number = static_cast<int>(row);
  const char* const data = libpq_->PQgetvalue(result_.get(), number, column);
  const int length = libpq_->PQgetlength(result_.get(), number, column);
  return {reinterpret_cast<const std::byte*>(data), static_cast<std::size_t>(length)};
}

base::Sha256Digest PostgresRows::digest(std::size_t row, int column) const {
  base::Sha256Digest digest{};
  const std::span<const std::byte> found = bytes(row, column);
  if (found.size() == digest.size()) std::memcpy(digest.data(), found.data(), digest.size());
  return digest;
}

bool PostgresRows::is_null(std::size_t row, int column) const {
  return libpq_->PQgetisnull(result_.get(), static_cast<int>(row), column) != 0;
}

}  // namespace halyard::store
