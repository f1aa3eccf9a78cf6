// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/file.h"
#include "runtime/inspection/catalog.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>

namespace halyard::services::testing {

// A folder of shipped descriptors with one architecture, and an empty folder of imports.
class CatalogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "halyard_catalog_XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    write("shipped/acme/a1.descriptor.json", descriptor_text("A1"));
    write("shipped/acme/i1.instruction_set.json", instruction_set_text("V_ADD"));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::string descriptor_text(const std::string& name) {
    return R"({"format": "halyard.descriptor/1", "id": "acme/a1", "kind": "architecture",
               "version": "2026-01-01", "name": ")" +
           name + R"(", "vendor": "Acme", "targets": ["acmecode-a1"],
               "instruction_set": "acme/i1", "sources": [{"title": "Data sheet"}],
               "capabilities": {
                 "subgroup.size": {"value": 32, "unit": "lane", "origin": "documented",
                                   "source": "Data sheet"},
                 "vendor.acme.sparks": {"value": true, "origin": "documented",
                                        "source": "Data sheet"}}})";
  }

  static std::string instruction_set_text(const std::string& instruction);

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string whole = path(name);
    EXPECT_TRUE(base::make_private_directories(whole.substr(0, whole.rfind('/'))));
    EXPECT_TRUE(base::write_file_atomic(whole, text));
    return whole;
  }

  std::string read(const std::string& name) const {
    return base::read_text_file(path(name), 1 << 20).value_or("");
  }

  Catalog catalog() const { return Catalog::open(path("shipped"), path("imported")).value(); }

  std::string folder_;
};

}  // namespace halyard::services::testing
