// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/import_folder.h"

#include "tests/unit/runtime/inspection/catalog_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace halyard::services {
namespace {

using ::testing::HasSubstr;

class ImportFolderTest : public testing::CatalogTest {
 protected:
  Subject subject(const std::string& name) const {
    Subject found = catalog().find("acme/a1").value();
    std::get<descriptors::Descriptor>(found).name = name;
    return found;
  }

  std::size_t files_in(const std::string& name) const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path(name)), {}));
  }
};

TEST_F(ImportFolderTest, DocumentIsFoundByTheCatalogAndReplacedByTheNext) {
  const Subject first = subject("First");
  const auto stored = store_documents(path("imported"), {&first}).value();
  ASSERT_EQ(stored.size(), 1U);
  EXPECT_EQ(stored[0].path, path("imported/acme/a1.descriptor.json"));
  EXPECT_FALSE(stored[0].replaced);
  EXPECT_EQ(catalog().find_descriptor("acme/a1").value().name, "First");
  const Subject second = subject("Second");
  EXPECT_TRUE(store_documents(path("imported"), {&second}).value()[0].replaced);
  EXPECT_EQ(catalog().find_descriptor("acme/a1").value().name, "Second");
  EXPECT_EQ(files_in("imported/acme"), 1U);
}

TEST_F(ImportFolderTest, OneDocumentThatCannotBeWrittenKeepsAllOldOnes) {
  const Subject old = subject("Old");
  ASSERT_TRUE(store_documents(path("imported"), {&old}));
  const Subject fine = subject("New");
  Subject other = subject("Other");
  std::get<descriptors::Descriptor>(other).id = "bolt/b1";
  write("imported/bolt", "a file where the folder of a vendor would be");
  const auto stored = store_documents(path("imported"), {&fine, &other});
  ASSERT_FALSE(stored);
  EXPECT_THAT(stored.error().message(), HasSubstr("imported/bolt"));
  EXPECT_EQ(catalog().find_descriptor("acme/a1").value().name, "Old");
  EXPECT_EQ(files_in("imported/acme"), 1U);
}

// It would stand over a shipped one.
TEST_F(ImportFolderTest, DocumentThatTheCatalogWouldNotReadIsNotStored) {
  const Subject broken = subject("A\x1b[2J");
  const auto stored = store_documents(path("imported"), {&broken});
  ASSERT_FALSE(stored);
  EXPECT_THAT(stored.error().message(), HasSubstr("/name holds a control character"));
  Subject large = catalog().find("acme/i1").value();
  std::get<isa::InstructionSet>(large).note = std::string(17 << 20, 'a');
  const auto other = store_documents(path("imported"), {&large});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_THAT(other.error().message(), HasSubstr("The document of acme/i1 has 178"));
  EXPECT_THAT(other.error().message(), HasSubstr(" bytes; the most is 16777216."));
  EXPECT_FALSE(std::filesystem::exists(path("imported")));
}

TEST_F(ImportFolderTest, WhatAnEndedProcessLeftIsRemoved) {
  write("imported/acme/a1.descriptor.json.123-0.new", "half");
  const Subject document = subject("Whole");
  ASSERT_TRUE(store_documents(path("imported"), {&document}));
  EXPECT_EQ(files_in("imported/acme"), 1U);
}

TEST_F(ImportFolderTest, AnotherImportIsWaitedForAndThenNamed) {
  const Subject document = subject("Late");
  ASSERT_TRUE(store_documents(path("imported"), {&document}));
  const int file = ::open(path("imported/.lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::flock(file, LOCK_EX), 0);
  const auto stored = store_documents(path("imported"), {&document}, std::chrono::milliseconds(50));
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_EQ(stored.error().message(),
            "Another process has imported into \"" + path("imported") + "\" for more than 50 ms.");
  ::close(file);
  EXPECT_TRUE(store_documents(path("imported"), {&document}));
}

TEST_F(ImportFolderTest, IdThatIsNoFileNameIsRefused) {
  for (const char* const id :
       {"a1", "../a1", "acme/../a1", "acme/a 1", "acme/", "/a1", "ACME/a1"}) {
    Subject document = subject("X");
    std::get<descriptors::Descriptor>(document).id = id;
    const auto stored = store_documents(path("imported"), {&document});
    ASSERT_FALSE(stored) << id;
    EXPECT_EQ(stored.error().code(), base::ErrorCode::kInvalidArgument) << id;
  }
  EXPECT_FALSE(std::filesystem::exists(path("imported")));
}

}  // namespace
}  // namespace halyard::services
