// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <utility>

namespace halyard::command_line {

// Characters that are wiped when they go. A passphrase is never an argument of the command, which
// everybody on the machine can see.
class Passphrase {
 public:
  Passphrase() = default;
  explicit Passphrase(std::string text) : text_(std::move(text)) {}
  Passphrase(Passphrase&& other) noexcept;
  Passphrase& operator=(Passphrase&& other) noexcept;
  ~Passphrase();

  const void* data() const { return text_.data(); }
  std::size_t size() const { return text_.size(); }
  bool operator==(const Passphrase& other) const { return text_ == other.text_; }

 private:
  void wipe();

  std::string text_;
};

// A key file that signs, and where its passphrase comes from.
struct KeyChoice {
  std::string file;
  int passphrase_descriptor = -1;  // The terminal.
};

void add_key_options(CLI::App& app, KeyChoice& choice, const std::string& meaning);

// The passphrase of the key file, if it needs one: the first line of the descriptor, else what is
// typed at the terminal. Throws UsageError where there is neither.
Passphrase passphrase_for(const KeyChoice& choice);

// A passphrase for a new key file: from the descriptor, else typed twice.
Passphrase new_passphrase(const KeyChoice& choice);

}  // namespace halyard::command_line
