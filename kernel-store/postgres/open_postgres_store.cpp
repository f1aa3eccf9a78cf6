// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/open_postgres_store.h"

#include "kernel-store/open_store.h"
#include "kernel-store/postgres/postgres_schema.h"
#include "kernel-store/postgres/postgres_store.h"

#include <string>
#include <utility>

namespace halyard::store {

base::Result<std::unique_ptr<KernelStore>> open_postgres_store(std::string_view url) {
  if (url.find('\0') != std::string_view::npos) {
    return base::Error(base::ErrorCode::kInvalidArgument, "The store's URL holds a NUL byte.");
  }
  HALYARD_TRY_ASSIGN(const LibpqLibrary libpq, LibpqLibrary::load());
  HALYARD_TRY_ASSIGN(PostgresUrl parsed, parse_postgres_url(libpq, std::string(url)));
  return std::unique_ptr<KernelStore>(
      std::make_unique<PostgresStore>(libpq, std::move(parsed), postgres_migrations()));
}

base::Result<std::unique_ptr<KernelStore>> open_any_store(std::string_view url) {
  if (url.starts_with("postgresql:") || url.starts_with("postgres:")) {
    return open_postgres_store(url);
  }
  return open_store(url);
}

}  // namespace halyard::store
