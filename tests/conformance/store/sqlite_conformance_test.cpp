// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/open_store.h"
#include "tests/conformance/store/store_conformance.h"

namespace halyard::store {
namespace {

Engine sqlite_engine() {
  return {"sqlite", [](const testing::TemporaryDirectory& directory) {
            return open_store("sqlite:" + (directory / "store.sqlite"));
          }};
}

Engine memory_engine() {
  return {"memory", [](const testing::TemporaryDirectory&) { return open_store("memory:"); },
          false};
}

INSTANTIATE_TEST_SUITE_P(Engines, StoreConformance,
                         ::testing::Values(sqlite_engine(), memory_engine()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace halyard::store
