// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/failure.h"

#include "halyard/halyard.hpp"

#include "tools/halyard/shown_text.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <iostream>

namespace halyard::command_line {
namespace {

int report(const std::exception& error, int code) {
  std::cerr << "halyard: " << shown_text(error.what()) << '\n';
  return code;
}

int run_caught(const Action& action) {
  try {
    return action();
  } catch (const UsageError& error) {
    return report(error, kWrongUse);
  } catch (const Error& error) {
    return report(error, error.status() == HALYARD_STATUS_INVALID_ARGUMENT ? kWrongUse : kFailed);
  } catch (const std::exception& error) {
    return report(error, kFailed);
  }
}

std::string one_sentence(std::string text) {
  for (char& character : text) {
    if (character == '\n') character = ' ';
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '.'))
    text.pop_back();
  return text + ".";
}

// The first word of the line that is no verb of ours; "" where all are.
std::string unknown_verb(const CLI::App& app) {
  if (!app.get_subcommands().empty()) return "";
  const auto words = app.remaining();
  return words.empty() || words.front().starts_with('-') ? "" : words.front();
}

std::string verb_names(const CLI::App& app) {
  std::string names;
  for (const CLI::App* verb : app.get_subcommands(nullptr))
    names += (names.empty() ? "" : ", ") + verb->get_name();
  return names;
}

}  // namespace

int explain_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error, std::cout, std::cerr);
  const std::string unknown = unknown_verb(app);
  if (!unknown.empty()) {
    std::cerr << "halyard: There is no command \"" << unknown << "\"; there are " << verb_names(app)
              << ".\n";
    return kWrongUse;
  }
  const auto verbs = app.get_subcommands();
  std::cerr << "halyard: " << one_sentence(error.what()) << " See halyard "
            << (verbs.empty() ? "" : verbs.front()->get_name() + " ") << "--help.\n";
  return kWrongUse;
}

int run_and_flush(const Action& action) {
  std::signal(SIGPIPE, SIG_IGN);
  const ShownStream shown_output(std::cout);
  const ShownStream shown_errors(std::cerr);
  const int code = run_caught(action);
  errno = 0;
  std::cout.flush();
  if (std::cout && std::fflush(stdout) == 0) return code;
  if (errno != EPIPE && errno != 0) {
    std::cerr << "halyard: Standard output cannot be written: " << std::strerror(errno) << ".\n";
  }
  return code != kDone ? code : kFailed;
}

}  // namespace halyard::command_line
