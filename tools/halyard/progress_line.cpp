// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/progress_line.h"

#include <unistd.h>

#include <iostream>

namespace halyard::command_line {

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (terminal_) std::cerr << "\r\033[K" << std::flush;
}

void ProgressLine::show(std::uint32_t done, std::uint32_t total, const char* name) {
  if (!terminal_) return;
  std::cerr << "\r\033[K" << done << '/' << total << ' ' << (name != nullptr ? name : "")
            << std::flush;
}

void ProgressLine::callback(void* user_data, std::uint32_t done, std::uint32_t total,
                            const char* name) {
  static_cast<ProgressLine*>(user_data)->show(done, total, name);
}

}  // namespace halyard::command_line
