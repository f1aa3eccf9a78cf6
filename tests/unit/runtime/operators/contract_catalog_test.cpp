// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/contract_catalog.h"

#include "tests/unit/runtime/operators/host_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace halyard::operators {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ContractCatalog, ListsTheBundledContracts) {
  EXPECT_THAT(*testing::catalog().names(),
              ElementsAre("add_rms_norm", "argmax", "attention_decode_paged", "cast",
                          "copy_strided", "embedding", "gemm", "kv_append_paged", "probe_fma",
                          "probe_read", "rms_norm", "rope", "silu_mul", "softmax"));
}

TEST(ContractCatalog, KeepsWhatItRead) {
  const ContractCatalog catalog(HALYARD_SOURCE_DIR "/kernel-store");
  std::vector<const Contract*> found(4);
  std::vector<std::thread> threads;
  for (const Contract*& each : found) {
    threads.emplace_back([&catalog, &each] { each = catalog.find("gemm")->get(); });
  }
  for (std::thread& thread : threads)
    thread.join();
  for (const Contract* each : found)
    EXPECT_EQ(found[0], each);
}

TEST(ContractCatalog, UnknownNameSuggestsTheNearest) {
  const auto missing = testing::catalog().find("rmsnorm");
  ASSERT_FALSE(missing);
  EXPECT_EQ(base::ErrorCode::kNotFound, missing.error().code());
  EXPECT_THAT(missing.error().message(), HasSubstr("Contract \"rmsnorm\" is unknown"));
  EXPECT_THAT(missing.error().message(), HasSubstr("\"rms_norm\""));
}

TEST(ContractCatalog, RefusesNamesThatLeaveTheDirectory) {
  for (const char* name : {"", "../gemm", "GEMM", "a/b", "gemm.json"}) {
    const auto refused = testing::catalog().find(name);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(base::ErrorCode::kInvalidArgument, refused.error().code());
  }
}

TEST(ContractCatalog, MissingDirectoryIsNamed) {
  const ContractCatalog catalog("/nonexistent");
  EXPECT_EQ(base::ErrorCode::kIoError, catalog.names().error().code());
  EXPECT_THAT(catalog.find("gemm").error().message(), HasSubstr("/nonexistent/contracts"));
}

}  // namespace
}  // namespace halyard::operators
