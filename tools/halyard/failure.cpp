// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/failure.h"

#include "halyard/halyard.hpp"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <iostream>

namespace halyard::command_line {
namespace {

int report(const std::exception& error, int code) {
  std::cerr << "halyard: " << error.what() << '\n';
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

}  // namespace

int explain_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error, std::cout, std::cerr);
  const auto verbs = app.get_subcommands();
  std::cerr << "halyard: " << one_sentence(error.what()) << " See halyard "
            << (verbs.empty() ? "" : verbs.front()->get_name() + " ") << "--help.\n";
  return kWrongUse;
}

int run_and_flush(const Action& action) {
  std::signal(SIGPIPE, SIG_IGN);
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
