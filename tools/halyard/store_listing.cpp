// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/store_listing.h"

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

struct ListingOptions : StoreChoice {
  std::string name;
};

// Without --store as an application sees them, which goes on without a store that can be opened.
std::string kernels_text(const ListingOptions& options) {
  const char* const contract = given_or_null(options.name);
  if (options.url.empty()) return Instance::create().kernels(contract);
  const OpenedStore store = OpenedStore::open(options.url);
  return take_document([&](halyard_document** out) {
           return halyard_store_kernels(store.get(), contract, out);
         })
      .text();
}

std::string kernel_text(const ListingOptions& options) {
  if (options.url.empty()) return Instance::create().kernel(options.name.c_str());
  const OpenedStore store = OpenedStore::open(options.url);
  return take_document([&](halyard_document** out) {
           return halyard_store_kernel(store.get(), options.name.c_str(), out);
         })
      .text();
}

std::string types_text(const json::object& kernel) {
  std::string text;
  for (const json::value& value : array_of(kernel, "types")) {
    if (value.is_object()) text += (text.empty() ? "" : ", ") + pairs_text(value.as_object());
  }
  return text;
}

// " to 10 %" of a promotion to a share of the hosts; else empty.
std::string share_text(const json::object& change) {
  const std::string share = text_of(change, "share_percent");
  return share == "100" || share.empty() ? "" : " to " + share + " %";
}

// The last state in effect of each target, "none" where nothing was recorded.
std::string states_text(const json::object& kernel) {
  json::object last;
  for (const json::value& value : array_of(kernel, "states")) {
    const json::object& change = value.as_object();
    if (text_of(change, "in_effect") != "true") continue;
    last[text_of(change, "target")] = text_of(change, "state") + share_text(change);
  }
  std::string text;
  for (const auto& [target, state] : last) {
    text += (text.empty() ? "" : ", ") + std::string(target) + " " + std::string(state.as_string());
  }
  return text.empty() ? "none" : text;
}

int list_kernels(const ListingOptions& options) {
  const std::string text = kernels_text(options);
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
  TablePrinter table({"state", "target", "drivers", "when", "by", "because"});
  for (const json::value& value : array_of(kernel, "states")) {
    const json::object& change = value.as_object();
    const bool in_effect = text_of(change, "in_effect") == "true";
    table.add_row({text_of(change, "state") + share_text(change) + (in_effect ? "" : " (gone)"),
                   text_of(change, "target"), drivers_text(change), time_text(change, "time_ms"),
                   text_of(change, "who"), text_of(change, "why")});
  }
  std::cout << '\n';
  table.print(std::cout);
}

void print_approvals(const json::object& kernel) {
  if (array_of(kernel, "approvals").empty()) return;
  TablePrinter table({"approved as", "target", "drivers", "by", "issued", "expires", "counts"});
  for (const json::value& value : array_of(kernel, "approvals")) {
    const json::object& approval = value.as_object();
    const std::string label = text_of(approval, "label");
    table.add_row({text_of(approval, "state"), text_of(approval, "target"), drivers_text(approval),
                   label.empty() ? text_of(approval, "origin") : label,
                   time_text(approval, "issued_ms"), time_text(approval, "expires_ms"),
                   text_of(approval, "counts") == "true" ? "yes" : text_of(approval, "reason")});
  }
  std::cout << '\n';
  table.print(std::cout);
}

int show_kernel(const ListingOptions& options) {
  const std::string text = kernel_text(options);
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
  print_approvals(kernel);
  return kDone;
}

}  // namespace

void define_store_listing(CLI::App& store, SubcommandActions& actions) {
  const auto listing = std::make_shared<ListingOptions>();
  CLI::App* const list = store.add_subcommand("list", "List the kernels");
  list->add_option("CONTRACT", listing->name, "Only those of this contract");
  add_store_options(*list, *listing, "halyard.kernels/1");
  actions[list] = [listing] { return list_kernels(*listing); };
  const auto shown = std::make_shared<ListingOptions>();
  CLI::App* const show =
      store.add_subcommand("show", "Show one kernel: record, builds, history, approvals");
  show->add_option("KERNEL", shown->name, "Its name, its id, or the id's first digits")->required();
  add_store_options(*show, *shown, "halyard.kernel-detail/1");
  actions[show] = [shown] { return show_kernel(*shown); };
}

}  // namespace halyard::command_line
