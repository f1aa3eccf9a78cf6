// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.hpp"
#include "halyard/services/document.h"
#include "halyard/services/store.h"

#include "tools/halyard/command.h"

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace halyard::command_line {

class ServiceDocument
    : public Handle<halyard_document, halyard_document_retain, halyard_document_release> {
 public:
  using Handle::Handle;
  std::string text() const { return halyard_document_text(get()); }
};

// The document that `call` makes; a failure is thrown.
ServiceDocument take_document(const std::function<halyard_status(halyard_document**)>& call);

// A store opened for looking after it; an empty URL is the configured one.
class OpenedStore : public Handle<halyard_store, halyard_store_retain, halyard_store_release> {
 public:
  using Handle::Handle;
  static OpenedStore open(const std::string& url);
};

// What every command on a store takes.
struct StoreChoice {
  std::string url;
  bool as_json = false;
};

void add_store_options(CLI::App& app, StoreChoice& choice, const std::string& document_format);

// The text of a pointer option that may be left out.
inline const char* given_or_null(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

// The actions of a verb's own verbs.
using SubcommandActions = std::map<const CLI::App*, Action>;

// Runs the one that was given.
Action run_subcommand(CLI::App& app, std::shared_ptr<SubcommandActions> actions);

// "1 kernel", "3 kernels".
std::string counted(double count, const std::string& thing);

// The time of a member in ms since 1970, as "2026-02-03 04:05"; "" for 0 and where there is none.
std::string time_text(const boost::json::object& object, std::string_view name);

// "all", "cpu 1", "cpu 1 to cpu 2", "from cpu 1", of the members first_driver and last_driver.
std::string drivers_text(const boost::json::object& entry);

}  // namespace halyard::command_line
