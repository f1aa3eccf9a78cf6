// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/store_exchange.h"

#include "tools/halyard/document.h"
#include "tools/halyard/passphrase.h"

#include <boost/json/array.hpp>
#include <cstdint>
#include <iostream>
#include <memory>
#include <vector>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

struct ExchangeOptions : StoreChoice {
  std::string path;  // Or the other store's URL.
  std::vector<std::string> kernels;
  std::string contract;
  std::string target;
  KeyChoice key;
  bool pulls = false;
  bool pushes = false;
};

std::string counts_text(const json::object& counts) {
  std::string text;
  for (const char* const kind : {"kernel", "build", "approval", "state"}) {
    const double count = number_of(counts, std::string(kind) + "s").value_or(0);
    if (count > 0) text += (text.empty() ? "" : ", ") + counted(count, kind);
  }
  const double evidence = number_of(counts, "evidence").value_or(0);
  if (evidence > 0)
    text += (text.empty() ? "" : ", ") + counted(evidence, "piece") + " of evidence";
  return text.empty() ? "nothing" : text;
}

void print_notes(const json::object& report) {
  for (const json::value& note : array_of(report, "notes"))
    std::cout << "  " << std::string(note.as_string()) << '\n';
  const double left_out = number_of(report, "notes_left_out").value_or(0);
  if (left_out > 0) std::cout << "  and " << counted(left_out, "more note") << ".\n";
}

void print_exchange(const char* what, const json::object& report) {
  const std::string signer = text_of(report, "signer");
  std::cout << what << " " << counts_text(object_of(report, "added")) << " of "
            << counts_text(object_of(report, "offered"))
            << (signer.empty() ? "" : ", signed by " + signer) << ".\n";
  print_notes(report);
}

int import_path(const ExchangeOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  const ServiceDocument document = take_document([&](halyard_document** out) {
    return halyard_store_import(store.get(), options.path.c_str(), out);
  });
  if (options.as_json) {
    std::cout << document.text() << '\n';
  } else {
    print_exchange("Added", parse_document(document.text(), "The report"));
  }
  return kDone;
}

int export_path(const ExchangeOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  const Passphrase passphrase = passphrase_for(options.key);
  halyard_export_desc desc = HALYARD_EXPORT_DESC_INIT;
  std::vector<const char*> kernels;
  for (const std::string& kernel : options.kernels)
    kernels.push_back(kernel.c_str());
  desc.kernels = kernels.data();
  desc.kernel_count = static_cast<std::uint32_t>(kernels.size());
  desc.contract = given_or_null(options.contract);
  desc.target = given_or_null(options.target);
  desc.key_file = given_or_null(options.key.file);
  desc.passphrase = passphrase.data();
  desc.passphrase_size = passphrase.size();
  const ServiceDocument document = take_document([&](halyard_document** out) {
    return halyard_store_export(store.get(), options.path.c_str(), &desc, out);
  });
  if (options.as_json) {
    std::cout << document.text() << '\n';
    return kDone;
  }
  const json::object report = parse_document(document.text(), "The report");
  std::cout << "Wrote " << counts_text(object_of(report, "written")) << " to " << options.path
            << ".\n";
  print_notes(report);
  return kDone;
}

int sync_with(const ExchangeOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  std::uint32_t direction = HALYARD_SYNC_DIRECTION_BOTH;
  if (options.pulls) direction = HALYARD_SYNC_DIRECTION_PULL;
  if (options.pushes) direction = HALYARD_SYNC_DIRECTION_PUSH;
  const ServiceDocument document = take_document([&](halyard_document** out) {
    return halyard_store_sync(store.get(), options.path.c_str(), direction, out);
  });
  if (options.as_json) {
    std::cout << document.text() << '\n';
    return kDone;
  }
  const json::object report = parse_document(document.text(), "The report");
  if (!object_of(report, "pulled").empty()) print_exchange("Pulled", object_of(report, "pulled"));
  if (!object_of(report, "pushed").empty()) print_exchange("Pushed", object_of(report, "pushed"));
  return kDone;
}

}  // namespace

void define_store_exchange(CLI::App& store, SubcommandActions& actions) {
  const auto imported = std::make_shared<ExchangeOptions>();
  CLI::App* const import =
      store.add_subcommand("import", "Take over a kernel package or an export");
  import->add_option("PATH", imported->path, "A folder with kernel.json, or an export")->required();
  add_store_options(*import, *imported, "halyard.exchange/1");
  actions[import] = [imported] { return import_path(*imported); };

  const auto exported = std::make_shared<ExchangeOptions>();
  CLI::App* const writing = store.add_subcommand("export", "Write kernels to a folder or archive");
  writing
      ->add_option("PATH", exported->path,
                   "A new folder, or an archive that ends in .tar, .tar.gz, .tgz or .tar.zst")
      ->required();
  writing->add_option("--kernel", exported->kernels, "Only this kernel; may be repeated")
      ->allow_extra_args(false);
  writing->add_option("--contract", exported->contract, "Only kernels of this contract");
  writing->add_option("--target", exported->target, "Only what is known for this target");
  add_key_options(*writing, exported->key, "Sign the export with this key file");
  add_store_options(*writing, *exported, "halyard.export-report/1");
  actions[writing] = [exported] { return export_path(*exported); };

  const auto synced = std::make_shared<ExchangeOptions>();
  CLI::App* const sync = store.add_subcommand("sync", "Copy what one of two stores lacks");
  sync->add_option("URL", synced->path, "The other store")->required();
  CLI::Option* const pull = sync->add_flag("--pull", synced->pulls, "Only from the other store");
  sync->add_flag("--push", synced->pushes, "Only to the other store")->excludes(pull);
  add_store_options(*sync, *synced, "halyard.sync/1");
  actions[sync] = [synced] { return sync_with(*synced); };
}

}  // namespace halyard::command_line
