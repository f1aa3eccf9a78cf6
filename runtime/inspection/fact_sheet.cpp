// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/fact_sheet.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::services {
namespace {

using base::concat;

std::size_t tokens_of(std::size_t bytes) {
  return (bytes + kBytesPerToken - 1) / kBytesPerToken;
}

}  // namespace

void FactSheet::begin(std::string title) {
  sections_.push_back({std::move(title), {}});
}

void FactSheet::add(std::string line) {
  sections_.back().lines.push_back(std::move(line));
}

void FactSheet::add(const std::vector<std::string>& lines) {
  for (const std::string& line : lines)
    add(line);
}

std::size_t FactSheet::line_count() const {
  std::size_t count = 0;
  for (const Section& section : sections_)
    count += section.lines.size();
  return count;
}

std::string FactSheet::first_lines(std::size_t lines) const {
  std::string text;
  for (const Section& section : sections_) {
    if (lines == 0) break;
    if (section.lines.empty()) continue;
    text += concat(text.empty() ? "" : "\n", "# ", section.title, '\n');
    const std::size_t taken = std::min(lines, section.lines.size());
    for (std::size_t i = 0; i < taken; ++i)
      text += concat(section.lines[i], '\n');
    lines -= taken;
  }
  return text;
}

std::string FactSheet::last_line(std::size_t lines, std::size_t token_budget) const {
  std::vector<std::string> cut;
  std::size_t dropped = 0;
  for (const Section& section : sections_) {
    const std::size_t size = section.lines.size();
    const std::size_t taken = std::min(lines, size);
    lines -= taken;
    if (taken == size) continue;
    dropped += size - taken;
    cut.push_back(taken == 0 ? section.title : concat("part of ", section.title));
  }
  std::string line;
  if (dropped != 0) {
    line = concat("Left out for the budget of ", token_budget, " tokens: ", dropped,
                  " lines: ", base::join(cut), ".");
  }
  if (!left_out_.empty()) line += concat(line.empty() ? "" : " ", left_out_);
  return concat('\n', line.empty() ? std::string("Nothing is left out.") : line, '\n');
}

std::size_t FactSheet::lines_within(std::size_t bytes) const {
  std::size_t fitting = 0;
  std::size_t size = 0;
  for (const Section& section : sections_) {
    for (const std::string& line : section.lines) {
      size += line.size() + 1;
      if (size > bytes) return fitting;
      ++fitting;
    }
  }
  return fitting;
}

base::Result<std::string> FactSheet::text(std::size_t token_budget,
                                          std::string_view subject) const {
  if (token_budget == 0) return first_lines(line_count()) + last_line(line_count(), 0);
  const std::size_t budget_bytes = token_budget * kBytesPerToken;
  const std::size_t head = sections_.empty() ? 0 : sections_.front().lines.size();
  for (std::size_t lines = std::max(head, lines_within(budget_bytes));; --lines) {
    std::string text = first_lines(lines) + last_line(lines, token_budget);
    if (text.size() <= budget_bytes) return text;
    if (lines <= head) {
      return base::Error(
          base::ErrorCode::kInvalidArgument,
          concat("The budget of ", token_budget, " tokens is below the ", tokens_of(text.size()),
                 " of the head of the facts about ", subject, "."));
    }
  }
}

}  // namespace halyard::services
