// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/store_states.h"

#include "tools/halyard/document.h"
#include "tools/halyard/passphrase.h"
#include "tools/halyard/table_printer.h"

#include <boost/json/array.hpp>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

constexpr std::size_t kShortIdDigits = 12;

struct StateOptions : StoreChoice {
  halyard_state_action action = HALYARD_STATE_ACTION_PROMOTE;
  std::string kernel;
  std::string target;
  std::string drivers;
  std::vector<std::string> where;
  std::uint32_t share_percent = 100;
  std::string evidence;
  std::string why;
  std::uint64_t days = 0;
  KeyChoice key;
};

struct DriverEnds {
  std::string first;
  std::string last;
};

// "A..B", "A..", "..B", ".." or one driver.
DriverEnds driver_ends(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return {text, text};
  return {text.substr(0, dots), text.substr(dots + 2)};
}

void print_change(const json::object& change) {
  const json::object& kernel = object_of(change, "kernel");
  const std::string share = text_of(change, "share_percent");
  const std::string where = join(array_of(change, "where"), " and ");
  std::cout << text_of(kernel, "name") << ' ' << text_of(kernel, "version") << " ("
            << text_of(kernel, "id").substr(0, kShortIdDigits) << ") "
            << (text_of(change, "changed") == "true" ? "is now " : "was already ")
            << text_of(change, "state") << " on " << text_of(change, "target")
            << (share == "100" ? "" : " for " + share + " % of the hosts")
            << (where.empty() ? "" : " where " + where) << ", drivers: " << drivers_text(change)
            << ".\n";
  const json::object& approval = object_of(change, "approval");
  if (!approval.empty()) {
    const std::string expires = time_text(approval, "expires_ms");
    std::cout << "Approval " << text_of(approval, "sequence") << " of key "
              << text_of(approval, "fingerprint") << ", "
              << (expires.empty() ? "without end" : "until " + expires) << ".\n";
  }
}

int change_state(const StateOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  const Passphrase passphrase = passphrase_for(options.key);
  halyard_state_desc desc = HALYARD_STATE_DESC_INIT;
  desc.action = static_cast<std::uint32_t>(options.action);
  desc.kernel = options.kernel.c_str();
  desc.target = options.target.c_str();
  const DriverEnds ends = driver_ends(options.drivers);
  if (!options.drivers.empty()) {
    desc.first_driver = ends.first.c_str();
    desc.last_driver = ends.last.c_str();
  }
  std::vector<const char*> where;
  for (const std::string& condition : options.where)
    where.push_back(condition.c_str());
  desc.where = where.data();
  desc.where_count = static_cast<std::uint32_t>(where.size());
  desc.share_percent = options.share_percent;
  desc.evidence = given_or_null(options.evidence);
  desc.why = given_or_null(options.why);
  desc.key_file = given_or_null(options.key.file);
  desc.passphrase = passphrase.data();
  desc.passphrase_size = passphrase.size();
  desc.approval_days = options.days;
  const ServiceDocument document = take_document(
      [&](halyard_document** out) { return halyard_store_change_state(store.get(), &desc, out); });
  if (options.as_json) {
    std::cout << document.text() << '\n';
  } else {
    print_change(parse_document(document.text(), "The change"));
  }
  return kDone;
}

int print_history(const StateOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  const ServiceDocument document = take_document([&](halyard_document** out) {
    return halyard_store_history(store.get(), options.kernel.c_str(), given_or_null(options.target),
                                 out);
  });
  if (options.as_json) {
    std::cout << document.text() << '\n';
    return kDone;
  }
  const json::object history = parse_document(document.text(), "The history");
  TablePrinter table({">no", "state", "target", "drivers", ">share", "when", "by", "because"});
  for (const json::value& value : array_of(history, "entries")) {
    const json::object& entry = value.as_object();
    const std::string reverts = text_of(entry, "reverts");
    const std::string where = join(array_of(entry, "where"), " and ");
    std::string state = text_of(entry, "state");
    if (!where.empty()) state += " where " + where;
    if (!reverts.empty()) {
      state += " (takes back " + reverts + ")";
    } else if (text_of(entry, "in_effect") != "true") {
      state += " (taken back)";
    }
    table.add_row({text_of(entry, "sequence"), state, text_of(entry, "target"), drivers_text(entry),
                   text_of(entry, "share_percent") + " %", time_text(entry, "time_ms"),
                   text_of(entry, "who"), text_of(entry, "why")});
  }
  table.print(std::cout);
  return kDone;
}

CLI::App* define_change(CLI::App& store, SubcommandActions& actions, const char* name,
                        const char* summary, const std::shared_ptr<StateOptions>& options) {
  CLI::App* const verb = store.add_subcommand(name, summary);
  verb->add_option("KERNEL", options->kernel, "Its name, its id, or the id's first digits")
      ->required();
  verb->add_option("--target", options->target, "The target, such as x86_64-v3")->required();
  verb->add_option("--drivers", options->drivers,
                   "The drivers A..B, both included; A.. and ..B leave an end open");
  verb->add_option("--why", options->why, "The reason, for the history");
  verb->add_option("--days", options->days, "After which the approval expires; 0: never")
      ->check(CLI::NonNegativeNumber);
  add_key_options(*verb, options->key, "Sign an approval too, with this key file");
  add_store_options(*verb, *options, "halyard.state-change/1");
  actions[verb] = [options] { return change_state(*options); };
  return verb;
}

}  // namespace

void define_store_states(CLI::App& store, SubcommandActions& actions) {
  const auto promote = std::make_shared<StateOptions>();
  CLI::App* const verb =
      define_change(store, actions, "promote",
                    "Let a kernel be chosen before others, by hardware evidence", promote);
  verb->add_option("--share", promote->share_percent, "Percent of the hosts that take it first")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  verb->add_option("--where", promote->where, "Only where this holds, such as \"batch <= 8\"")
      ->allow_extra_args(false);
  verb->add_option("--evidence", promote->evidence,
                   "The id of the evidence it rests on; default the newest that does");
  const auto quarantine = std::make_shared<StateOptions>();
  quarantine->action = HALYARD_STATE_ACTION_QUARANTINE;
  define_change(store, actions, "quarantine", "Let a kernel not run until new evidence comes",
                quarantine)
      ->add_option("--evidence", quarantine->evidence, "The id of the evidence against it");
  const auto retire = std::make_shared<StateOptions>();
  retire->action = HALYARD_STATE_ACTION_RETIRE;
  define_change(store, actions, "retire", "Let a kernel not run any more", retire);
  const auto rollback = std::make_shared<StateOptions>();
  rollback->action = HALYARD_STATE_ACTION_ROLL_BACK;
  define_change(store, actions, "rollback", "Take the last promotion or retirement back", rollback);

  const auto history = std::make_shared<StateOptions>();
  CLI::App* const reading =
      store.add_subcommand("history", "Who let a kernel do what, when, and why");
  reading->add_option("KERNEL", history->kernel, "Its name, its id, or the id's first digits")
      ->required();
  reading->add_option("--target", history->target, "Only that of this target");
  add_store_options(*reading, *history, "halyard.history/1");
  actions[reading] = [history] { return print_history(*history); };
}

}  // namespace halyard::command_line
