// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/postgres/libpq_library.h"
#include "runtime/base/result.h"

#include <string>

namespace halyard::store {

// Where a server is, as libpq reads it.
struct PostgresUrl {
  std::string text;     // As given; it may hold a password.
  std::string visible;  // The same without passwords, for people and messages.
};

// Errors: kInvalidArgument for a URL that libpq does not read; the sentence repeats none of it.
base::Result<PostgresUrl> parse_postgres_url(const LibpqLibrary& libpq, const std::string& url);

}  // namespace halyard::store
