// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/postgres/postgres_connection.h"
#include "kernel-store/postgres/postgres_store.h"

#include <memory>
#include <span>
#include <string>

namespace halyard::store::testing {

// What talks to the server of the tests; a failure to load libpq ends the test program.
std::unique_ptr<PostgresConnection> make_connection(const std::string& url);
std::unique_ptr<PostgresStore> make_store(const std::string& url);
// A store as a client of another version opens it.
std::unique_ptr<PostgresStore> make_store(const std::string& url,
                                          std::span<const char* const> migrations);

}  // namespace halyard::store::testing
