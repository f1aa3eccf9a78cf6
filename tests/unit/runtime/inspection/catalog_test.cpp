// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/catalog.h"

#include "runtime/inspection/document_json.h"
#include "tests/unit/runtime/inspection/catalog_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::services {
namespace {

using ::testing::HasSubstr;
using InspectionCatalogTest = testing::CatalogTest;

std::string id_of(const Catalog& catalog, std::string_view name) {
  const auto subject = catalog.find(name);
  return subject ? subject_id(*subject) : subject.error().message();
}

TEST_F(InspectionCatalogTest, DescriptorsAndInstructionSetsAreFoundByTheirNames) {
  EXPECT_EQ(id_of(catalog(), "acme/a1"), "acme/a1");
  EXPECT_EQ(id_of(catalog(), "A1"), "acme/a1");
  EXPECT_EQ(id_of(catalog(), "acmecode-a1"), "acme/a1");
  EXPECT_EQ(id_of(catalog(), "acme/i1"), "acme/i1");
  EXPECT_EQ(id_of(catalog(), "I_1"), "acme/i1");
}

TEST_F(InspectionCatalogTest, UnknownNameIsToldTheNearest) {
  EXPECT_THAT(id_of(catalog(), "acme/a2"), HasSubstr("\"acme/a2\"; the nearest is \"acme/a1\""));
  EXPECT_EQ(catalog().find("toaster").error().code(), base::ErrorCode::kNotFound);
}

TEST_F(InspectionCatalogTest, ImportedDescriptorStandsOverTheShippedOneAtOnce) {
  const Catalog open = catalog();
  EXPECT_EQ(open.find_descriptor("acme/a1").value().name, "A1");
  const std::string imported = write("imported/acme/a1.descriptor.json", descriptor_text("A1 new"));
  EXPECT_EQ(open.find_descriptor("acme/a1").value().name, "A1 new");
  EXPECT_EQ(open.origin_of(imported), SubjectOrigin::kImported);
  EXPECT_EQ(open.origin_of(path("shipped/acme/a1.descriptor.json")), SubjectOrigin::kShipped);
}

TEST_F(InspectionCatalogTest, InstructionSetIsNoDescriptorAndItsUsersAreNamed) {
  const auto descriptor = catalog().find_descriptor("acme/i1");
  ASSERT_FALSE(descriptor);
  EXPECT_EQ(descriptor.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(descriptor.error().message(),
            "\"acme/i1\" is an instruction set, not a descriptor; it is the one of acme/a1.");
}

TEST_F(InspectionCatalogTest, BrokenCorrectionsAreNamedWhereAnInstructionSetIsAskedFor) {
  EXPECT_TRUE(catalog().find("acme/i1"));
  write("shipped/acme/corrections.json", "{}");
  const auto set = catalog().find("acme/i1");
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().message(), HasSubstr("acme/corrections.json"));
}

}  // namespace
}  // namespace halyard::services
