// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/isa_file.h"

#include "tests/unit/capability-descriptors/isa/test_data.h"

#include <gtest/gtest.h>

#include <zip.h>

#include <filesystem>
#include <fstream>

namespace halyard::isa {
namespace {

struct PackedFile {
  std::string name;
  std::string text;
  bool encrypted = false;
};

class IsaFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("isa_file_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(std::string_view name) const { return (folder_ / name).string(); }

  std::string write(std::string_view name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  std::string pack(std::string_view name, const std::vector<PackedFile>& files) const {
    int failed = 0;
    zip_t* const archive = zip_open(path(name).c_str(), ZIP_CREATE | ZIP_TRUNCATE, &failed);
    EXPECT_NE(archive, nullptr);
    for (const PackedFile& file : files) {
      zip_source_t* const source =
          zip_source_buffer(archive, file.text.data(), file.text.size(), 0);
      const zip_int64_t index = zip_file_add(archive, file.name.c_str(), source, ZIP_FL_ENC_CP437);
      EXPECT_GE(index, 0);
      if (file.encrypted) {
        EXPECT_EQ(zip_file_set_encryption(archive, static_cast<zip_uint64_t>(index), ZIP_EM_AES_256,
                                          "secret"),
                  0);
      }
    }
    EXPECT_EQ(zip_close(archive), 0);
    return path(name);
  }

  static std::string failure(const std::string& path, const IsaFileLimits& limits = {}) {
    const auto sets = read_isa_file(path, limits);
    return sets ? "accepted" : sets.error().message();
  }

  std::filesystem::path folder_;
};

TEST_F(IsaFile, XmlFileGivesOneSet) {
  const auto sets = read_isa_file(write("amdgpu_isa_x.xml", isa_fixture("compact.xml")));
  ASSERT_TRUE(sets) << sets.error().message();
  ASSERT_EQ(sets->size(), 1U);
  EXPECT_EQ((*sets)[0].id, "amd/rdna9_5");
  EXPECT_EQ((*sets)[0].sources[0].title, "amdgpu_isa_x.xml");
}

TEST_F(IsaFile, ArchiveGivesOneSetForEachXmlFile) {
  const auto sets = read_isa_file(pack("isa.zip", {{"README.txt", "Read me."},
                                                   {"bundle/one.XML", isa_fixture("compact.xml")},
                                                   {"../../two.xml", isa_fixture("long.xml")}}));
  ASSERT_TRUE(sets) << sets.error().message();
  ASSERT_EQ(sets->size(), 2U);
  EXPECT_EQ((*sets)[0].id, "amd/rdna9_5");
  EXPECT_EQ((*sets)[1].id, "amd/cdna3");
  EXPECT_EQ((*sets)[1].sources[0].title, "two.xml");
}

TEST_F(IsaFile, OneBadFileFailsTheArchive) {
  EXPECT_EQ(failure(pack("isa.zip", {{"good.xml", isa_fixture("compact.xml")},
                                     {"b\na\x01"
                                      "d.xml",
                                      "<Spec>"}})),
            "isa.zip/b???a???d.xml: /Spec is not closed where the text ends, at byte 6.");
}

TEST_F(IsaFile, TwoFilesOfOneArchitectureAreRefused) {
  EXPECT_EQ(failure(pack("isa.zip", {{"a.xml", isa_fixture("compact.xml")},
                                     {"b.xml", isa_fixture("compact.xml")}})),
            "isa.zip: b.xml and a.xml are both about amd/rdna9_5.");
}

TEST_F(IsaFile, LimitsOfArchivesAreNamed) {
  const std::string archive =
      pack("isa.zip", {{"a.xml", isa_fixture("compact.xml")}, {"b.txt", "text"}});
  const std::string size = std::to_string(isa_fixture("compact.xml").size());
  IsaFileLimits limits;
  limits.entries = 1;
  EXPECT_EQ(failure(archive, limits), "isa.zip: The archive has 2 entries; the most is 1.");
  limits = {};
  limits.entry_bytes = 100;
  EXPECT_EQ(failure(archive, limits), "isa.zip: a.xml has " + size + " bytes; the most is 100.");
  limits = {};
  limits.unpacked_bytes = 100;
  EXPECT_EQ(failure(archive, limits), "isa.zip: The archive unpacks to more than 100 bytes.");
}

TEST_F(IsaFile, BombIsRefusedByItsRatio) {
  const std::string message =
      failure(pack("isa.zip", {{"bomb.xml", std::string(std::size_t{16} << 20, ' ')}}));
  EXPECT_EQ(message.substr(0, 25), "isa.zip: bomb.xml unpacks");
  EXPECT_NE(message.find("to 16777216; the most is 400 times."), std::string::npos) << message;
}

TEST_F(IsaFile, ArchiveWithoutXmlIsRefused) {
  EXPECT_EQ(failure(pack("isa.zip", {{"a.txt", "text"}})), "isa.zip: The archive has no XML file.");
}

TEST_F(IsaFile, EncryptedEntryIsRefused) {
  EXPECT_EQ(failure(pack("isa.zip", {{"a.xml", isa_fixture("compact.xml"), true}})),
            "isa.zip: a.xml is encrypted.");
}

TEST_F(IsaFile, DamagedArchivesAreRefused) {
  const std::string archive = pack("isa.zip", {{"a.xml", isa_fixture("compact.xml")}});
  std::ifstream stream(archive, std::ios::binary);
  std::string bytes = {std::istreambuf_iterator<char>(stream), {}};
  EXPECT_NE(failure(write("cut.zip", bytes.substr(0, bytes.size() / 2)))
                .find("cut.zip: The archive cannot be read: "),
            std::string::npos);
  // A byte of the packed text, which goes on past its end now.
  bytes[200] = static_cast<char>(bytes[200] ^ 0x55);
  EXPECT_NE(failure(write("bad.zip", bytes)).find("bad.zip: a.xml unpacks to more bytes than "),
            std::string::npos);
}

// The directory at the end of an archive says how large each file is.
TEST_F(IsaFile, EntryOfAnotherSizeThanStatedIsRefused) {
  const std::string text = isa_fixture("compact.xml");
  const std::string archive = pack("isa.zip", {{"a.xml", text}});
  std::ifstream stream(archive, std::ios::binary);
  std::string bytes = {std::istreambuf_iterator<char>(stream), {}};
  const std::size_t size = bytes.rfind("PK\x01\x02") + 24;
  const auto with_size = [&](std::size_t stated) {
    std::string changed = bytes;
    for (std::size_t i = 0; i < 4; ++i)
      changed[size + i] = static_cast<char>(stated >> (8 * i) & 0xff);
    return failure(write("lie.zip", changed));
  };
  EXPECT_EQ(with_size(100),
            "lie.zip: a.xml unpacks to more bytes than the 100 that the archive states.");
  EXPECT_EQ(with_size(text.size() + 1), "lie.zip: a.xml unpacks to fewer bytes than the " +
                                            std::to_string(text.size() + 1) +
                                            " that the archive states.");
}

TEST_F(IsaFile, MissingFileIsNotFound) {
  const auto sets = read_isa_file(path("none.xml"));
  ASSERT_FALSE(sets);
  EXPECT_EQ(sets.error().code(), base::ErrorCode::kNotFound);
}

}  // namespace
}  // namespace halyard::isa
