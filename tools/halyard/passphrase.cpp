// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/passphrase.h"

#include "halyard/halyard.hpp"
#include "halyard/services/trust.h"

#include "tools/halyard/command.h"

#include <fcntl.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace halyard::command_line {
namespace {

constexpr std::size_t kMaxBytes = 1024;

// The first line, without its end; reads byte by byte so that nothing of a later line is taken.
Passphrase read_line(int descriptor, const std::string& source) {
  std::string text;
  text.reserve(kMaxBytes + 1);
  while (text.size() <= kMaxBytes) {
    char character = 0;
    const ssize_t count = ::read(descriptor, &character, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw std::runtime_error("The passphrase cannot be read from " + source + ": " +
                               std::strerror(errno) + ".");
    }
    if (count == 0 || character == '\n') return Passphrase(std::move(text));
    text.push_back(character);
  }
  ::explicit_bzero(text.data(), text.size());
  throw std::runtime_error("The passphrase has more than " + std::to_string(kMaxBytes) + " bytes.");
}

// The terminal of the process, without echo while it is open.
class QuietTerminal {
 public:
  QuietTerminal() : descriptor_(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)) {
    if (descriptor_ < 0 || ::tcgetattr(descriptor_, &before_) != 0) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    is_quiet_ = ::tcsetattr(descriptor_, TCSAFLUSH, &quiet) == 0;
  }
  QuietTerminal(const QuietTerminal&) = delete;
  QuietTerminal& operator=(const QuietTerminal&) = delete;
  ~QuietTerminal() {
    if (is_quiet_) ::tcsetattr(descriptor_, TCSAFLUSH, &before_);
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  explicit operator bool() const { return is_quiet_; }

  Passphrase ask(const std::string& question) const {
    write(question);
    Passphrase answer = read_line(descriptor_, "the terminal");
    write("\n");
    return answer;
  }

 private:
  void write(const std::string& text) const {
    if (::write(descriptor_, text.data(), text.size()) < 0) {
      throw std::runtime_error("The terminal cannot be written.");
    }
  }

  int descriptor_;
  termios before_{};
  bool is_quiet_ = false;
};

[[noreturn]] void refuse_without_terminal(const std::string& file) {
  throw UsageError("Key file \"" + file +
                   "\" takes a passphrase, and there is neither a terminal nor --passphrase-fd.");
}

}  // namespace

Passphrase::Passphrase(Passphrase&& other) noexcept : text_(other.text_) {
  other.wipe();
}

Passphrase& Passphrase::operator=(Passphrase&& other) noexcept {
  if (this == &other) return *this;
  wipe();
  text_ = other.text_;
  other.wipe();
  return *this;
}

Passphrase::~Passphrase() {
  wipe();
}

void Passphrase::wipe() {
  ::explicit_bzero(text_.data(), text_.size());
  text_.clear();
}

void add_key_options(CLI::App& app, KeyChoice& choice, const std::string& meaning) {
  CLI::Option* const key = app.add_option("--key", choice.file, meaning);
  app.add_option("--passphrase-fd", choice.passphrase_descriptor,
                 "Read the key's passphrase from this file descriptor, not from the terminal")
      ->check(CLI::Range(0, 1023))
      ->needs(key);
}

Passphrase passphrase_for(const KeyChoice& choice) {
  if (choice.file.empty()) return {};
  std::uint32_t needs = 0;
  check(halyard_key_needs_passphrase(choice.file.c_str(), &needs));
  if (needs == 0) return {};
  if (choice.passphrase_descriptor >= 0) {
    return read_line(choice.passphrase_descriptor,
                     "descriptor " + std::to_string(choice.passphrase_descriptor));
  }
  const QuietTerminal terminal;
  if (!terminal) refuse_without_terminal(choice.file);
  return terminal.ask("Passphrase of " + choice.file + ": ");
}

Passphrase new_passphrase(const KeyChoice& choice) {
  if (choice.passphrase_descriptor >= 0) {
    const std::string source = "descriptor " + std::to_string(choice.passphrase_descriptor);
    Passphrase given = read_line(choice.passphrase_descriptor, source);
    // Whatever was to write it has failed, and the key would be left open.
    if (given.size() == 0) {
      throw UsageError("The passphrase from " + source +
                       " is empty; --no-passphrase leaves the key file unencrypted.");
    }
    return given;
  }
  const QuietTerminal terminal;
  if (!terminal) refuse_without_terminal(choice.file);
  Passphrase first = terminal.ask("New passphrase of " + choice.file + " (empty for none): ");
  const Passphrase second = terminal.ask("Again: ");
  if (!(first == second)) throw UsageError("The two passphrases differ.");
  return first;
}

}  // namespace halyard::command_line
