// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace halyard::command_line {

// A file that appears under its name whole or not at all. It is begun beside its place, so that a
// place that cannot be written is found before the work is done.
class AtomicFile {
 public:
  // Throws std::runtime_error with the system's reason.
  explicit AtomicFile(std::string path);
  // Removes what was not committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void commit(const std::string& text);

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
};

}  // namespace halyard::command_line
