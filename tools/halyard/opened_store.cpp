// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/opened_store.h"

#include "tools/halyard/document.h"

#include <array>
#include <cstdint>
#include <ctime>
#include <utility>

namespace halyard::command_line {

ServiceDocument take_document(const std::function<halyard_status(halyard_document**)>& call) {
  halyard_document* document = nullptr;
  check(call(&document));
  return ServiceDocument(document);
}

OpenedStore OpenedStore::open(const std::string& url) {
  halyard_store_desc desc = HALYARD_STORE_DESC_INIT;
  desc.url = given_or_null(url);
  halyard_store* opened = nullptr;
  check(halyard_store_open(&desc, &opened));
  return OpenedStore(opened);
}

void add_store_options(CLI::App& app, StoreChoice& choice, const std::string& document_format) {
  app.add_option("--store", choice.url, "Another store than the configured one (path or URL)");
  app.add_flag("--json", choice.as_json, "Print JSON (" + document_format + ")");
}

Action run_subcommand(CLI::App& app, std::shared_ptr<SubcommandActions> actions) {
  return
      [&app, actions = std::move(actions)] { return actions->at(app.get_subcommands().front())(); };
}

std::string counted(double count, const std::string& thing) {
  const auto whole = static_cast<std::uint64_t>(count);
  return std::to_string(whole) + " " + thing + (whole == 1 ? "" : "s");
}

std::string time_text(const boost::json::object& object, std::string_view name) {
  const double time_ms = number_of(object, name).value_or(0);
  if (time_ms <= 0) return "";
  const auto seconds = static_cast<std::time_t>(time_ms / 1000);
  std::tm parts{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return "";
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts);
  return text.data();
}

std::string drivers_text(const boost::json::object& entry) {
  const std::string first = text_of(entry, "first_driver");
  const std::string last = text_of(entry, "last_driver");
  if (first == last) return first.empty() ? "all" : first;
  if (last.empty()) return "from " + first;
  return first.empty() ? "up to " + last : first + " to " + last;
}

}  // namespace halyard::command_line
