// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/progress_line.h"

#include "tools/halyard/shown_text.h"

#include <unistd.h>

#include <cstdio>

namespace halyard::command_line {

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (terminal_) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(std::uint32_t done, std::uint32_t total, const char* name) {
  show(std::to_string(done) + "/" + std::to_string(total) + " " + (name != nullptr ? name : ""));
}

void ProgressLine::show(const std::string& text) {
  if (terminal_) std::fprintf(stderr, "\r\033[K%s", shown_text(text).c_str());
}

void ProgressLine::callback(void* user_data, std::uint32_t done, std::uint32_t total,
                            const char* name) {
  static_cast<ProgressLine*>(user_data)->show(done, total, name);
}

}  // namespace halyard::command_line
