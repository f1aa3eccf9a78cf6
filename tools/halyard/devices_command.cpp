// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/devices_command.h"

#include "tools/halyard/device_document.h"
#include "tools/halyard/document.h"
#include "tools/halyard/table_printer.h"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <iostream>
#include <memory>

namespace halyard::command_line {
namespace {

int run_devices(bool as_json) {
  const auto devices = Instance::create().devices();
  boost::json::array list;
  for (const Device& device : devices)
    list.push_back(device_document(device));
  if (as_json) {
    print_document({{"format", "halyard.devices/1"}, {"devices", list}});
    return kDone;
  }
  if (list.empty()) {
    std::cerr << "There is no device; halyard doctor says why.\n";
    return kDone;
  }
  TablePrinter table({"id", "name", "kind", "driver", "target"});
  for (const auto& entry : list) {
    const auto& device = entry.as_object();
    table.add_row({text_of(device, "id"), text_of(device, "name"), text_of(device, "kind"),
                   text_of(device, "driver"), text_of(device, "target")});
  }
  table.print(std::cout);
  return kDone;
}

}  // namespace

Action define_devices(CLI::App& app) {
  const auto as_json = std::make_shared<bool>(false);
  app.add_flag("--json", *as_json, "Print JSON (halyard.devices/1)");
  return [as_json] { return run_devices(*as_json); };
}

}  // namespace halyard::command_line
