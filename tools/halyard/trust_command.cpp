// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/trust_command.h"

#include "halyard/halyard.hpp"
#include "halyard/services/trust.h"

#include "tools/halyard/document.h"
#include "tools/halyard/opened_store.h"
#include "tools/halyard/passphrase.h"
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

struct TrustOptions {
  std::string file;
  std::string name;
  std::string key;
  std::vector<std::string> may_say;
  std::uint64_t days = 0;
  bool local = false;
  bool as_json = false;
};

struct NewKeyOptions {
  KeyChoice key;
  bool without_passphrase = false;
  bool as_json = false;
};

int list_keys(const TrustOptions& options) {
  const ServiceDocument document = take_document(
      [&](halyard_document** out) { return halyard_trust_list(given_or_null(options.file), out); });
  if (options.as_json) {
    std::cout << document.text() << '\n';
    return kDone;
  }
  const json::object list = parse_document(document.text(), "The list of keys");
  if (array_of(list, "keys").empty()) {
    std::cout << "No keys are trusted (" << text_of(list, "path") << ").\n";
    return kDone;
  }
  TablePrinter table({"label", "fingerprint", "may say", "local", "expires", "key"});
  for (const json::value& value : array_of(list, "keys")) {
    const json::object& key = value.as_object();
    const std::string expires = time_text(key, "expires_ms");
    table.add_row({text_of(key, "label"), text_of(key, "fingerprint"),
                   join(array_of(key, "may_say"), " "),
                   text_of(key, "local") == "true" ? "yes" : "no",
                   expires.empty() ? "never" : expires, text_of(key, "key")});
  }
  table.print(std::cout);
  return kDone;
}

std::uint32_t rights_of(const std::vector<std::string>& states) {
  std::uint32_t rights = 0;
  for (const std::string& state : states) {
    if (state == "verified") rights |= HALYARD_TRUST_RIGHT_VERIFIED;
    if (state == "promoted") rights |= HALYARD_TRUST_RIGHT_PROMOTED;
    if (state == "quarantined") rights |= HALYARD_TRUST_RIGHT_QUARANTINED;
    if (state == "retired") rights |= HALYARD_TRUST_RIGHT_RETIRED;
  }
  return rights;
}

int add_key(const TrustOptions& options) {
  halyard_trust_desc desc = HALYARD_TRUST_DESC_INIT;
  desc.key = options.key.c_str();
  desc.label = options.name.c_str();
  desc.rights = rights_of(options.may_say);
  desc.local = options.local ? 1 : 0;
  desc.days = options.days;
  check(halyard_trust_add(given_or_null(options.file), &desc));
  std::cout << "Key " << options.name << " is trusted.\n";
  return kDone;
}

int remove_key(const TrustOptions& options) {
  check(halyard_trust_remove(given_or_null(options.file), options.name.c_str()));
  std::cout << "Key " << options.name << " is trusted no more.\n";
  return kDone;
}

int create_key(const NewKeyOptions& options) {
  const Passphrase passphrase =
      options.without_passphrase ? Passphrase() : new_passphrase(options.key);
  const ServiceDocument document = take_document([&](halyard_document** out) {
    return halyard_key_create(options.key.file.c_str(), passphrase.data(), passphrase.size(), out);
  });
  if (options.as_json) {
    std::cout << document.text() << '\n';
    return kDone;
  }
  const json::object key = parse_document(document.text(), "The key");
  std::cout << "key          " << text_of(key, "key") << '\n'
            << "fingerprint  " << text_of(key, "fingerprint") << '\n'
            << "file         " << text_of(key, "path") << '\n';
  return kDone;
}

void add_file_option(CLI::App& app, TrustOptions& options) {
  app.add_option("--file", options.file, "Another trust file than the configured one");
}

}  // namespace

Action define_trust(CLI::App& app) {
  app.require_subcommand(1);
  const auto actions = std::make_shared<SubcommandActions>();
  const auto listed = std::make_shared<TrustOptions>();
  CLI::App* const list = app.add_subcommand("list", "List the trusted keys");
  add_file_option(*list, *listed);
  list->add_flag("--json", listed->as_json, "Print JSON (halyard.trust-list/1)");
  (*actions)[list] = [listed] { return list_keys(*listed); };

  const auto added = std::make_shared<TrustOptions>();
  CLI::App* const add = app.add_subcommand("add", "Trust a key");
  add->add_option("LABEL", added->name, "Names the key in histories")->required();
  add->add_option("KEY", added->key, "The public key, ed25519: and 64 digits")->required();
  add->add_option("--may", added->may_say, "What its approvals may say; default all")
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"verified", "promoted", "quarantined", "retired"}));
  add->add_flag("--local", added->local,
                "It is your own: it may approve code that runs inside of processes");
  add->add_option("--days", added->days, "After which it expires; 0: never")
      ->check(CLI::NonNegativeNumber);
  add_file_option(*add, *added);
  (*actions)[add] = [added] { return add_key(*added); };

  const auto removed = std::make_shared<TrustOptions>();
  CLI::App* const remove = app.add_subcommand("remove", "Trust a key no more");
  remove->add_option("KEY", removed->name, "Its label, or the public key")->required();
  add_file_option(*remove, *removed);
  (*actions)[remove] = [removed] { return remove_key(*removed); };

  const auto created = std::make_shared<NewKeyOptions>();
  CLI::App* const create = app.add_subcommand("create-key", "Make a key that signs approvals");
  create->add_option("FILE", created->key.file, "The new file")->required();
  CLI::Option* const descriptor =
      create
          ->add_option("--passphrase-fd", created->key.passphrase_descriptor,
                       "Read the passphrase from this file descriptor, not from the terminal")
          ->check(CLI::Range(0, 1023));
  create->add_flag("--no-passphrase", created->without_passphrase, "Leave the file unencrypted")
      ->excludes(descriptor);
  create->add_flag("--json", created->as_json, "Print JSON (halyard.key/1)");
  (*actions)[create] = [created] { return create_key(*created); };
  return run_subcommand(app, actions);
}

}  // namespace halyard::command_line
