// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/open_postgres_store.h"
#include "tests/conformance/store/store_conformance.h"
#include "tests/postgres/postgres_server.h"

#include <vector>

namespace halyard::store {
namespace {

using halyard::testing::PostgresServer;

base::Result<std::unique_ptr<KernelStore>> open_on_server(
    const testing::TemporaryDirectory& directory) {
  PostgresServer* const server = PostgresServer::get();
  if (server == nullptr) {
    return base::Error(base::ErrorCode::kUnavailable, PostgresServer::why_not());
  }
  return open_postgres_store(server->database_of(directory.path()));
}

// Without a server there is nothing to run, where that is allowed.
std::vector<Engine> engines() {
  if (!PostgresServer::is_installed() && !halyard::testing::postgres_is_required()) return {};
  return {{"postgres", &open_on_server}};
}

TEST(PostgresConformance, HasAServer) {
  HALYARD_REQUIRE_POSTGRES(server);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StoreConformance);
INSTANTIATE_TEST_SUITE_P(Engines, StoreConformance, ::testing::ValuesIn(engines()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace halyard::store
