// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::services {

// How many bytes of text count as one token.
inline constexpr std::size_t kBytesPerToken = 4;

// Sections of lines in the order of their relevance, cut where a budget ends. The first section is
// the head, without which the rest says nothing.
class FactSheet {
 public:
  // A section without lines is left out.
  void begin(std::string title);
  void add(std::string line);
  void add(const std::vector<std::string>& lines);

  // What is not in the sheet at all, one sentence, for the last line.
  void leave_out(std::string sentence) { left_out_ = std::move(sentence); }

  // The whole text with a last line that says what was left out. With a budget, the lines that fit
  // it; 0 is no budget. `subject` names the sheet in the message.
  // Errors: kInvalidArgument where the head does not fit.
  base::Result<std::string> text(std::size_t token_budget, std::string_view subject) const;

 private:
  struct Section {
    std::string title;
    std::vector<std::string> lines;
  };
  // The first `lines` lines of the sheet, titles not counted.
  std::string first_lines(std::size_t lines) const;
  std::string last_line(std::size_t lines, std::size_t token_budget) const;
  // How many lines, without titles, have this many bytes at most.
  std::size_t lines_within(std::size_t bytes) const;
  std::size_t line_count() const;

  std::vector<Section> sections_;
  std::string left_out_;
};

}  // namespace halyard::services
