// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace halyard::command_line {

// `text` without what a terminal acts on: control characters and marks that turn the direction of
// writing become \u001b (as in JSON, which keeps its meaning), bytes that are no UTF-8 \x9b.
std::string shown_text(std::string_view text);

// While it lives, all that goes to `stream` becomes shown_text() but for line ends and tabs: names,
// reasons and labels come from strangers. One thread.
class ShownStream final : private std::streambuf {
 public:
  explicit ShownStream(std::ostream& stream);
  ~ShownStream() override;
  ShownStream(const ShownStream&) = delete;
  ShownStream& operator=(const ShownStream&) = delete;

 private:
  int_type overflow(int_type byte) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;
  int sync() override;

  std::ostream& stream_;
  std::streambuf* const target_;
  std::string begun_;  // A character whose other bytes are still to come.
};

}  // namespace halyard::command_line
