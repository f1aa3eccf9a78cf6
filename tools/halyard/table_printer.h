// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace halyard::command_line {

// Rows of cells in aligned columns under a line of titles, for people.
class TablePrinter {
 public:
  // A title that starts with '>' makes its column flush right.
  explicit TablePrinter(std::vector<std::string> titles);

  // Cells beyond the titles are refused; missing ones are empty.
  void add_row(std::vector<std::string> cells);
  void print(std::ostream& out, const std::string& indent = "") const;

 private:
  void print_row(std::ostream& out, const std::string& indent,
                 const std::vector<std::string>& cells) const;

  std::vector<std::string> titles_;
  std::vector<bool> right_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace halyard::command_line
