// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "runtime/base/result.h"

#include <memory>
#include <string_view>

namespace halyard::store {

// Opens a store on a PostgreSQL server: "postgresql://…". The server is touched at the first verb.
// Errors: kInvalidArgument for a URL that libpq does not read; kUnavailable without libpq.
base::Result<std::unique_ptr<KernelStore>> open_postgres_store(std::string_view url);

// As open_store(), which it asks for every other URL, with "postgresql://…" and "postgres://…".
base::Result<std::unique_ptr<KernelStore>> open_any_store(std::string_view url);

}  // namespace halyard::store
