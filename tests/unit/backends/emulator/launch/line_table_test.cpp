// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/line_table.h"

#include "capability-descriptors/object/elf_file.h"
#include "tests/unit/backends/emulator/emulator_fixture.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace halyard::emulator {
namespace {

class LineTableTest : public ::testing::Test {
 protected:
  LineTableTest()
      : bytes_(testing::file_bytes(std::string(HALYARD_TEST_OBJECTS) + "/lines.gfx1100.hsaco")) {
    const std::string_view text(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
    const auto elf = object::parse_elf_file(text, "lines");
    EXPECT_TRUE(elf);
    for (const object::ElfSection& section : elf->sections) {
      if (section.name == ".debug_line") lines_ = section.bytes;
      if (section.name == ".debug_line_str") names_ = section.bytes;
      if (section.name == ".text") code_ = section.address;
    }
  }

  std::vector<std::byte> bytes_;
  std::string lines_;
  std::string names_;
  std::uint64_t code_ = 0;
};

TEST_F(LineTableTest, KnowsFileAndLineOfCode) {
  const LineTable table = LineTable::read(lines_, names_, {});
  const std::string line = table.find(code_);
  EXPECT_TRUE(line.starts_with("lines.hip:")) << line;
}

TEST_F(LineTableTest, KnowsNoLineOutsideOfTheCode) {
  const LineTable table = LineTable::read(lines_, names_, {});
  EXPECT_EQ(table.find(code_ - 4), "");
  EXPECT_EQ(table.find(code_ + (1 << 20)), "");
  EXPECT_EQ(LineTable().find(code_), "");
}

TEST_F(LineTableTest, ReportNamesTheLine) {
  const auto object =
      testing::load_object("gfx1100", std::string(HALYARD_TEST_OBJECTS) + "/lines.gfx1100.hsaco");
  LaunchDesc desc;
  desc.block = {32, 1, 1};
  std::vector<std::uint32_t> out(32);
  desc.arguments = {testing::memory("out", out)};
  const LaunchOutcome outcome = testing::run(*object, "store_beyond", desc);
  ASSERT_TRUE(outcome.report);
  EXPECT_EQ(outcome.report->source, "lines.hip:6");
}

TEST_F(LineTableTest, TakesBytesThatAreCutOff) {
  for (std::size_t size = 0; size < lines_.size(); ++size)
    LineTable::read(std::string_view(lines_).substr(0, size), names_, {}).find(code_);
}

TEST_F(LineTableTest, TakesAnyBytes) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string changed = lines_;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      LineTable::read(changed, names_, {}).find(code_);
    }
  }
}

}  // namespace
}  // namespace halyard::emulator
