// SPDX-License-Identifier: Apache-2.0
#include "halyard/halyard.hpp"
#include "halyard/services/descriptor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace halyard {
namespace {

using ::testing::HasSubstr;

// The C functions as an application links them, on the shipped descriptors.
class DescriptorApiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "halyard_descriptor_api_XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    imported_ = folder_ + "/imported";
    halyard_descriptor_catalog_desc desc = HALYARD_DESCRIPTOR_CATALOG_DESC_INIT;
    desc.shipped_folder = HALYARD_SHIPPED_DESCRIPTORS;
    desc.imported_folder = imported_.c_str();
    ASSERT_EQ(halyard_descriptor_catalog_open(&desc, &catalog_), HALYARD_STATUS_OK);
  }
  void TearDown() override {
    halyard_descriptor_catalog_release(catalog_);
    std::filesystem::remove_all(folder_);
  }

  // The text of the document, or the sentence of the failure.
  template <typename Call, typename... Arguments>
  static std::string text_of(Call&& call, Arguments... arguments) {
    halyard_document* document = nullptr;
    if (call(arguments..., &document) != HALYARD_STATUS_OK) return halyard_last_error_message();
    std::string text = halyard_document_text(document);
    halyard_document_release(document);
    return text;
  }

  std::string folder_;
  std::string imported_;
  halyard_descriptor_catalog* catalog_ = nullptr;
};

TEST_F(DescriptorApiTest, EachFunctionGivesItsDocument) {
  EXPECT_THAT(text_of(halyard_descriptor_catalog_list, catalog_),
              HasSubstr(R"("id":"amd/gfx1100")"));
  EXPECT_THAT(text_of(halyard_descriptor_show, catalog_, "gfx1100"),
              HasSubstr(R"("format": "halyard.descriptor/1")"));
  EXPECT_THAT(text_of(halyard_descriptor_query, catalog_, "amd/gfx950", "lds.bytes_per_workgroup"),
              HasSubstr(R"("value":163840)"));
  EXPECT_THAT(text_of(halyard_descriptor_diff, catalog_, "amd/gfx1100", "amd/gfx1102"),
              HasSubstr(R"("key":"vgpr.per_simd","left":1536,"right":1024)"));
  const halyard_descriptor_facts_desc facts = HALYARD_DESCRIPTOR_FACTS_DESC_INIT;
  EXPECT_THAT(text_of(halyard_descriptor_facts, catalog_, "amd/gfx1100", &facts),
              HasSubstr("V_WMMA_F32_16X16X16_F16"));
}

TEST_F(DescriptorApiTest, ImportChangesWhatTheOpenCatalogGives) {
  const std::string path = folder_ + "/mine.json";
  std::ofstream(path) << R"({"format": "halyard.descriptor/1", "id": "acme/a1", "kind": "report",
      "version": "2026-01-01", "name": "A1", "vendor": "Acme", "capabilities": {}})";
  EXPECT_THAT(text_of(halyard_descriptor_check, path.c_str()), HasSubstr("acme/a1"));
  EXPECT_FALSE(std::filesystem::exists(imported_));
  EXPECT_THAT(text_of(halyard_descriptor_import, catalog_, path.c_str()), HasSubstr(imported_));
  EXPECT_THAT(text_of(halyard_descriptor_show, catalog_, "acme/a1"), HasSubstr("\"A1\""));
}

TEST_F(DescriptorApiTest, DocumentsAndCatalogsCountTheirReferences) {
  halyard_document* document = nullptr;
  ASSERT_EQ(halyard_descriptor_show(catalog_, "amd/gfx906", &document), HALYARD_STATUS_OK);
  halyard_document_retain(document);
  halyard_document_release(document);
  EXPECT_THAT(halyard_document_text(document), HasSubstr("gfx906"));
  halyard_document_release(document);
  halyard_document_release(nullptr);
  EXPECT_STREQ(halyard_document_text(nullptr), "");
  halyard_descriptor_catalog_retain(catalog_);
  halyard_descriptor_catalog_release(catalog_);
  halyard_descriptor_catalog_release(nullptr);
}

TEST_F(DescriptorApiTest, WrongArgumentsAreRefusedAndLeaveNoDocument) {
  halyard_document* document = reinterpret_cast<halyard_document*>(this);
  EXPECT_EQ(halyard_descriptor_show(catalog_, nullptr, &document), HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(document, nullptr);
  EXPECT_STREQ(halyard_last_error_message(), "id is NULL.");
  EXPECT_EQ(halyard_descriptor_show(nullptr, "amd/gfx906", &document),
            HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(halyard_descriptor_show(catalog_, "amd/gfx906", nullptr),
            HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(halyard_descriptor_facts(catalog_, "amd/gfx906", nullptr, &document),
            HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(halyard_descriptor_query(catalog_, "amd/gfx906", nullptr, &document),
            HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(halyard_descriptor_import(catalog_, nullptr, &document),
            HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(halyard_descriptor_check(nullptr, &document), HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(halyard_disassemble(catalog_, nullptr, nullptr, &document),
            HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(halyard_descriptor_show(catalog_, "amd/gfx9061", &document), HALYARD_STATUS_NOT_FOUND);
}

TEST_F(DescriptorApiTest, StructsOfOtherVersionsAreChecked) {
  halyard_descriptor_catalog* other = nullptr;
  halyard_descriptor_catalog_desc desc = HALYARD_DESCRIPTOR_CATALOG_DESC_INIT;
  desc.reserved = 7;
  EXPECT_EQ(halyard_descriptor_catalog_open(&desc, &other), HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(halyard_last_error_message(), "desc.reserved is 7, and must be 0.");
  desc = HALYARD_DESCRIPTOR_CATALOG_DESC_INIT;
  desc.struct_size = 4;
  EXPECT_EQ(halyard_descriptor_catalog_open(&desc, &other), HALYARD_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(other, nullptr);
}

TEST_F(DescriptorApiTest, ThreadsMayAskAtOnce) {
  std::vector<std::thread> threads;
  std::vector<std::string> answers(4);
  for (std::string& answer : answers) {
    threads.emplace_back(
        [&] { answer = text_of(halyard_descriptor_query, catalog_, "MI300X", "compute.units"); });
  }
  for (std::thread& thread : threads)
    thread.join();
  for (const std::string& answer : answers)
    EXPECT_THAT(answer, HasSubstr("\"value\":304"));
}

}  // namespace
}  // namespace halyard
