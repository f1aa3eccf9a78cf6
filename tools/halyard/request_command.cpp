// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/request_command.h"

#include "halyard/halyard.hpp"

#include "tools/halyard/document.h"
#include "tools/halyard/opened_store.h"
#include "tools/halyard/table_printer.h"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>
#include <memory>
#include <string>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

constexpr std::size_t kShortIdDigits = 12;

struct RequestOptions : StoreChoice {
  std::string request;  // Its id, or the file of a new one.
  std::string kind;
  std::string target;
};

int list_requests(const RequestOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  const ServiceDocument document = take_document(
      [&](halyard_document** out) { return halyard_store_requests(store.get(), out); });
  if (options.as_json) {
    std::cout << document.text() << '\n';
    return kDone;
  }
  const json::object list = parse_document(document.text(), "The list of requests");
  TablePrinter table({"id", "kind", "target", "status", ">attempts", "owner", "since", "contract"});
  for (const json::value& value : array_of(list, "requests")) {
    const json::object& request = value.as_object();
    table.add_row({text_of(request, "id").substr(0, kShortIdDigits), text_of(request, "kind"),
                   text_of(request, "target"), text_of(request, "status"),
                   text_of(request, "attempts"), text_of(request, "owner"),
                   time_text(request, "time_ms"),
                   text_of(object_of(request, "document"), "contract")});
  }
  table.print(std::cout);
  return kDone;
}

int print_request(const RequestOptions& options, const ServiceDocument& document) {
  if (options.as_json) {
    std::cout << document.text() << '\n';
    return kDone;
  }
  const json::object request = parse_document(document.text(), "The request");
  for (const char* const name : {"id", "kind", "target", "status", "attempts", "owner"}) {
    std::string title = name;
    title.resize(10, ' ');
    std::cout << title << text_of(request, name) << '\n';
  }
  std::cout << "since     " << time_text(request, "time_ms") << '\n'
            << "outcome   " << text_of(request, "outcome") << '\n'
            << json::serialize(*request.if_contains("document")) << '\n';
  return kDone;
}

int show_request(const RequestOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  return print_request(options, take_document([&](halyard_document** out) {
                         return halyard_store_request(store.get(), options.request.c_str(), out);
                       }));
}

int put_request(const RequestOptions& options) {
  const std::string text = read_file(options.request);
  const OpenedStore store = OpenedStore::open(options.url);
  return print_request(options, take_document([&](halyard_document** out) {
                         return halyard_store_put_request(store.get(), options.kind.c_str(),
                                                          given_or_null(options.target),
                                                          text.c_str(), out);
                       }));
}

int cancel_request(const RequestOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  check(halyard_store_cancel_request(store.get(), options.request.c_str()));
  std::cout << "Request " << options.request << " is cancelled.\n";
  return kDone;
}

}  // namespace

Action define_request(CLI::App& app) {
  app.require_subcommand(1);
  const auto actions = std::make_shared<SubcommandActions>();
  const auto listed = std::make_shared<RequestOptions>();
  CLI::App* const list = app.add_subcommand("list", "List the requests");
  add_store_options(*list, *listed, "halyard.requests/1");
  (*actions)[list] = [listed] { return list_requests(*listed); };

  const auto shown = std::make_shared<RequestOptions>();
  CLI::App* const show = app.add_subcommand("show", "Show one request");
  show->add_option("REQUEST", shown->request, "Its id, or the id's first digits")->required();
  add_store_options(*show, *shown, "halyard.request-detail/1");
  (*actions)[show] = [shown] { return show_request(*shown); };

  const auto made = std::make_shared<RequestOptions>();
  CLI::App* const put = app.add_subcommand("put", "Ask for something to be done");
  put->add_option("FILE", made->request, "The request, as JSON")->required();
  put->add_option("--kind", made->kind, "What is asked for")
      ->check(CLI::IsMember({"kernel", "verification", "measurement"}))
      ->required();
  put->add_option("--target", made->target, "The target it is for; default any");
  add_store_options(*put, *made, "halyard.request-detail/1");
  (*actions)[put] = [made] { return put_request(*made); };

  const auto cancelled = std::make_shared<RequestOptions>();
  CLI::App* const cancel = app.add_subcommand("cancel", "Cancel an open request");
  cancel->add_option("REQUEST", cancelled->request, "Its id, or the id's first digits")->required();
  cancel->add_option("--store", cancelled->url, "Another store than the configured one");
  (*actions)[cancel] = [cancelled] { return cancel_request(*cancelled); };
  return run_subcommand(app, actions);
}

}  // namespace halyard::command_line
