// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/table_printer.h"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace halyard::command_line {
namespace {

TEST(TablePrinter, AlignsColumnsAndLeavesNoSpaceAtTheEnd) {
  TablePrinter table({"name", ">time", "why"});
  table.add_row({"a", "12.5"});
  table.add_row({"longer", "3", "x"});
  std::ostringstream out;
  table.print(out, "  ");
  EXPECT_EQ(out.str(),
            "  name    time  why\n"
            "  a       12.5\n"
            "  longer     3  x\n");
}

TEST(TablePrinter, CountsLettersAndNotBytes) {
  TablePrinter table({"a", "b"});
  table.add_row({"\xc2\xb5s", "x"});
  std::ostringstream out;
  table.print(out);
  EXPECT_EQ(out.str(), "a   b\n\xc2\xb5s  x\n");
}

TEST(TablePrinter, CellKeepsToItsLine) {
  TablePrinter table({"a", "b"});
  table.add_row({"1\n2", "x"});
  std::ostringstream out;
  table.print(out);
  EXPECT_EQ(out.str(), "a         b\n1\\u000a2  x\n");
}

TEST(TablePrinter, RefusesMoreCellsThanTitles) {
  TablePrinter table({"a"});
  EXPECT_THROW(table.add_row({"1", "2"}), std::logic_error);
}

}  // namespace
}  // namespace halyard::command_line
