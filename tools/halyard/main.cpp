// SPDX-License-Identifier: Apache-2.0
#include "halyard/halyard.hpp"

#include "tools/halyard/contracts_command.h"
#include "tools/halyard/descriptor_command.h"
#include "tools/halyard/devices_command.h"
#include "tools/halyard/disassemble_command.h"
#include "tools/halyard/doctor_command.h"
#include "tools/halyard/explain_command.h"
#include "tools/halyard/failure.h"
#include "tools/halyard/lock_command.h"
#include "tools/halyard/measure_command.h"
#include "tools/halyard/request_command.h"
#include "tools/halyard/run_command.h"
#include "tools/halyard/store_command.h"
#include "tools/halyard/trust_command.h"
#include "tools/halyard/verify_command.h"
#include "tools/halyard/version_command.h"
#include "tools/halyard/worker_command.h"

#include <CLI/CLI.hpp>
#include <map>

namespace halyard::command_line {
namespace {

constexpr Command kCommands[] = {
    {"doctor", "Say what this machine has and what is missing", define_doctor},
    {"devices", "List the devices", define_devices},
    {"version", "Say the version", define_version},
    {"contracts", "List the contracts, or show one", define_contracts},
    {"run", "Run one operation on random inputs", define_run},
    {"explain", "Say which kernel would run, and why", define_explain},
    {"store", "Look at the kernels, and say what they may do", define_store},
    {"trust", "Say whose approvals count", define_trust},
    {"lock", "Pin kernels, and check what has moved", define_lock},
    {"request", "Look at what is asked for", define_request},
    {"descriptor", "Look at what is known of devices, and add to it", define_descriptor},
    {"disassemble", "Print the instructions of an AMD code object", define_disassemble},
    {"verify", "Say whether a kernel package can be trusted, and why", define_verify},
    {"worker", "Verify what a fleet's store asks for", define_worker},
    {"measure", "Run, check and time a workload", define_measure},
};

int run(int argc, char** argv) {
  CLI::App app("Runs compute kernels on any vendor's device.", "halyard");
  app.set_version_flag("--version", halyard_version());
  app.require_subcommand(1);
  std::map<const CLI::App*, Action> actions;
  for (const Command& command : kCommands) {
    CLI::App* const verb = app.add_subcommand(command.name, command.summary);
    actions[verb] = command.define(*verb);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain_parse_error(app, error);
  }
  return actions.at(app.get_subcommands().front())();
}

}  // namespace
}  // namespace halyard::command_line

int main(int argc, char** argv) {
  return halyard::command_line::run_and_flush(
      [&] { return halyard::command_line::run(argc, argv); });
}
