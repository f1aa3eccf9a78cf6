// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/descriptor_list.h"

#include "tests/unit/runtime/inspection/catalog_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::services {
namespace {

using ::testing::HasSubstr;
using DescriptorListTest = testing::CatalogTest;

TEST_F(DescriptorListTest, EntriesSayKindBasisAndOrigin) {
  const std::string list = list_descriptors(catalog()).value();
  EXPECT_THAT(list, HasSubstr(R"("basis":"derived","id":"acme/a1","instruction_set":"acme/i1",)"
                              R"("kind":"architecture","name":"A1","origin":"shipped")"));
  EXPECT_THAT(list, HasSubstr(R"("id":"acme/i1","instructions":1)"));
  EXPECT_THAT(list, HasSubstr(R"("format":"halyard.descriptor_list/1")"));
}

TEST_F(DescriptorListTest, FileThatCannotBeReadHasItsSentenceAndHidesNoOther) {
  write("imported/acme/a2.descriptor.json", "{");
  write("imported/acme/i1.instruction_set.json", instruction_set_text("V_SUB"));
  const std::string list = list_descriptors(catalog()).value();
  EXPECT_THAT(list, HasSubstr(R"("error":)"));
  EXPECT_THAT(list, HasSubstr("a2.descriptor.json:1:"));
  EXPECT_THAT(list, HasSubstr(R"("name":"A1","origin":"shipped")"));
  EXPECT_THAT(list, HasSubstr(R"("instructions":1,"note":"","origin":"imported")"));
}

}  // namespace
}  // namespace halyard::services
