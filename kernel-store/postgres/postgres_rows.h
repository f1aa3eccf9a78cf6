// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/postgres/libpq_library.h"
#include "runtime/base/sha256.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace halyard::store {

// What one statement gave, in the binary form of the protocol. Text and bytes live as long as it.
class PostgresRows {
 public:
  PostgresRows(const LibpqLibrary& libpq, PGresult* result)
      : libpq_(&libpq),
        result_(result, libpq.PQclear) {}

  std::size_t size() const;
  bool empty() const { return size() == 0; }
  // Rows that the statement inserted, updated or deleted.
  std::uint64_t changed() const;

  // Of a bigint.
  std::int64_t integer(std::size_t row, int column) const;
  bool boolean(std::size_t row, int column) const;
  std::string_view text(std::size_t row, int column) const;
  std::span<const std::byte> bytes(std::size_t row, int column) const;
  // Zeros when the column does not hold 32 bytes.
  base::Sha256Digest digest(std::size_t row, int column) const;
  bool is_null(std::size_t row, int column) const;

 private:
  const LibpqLibrary* libpq_;
  std::unique_ptr<PGresult, decltype(&::PQclear)> result_;
};

}  // namespace halyard::store
