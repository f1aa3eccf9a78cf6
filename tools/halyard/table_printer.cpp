// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/table_printer.h"

#include "tools/halyard/shown_text.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <utility>

namespace halyard::command_line {
namespace {

// Code points of UTF-8; the texts here have no wide characters.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

TablePrinter::TablePrinter(std::vector<std::string> titles) : titles_(std::move(titles)) {
  for (std::string& title : titles_) {
    const bool right = title.starts_with('>');
    if (right) title.erase(0, 1);
    right_.push_back(right);
    widths_.push_back(width(title));
  }
}

void TablePrinter::add_row(std::vector<std::string> cells) {
  if (cells.size() > titles_.size()) throw std::logic_error("A row has more cells than columns.");
  cells.resize(titles_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = shown_text(cells[i]);
    widths_[i] = std::max(widths_[i], width(cells[i]));
  }
  rows_.push_back(std::move(cells));
}

void TablePrinter::print(std::ostream& out, const std::string& indent) const {
  print_row(out, indent, titles_);
  for (const auto& row : rows_)
    print_row(out, indent, row);
}

void TablePrinter::print_row(std::ostream& out, const std::string& indent,
                             const std::vector<std::string>& cells) const {
  std::string line = indent;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths_[i] - width(cells[i]), ' ');
    if (i > 0) line += "  ";
    line += right_[i] ? padding + cells[i] : cells[i] + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

}  // namespace halyard::command_line
