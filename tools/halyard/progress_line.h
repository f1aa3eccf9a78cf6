// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace halyard::command_line {

// One line on stderr that is written over and over, where stderr is a terminal; else nothing.
class ProgressLine {
 public:
  ProgressLine();
  // Clears the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::uint32_t done, std::uint32_t total, const char* name);
  void show(const std::string& text);

  // halyard_progress_callback; `user_data` is a ProgressLine.
  static void callback(void* user_data, std::uint32_t done, std::uint32_t total, const char* name);

 private:
  bool terminal_;
};

}  // namespace halyard::command_line
