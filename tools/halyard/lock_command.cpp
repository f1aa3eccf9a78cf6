// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/lock_command.h"

#include "halyard/services/lock.h"

#include "tools/halyard/document.h"
#include "tools/halyard/opened_store.h"
#include "tools/halyard/table_printer.h"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

struct LockOptions : StoreChoice {
  std::string file;
  std::vector<std::string> contracts;
  std::vector<std::string> targets;
};

std::vector<const char*> pointers_of(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts)
    pointers.push_back(text.c_str());
  return pointers;
}

int write_lock(const LockOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  halyard_lock_desc desc = HALYARD_LOCK_DESC_INIT;
  const auto contracts = pointers_of(options.contracts);
  const auto targets = pointers_of(options.targets);
  desc.contracts = contracts.data();
  desc.contract_count = static_cast<std::uint32_t>(contracts.size());
  desc.targets = targets.data();
  desc.target_count = static_cast<std::uint32_t>(targets.size());
  const ServiceDocument document = take_document([&](halyard_document** out) {
    return halyard_lock_write(store.get(), options.file.c_str(), &desc, out);
  });
  const json::object lock = parse_document(document.text(), "The lock");
  if (options.as_json) {
    print_document(lock);
  } else {
    std::cout << "Wrote " << counted(static_cast<double>(array_of(lock, "pins").size()), "pin")
              << " to " << options.file << ".\n";
  }
  return kDone;
}

int check_lock(const LockOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  std::uint32_t broken = 0;
  const ServiceDocument document = take_document([&](halyard_document** out) {
    return halyard_lock_check(store.get(), options.file.c_str(), out, &broken);
  });
  const int code = broken == 0 ? kDone : kFailed;
  if (options.as_json) {
    std::cout << document.text() << '\n';
    return code;
  }
  const json::object checked = parse_document(document.text(), "The check");
  TablePrinter table({"standing", "contract", "types", "target", "kernel", "because"});
  std::size_t present = 0;
  for (const json::value& value : array_of(checked, "pins")) {
    const json::object& pin = value.as_object();
    if (text_of(pin, "standing") == "present") {
      ++present;
      continue;
    }
    table.add_row({text_of(pin, "standing"), text_of(pin, "contract"),
                   pairs_text(object_of(pin, "types")), text_of(pin, "target"),
                   text_of(pin, "name"), text_of(pin, "reason")});
  }
  const std::size_t count = array_of(checked, "pins").size();
  std::cout << present << " of " << counted(static_cast<double>(count), "pin")
            << " are present as they were.\n";
  if (present < count) table.print(std::cout);
  return code;
}

}  // namespace

Action define_lock(CLI::App& app) {
  app.require_subcommand(1);
  const auto actions = std::make_shared<SubcommandActions>();
  const auto written = std::make_shared<LockOptions>();
  CLI::App* const write = app.add_subcommand("write", "Pin the kernels that are best now");
  write->add_option("FILE", written->file, "The lock file")->required();
  write->add_option("--contract", written->contracts, "Only this contract; may be repeated")
      ->allow_extra_args(false);
  write->add_option("--target", written->targets, "Only this target; may be repeated")
      ->allow_extra_args(false);
  add_store_options(*write, *written, "halyard.lock/1");
  (*actions)[write] = [written] { return write_lock(*written); };

  const auto checked = std::make_shared<LockOptions>();
  CLI::App* const check = app.add_subcommand("check", "Say what of a lock has moved or is missing");
  check->add_option("FILE", checked->file, "The lock file")->required();
  add_store_options(*check, *checked, "halyard.lock-check/1");
  (*actions)[check] = [checked] { return check_lock(*checked); };
  return run_subcommand(app, actions);
}

}  // namespace halyard::command_line
