// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::emulator {

// Which line of source an instruction comes from. Immutable.
class LineTable {
 public:
  LineTable() = default;

  // Reads the sections .debug_line, .debug_line_str and .debug_str of DWARF 5, which may be any
  // bytes; what cannot be read has no lines.
  static LineTable read(std::string_view lines, std::string_view line_strings,
                        std::string_view strings);

  // "softmax.hip:41"; "" for an address without a line.
  std::string find(std::uint64_t address) const;

 private:
  friend class LineTableReader;

  // From an address on.
  struct Row {
    std::uint64_t address = 0;
    std::uint32_t file = 0;  // into files_
    std::uint32_t line = 0;  // 0: no line from here on
  };

  std::vector<Row> rows_;  // by address
  std::vector<std::string> files_;
};

}  // namespace halyard::emulator
