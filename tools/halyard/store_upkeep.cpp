// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/store_upkeep.h"

#include "tools/halyard/document.h"
#include "tools/halyard/table_printer.h"

#include <boost/json/array.hpp>
#include <cstdint>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

struct CollectOptions : StoreChoice {
  std::optional<std::uint64_t> keep_bytes;
  std::uint32_t days = 30;
};

int verify_store(const StoreChoice& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  std::uint64_t damaged = 0;
  const ServiceDocument document = take_document(
      [&](halyard_document** out) { return halyard_store_verify(store.get(), out, &damaged); });
  const int code = damaged == 0 ? kDone : kFailed;
  if (options.as_json) {
    std::cout << document.text() << '\n';
    return code;
  }
  const json::object report = parse_document(document.text(), "The report");
  std::cout << counted(number_of(report, "records").value_or(0), "record") << ", "
            << counted(number_of(report, "bytes").value_or(0), "byte") << ", "
            << (damaged == 0 ? "none" : std::to_string(damaged)) << " damaged.\n";
  if (damaged == 0) return code;
  TablePrinter table({"damaged", "id", "because"});
  for (const json::value& value : array_of(report, "damaged")) {
    const json::object& record = value.as_object();
    table.add_row({text_of(record, "what"), text_of(record, "id"), text_of(record, "why")});
  }
  table.print(std::cout);
  return code;
}

int collect(const CollectOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  halyard_collection_desc desc = HALYARD_COLLECTION_DESC_INIT;
  desc.bounds_blobs = options.keep_bytes ? 1 : 0;
  desc.blob_bytes = options.keep_bytes.value_or(0);
  desc.older_than_s = std::uint64_t{options.days} * 24 * 60 * 60;
  const ServiceDocument document = take_document(
      [&](halyard_document** out) { return halyard_store_collect(store.get(), &desc, out); });
  if (options.as_json) {
    std::cout << document.text() << '\n';
    return kDone;
  }
  const json::object report = parse_document(document.text(), "The report");
  std::cout << "Removed " << counted(number_of(report, "builds").value_or(0), "build") << ", "
            << counted(number_of(report, "blobs").value_or(0), "blob") << " ("
            << counted(number_of(report, "bytes").value_or(0), "byte") << ") and "
            << counted(number_of(report, "requests").value_or(0), "request") << ".\n";
  return kDone;
}

}  // namespace

void define_store_upkeep(CLI::App& store, SubcommandActions& actions) {
  const auto verification = std::make_shared<StoreChoice>();
  CLI::App* const verify = store.add_subcommand("verify", "Hash every record again");
  add_store_options(*verify, *verification, "halyard.store-verification/1");
  actions[verify] = [verification] { return verify_store(*verification); };

  const auto collection = std::make_shared<CollectOptions>();
  CLI::App* const gc = store.add_subcommand("gc", "Remove what nothing names");
  gc->add_option("--keep-bytes", collection->keep_bytes,
                 "Builds go, those unused for longest first, until binaries take no more")
      ->check(CLI::NonNegativeNumber);
  gc->add_option("--older-than", collection->days,
                 "Days after which settled requests and builds of retired kernels go")
      ->check(CLI::Range(0, 24855))
      ->capture_default_str();
  add_store_options(*gc, *collection, "halyard.collection/1");
  actions[gc] = [collection] { return collect(*collection); };
}

}  // namespace halyard::command_line
