// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_error.h"

#include <array>

namespace halyard::store {

using base::ErrorCode;

ErrorCode error_code_of_sqlstate(std::string_view sqlstate) {
  struct Meaning {
    std::string_view begin;  // Of the code.
    ErrorCode code;
  };
  // The first that matches counts.
  static constexpr auto kMeanings = std::to_array<Meaning>({
      {"08", ErrorCode::kUnavailable},          // connection exceptions
      {"22", ErrorCode::kInvalidArgument},      // data exceptions
      {"25006", ErrorCode::kPermissionDenied},  // read-only transaction: a standby server
      {"28", ErrorCode::kPermissionDenied},     // authorization
      {"3D000", ErrorCode::kNotFound},          // no such database
      {"40", ErrorCode::kUnavailable},          // rolled back: deadlock, serialization
      {"42501", ErrorCode::kPermissionDenied},  // grants and row security
      {"42P01", ErrorCode::kCorruptData},       // a table is not there
      {"42703", ErrorCode::kCorruptData},       // a column is not there
      {"53200", ErrorCode::kOutOfMemory},       //
      {"53300", ErrorCode::kUnavailable},       // too many connections
      {"53", ErrorCode::kIoError},              // disk full, and the like
      {"54", ErrorCode::kInvalidArgument},      // beyond a limit of the program
      {"55P03", ErrorCode::kUnavailable},       // lock not available
      {"57", ErrorCode::kUnavailable},          // statement timeout, shutdown, terminated
      {"58", ErrorCode::kIoError},              // system error
      {"XX001", ErrorCode::kCorruptData},       // data corrupted
      {"XX002", ErrorCode::kCorruptData},       // index corrupted
  });
  if (sqlstate.empty()) return ErrorCode::kUnavailable;
  for (const Meaning& meaning : kMeanings) {
    if (sqlstate.starts_with(meaning.begin)) return meaning.code;
  }
  return ErrorCode::kInternal;
}

std::string single_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!is_space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '.'))
    line.pop_back();
  return line;
}

}  // namespace halyard::store
