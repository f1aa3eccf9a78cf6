// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/capability_query.h"

#include "tests/unit/runtime/inspection/catalog_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::services {
namespace {

using ::testing::HasSubstr;

class CapabilityQueryTest : public testing::CatalogTest {
 protected:
  base::Result<std::string> query(std::string_view key) const {
    return query_capability(catalog().find_descriptor("acme/a1").value(), key);
  }
};

TEST_F(CapabilityQueryTest, ValueComesWithUnitOriginAndSource) {
  EXPECT_THAT(query("subgroup.size").value(),
              HasSubstr(R"("key":"subgroup.size","known":true,"meaning":)"));
  EXPECT_THAT(
      query("subgroup.size").value(),
      HasSubstr(R"("origin":"documented","source":"Data sheet","unit":"lane","value":32})"));
  EXPECT_THAT(query("vendor.acme.sparks").value(), HasSubstr(R"("value":true)"));
}

TEST_F(CapabilityQueryTest, UnknownValueIsNoError) {
  const auto text = query("memory.total_bytes");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr(R"("known":false)"));
  EXPECT_THAT(*text, HasSubstr(R"("unit":"byte","value":null)"));
}

TEST_F(CapabilityQueryTest, AliasAnswersWithTheKeysOwnName) {
  EXPECT_THAT(query("lds.bytes_per_workgroup").value(), HasSubstr(R"("key":"limit.shared_bytes")"));
}

TEST_F(CapabilityQueryTest, UnknownKeyIsAnErrorWithTheNearest) {
  const auto known = query("subgroup.sise");
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(known.error().message(),
            "There is no capability key \"subgroup.sise\"; the nearest is \"subgroup.size\".");
  EXPECT_THAT(query("shared_bytes").error().message(),
              HasSubstr("the nearest are \"limit.shared_bytes\" and "));
  EXPECT_THAT(query("vendor.acme.spark").error().message(), HasSubstr("vendor.acme.sparks"));
}

}  // namespace
}  // namespace halyard::services
