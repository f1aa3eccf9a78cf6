// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/store_command.h"

#include "halyard/halyard.hpp"

#include "tools/halyard/document.h"
#include "tools/halyard/table_printer.h"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <iostream>
#include <memory>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

constexpr std::size_t kShortIdDigits = 12;

struct StoreOptions {
  bool as_json = false;
  std::string name;
};

std::string types_text(const json::object& kernel) {
  std::string text;
  for (const json::value& value : array_of(kernel, "types")) {
    if (value.is_object()) text += (text.empty() ? "" : ", ") + pairs_text(value.as_object());
  }
  return text;
}

// The last recorded state of each target, "none" where nothing was recorded.
std::string states_text(const json::object& kernel) {
  json::object last;
  for (const json::value& value : array_of(kernel, "states")) {
    const json::object& change = value.as_object();
    last[text_of(change, "target")] = text_of(change, "state");
  }
  std::string text;
  for (const auto& [target, state] : last) {
    text += (text.empty() ? "" : ", ") + std::string(target) + " " + std::string(state.as_string());
  }
  return text.empty() ? "none" : text;
}

int list_kernels(const StoreOptions& options) {
  const Instance instance = Instance::create();
  const std::string text = instance.kernels(options.name.empty() ? nullptr : options.name.c_str());
  if (options.as_json) {
    std::cout << text << '\n';
    return kDone;
  }
  const json::object document = parse_document(text, "The list of kernels");
  TablePrinter table({"contract", "kernel", "id", "targets", "types", "origin", "states"});
  for (const json::value& value : array_of(document, "kernels")) {
    const json::object& kernel = value.as_object();
    table.add_row({text_of(kernel, "contract"), text_of(kernel, "name"),
                   text_of(kernel, "id").substr(0, kShortIdDigits),
                   join(array_of(kernel, "targets"), " "), types_text(kernel),
                   text_of(kernel, "origin"), states_text(kernel)});
  }
  table.print(std::cout);
  return kDone;
}

void print_builds(const json::object& kernel) {
  if (array_of(kernel, "builds").empty()) return;
  TablePrinter table({"build for", "types", "file", "toolchain", "sha256"});
  for (const json::value& value : array_of(kernel, "builds")) {
    const json::object& build = value.as_object();
    table.add_row({text_of(build, "target"), pairs_text(object_of(build, "types")),
                   text_of(build, "file"), text_of(build, "toolchain"),
                   text_of(build, "sha256").substr(0, kShortIdDigits)});
  }
  std::cout << '\n';
  table.print(std::cout);
}

void print_history(const json::object& kernel) {
  if (array_of(kernel, "states").empty()) return;
  TablePrinter table({"state", "target", "by", "because"});
  for (const json::value& value : array_of(kernel, "states")) {
    const json::object& change = value.as_object();
    table.add_row({text_of(change, "state"), text_of(change, "target"), text_of(change, "who"),
                   text_of(change, "why")});
  }
  std::cout << '\n';
  table.print(std::cout);
}

int show_kernel(const StoreOptions& options) {
  const std::string text = Instance::create().kernel(options.name.c_str());
  if (options.as_json) {
    std::cout << text << '\n';
    return kDone;
  }
  const json::object kernel = parse_document(text, "Kernel " + options.name);
  const json::object& record = object_of(kernel, "record");
  std::cout << text_of(kernel, "name") << ' ' << text_of(kernel, "version") << " of "
            << text_of(kernel, "contract") << ", " << text_of(kernel, "language") << ", "
            << text_of(kernel, "origin") << '\n'
            << "id        " << text_of(kernel, "id") << '\n'
            << "targets   " << join(array_of(kernel, "targets"), " ") << '\n'
            << "types     " << types_text(kernel) << '\n'
            << "where     " << join(array_of(record, "where"), ", ") << '\n'
            << "licence   " << text_of(record, "license") << '\n'
            << "evidence  " << array_of(kernel, "evidence").size() << " records\n";
  print_builds(kernel);
  print_history(kernel);
  return kDone;
}

}  // namespace

Action define_store(CLI::App& app) {
  const auto options = std::make_shared<StoreOptions>();
  app.require_subcommand(1);
  CLI::App* const list = app.add_subcommand("list", "List the kernels");
  list->add_option("CONTRACT", options->name, "Only those of this contract");
  list->add_flag("--json", options->as_json, "Print JSON (halyard.kernels/1)");
  CLI::App* const show = app.add_subcommand("show", "Show one kernel");
  show->add_option("KERNEL", options->name, "Its name, its id, or the id's first digits")
      ->required();
  show->add_flag("--json", options->as_json, "Print JSON (halyard.kernel-detail/1)");
  return
      [options, show] { return show->parsed() ? show_kernel(*options) : list_kernels(*options); };
}

}  // namespace halyard::command_line
