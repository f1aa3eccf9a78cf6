// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/devices_command.h"

#include "tools/halyard/device_document.h"
#include "tools/halyard/document.h"
#include "tools/halyard/table_printer.h"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <cstddef>
#include <iostream>
#include <memory>

namespace halyard::command_line {
namespace {

// "vulkan:0: the driver and amd/gfx1100 disagree on limit.shared_bytes, subgroup.size."
void print_disagreements(const boost::json::object& device) {
  const boost::json::array& all = array_of(device, "disagreements");
  if (all.empty()) return;
  std::cout << text_of(device, "id") << ": the driver and " << text_of(device, "descriptor")
            << " disagree on ";
  for (std::size_t i = 0; i < all.size(); ++i)
    std::cout << (i == 0 ? "" : ", ") << text_of(all[i].as_object(), "key");
  std::cout << ".\n";
}

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
  for (const auto& entry : list)
    print_disagreements(entry.as_object());
  return kDone;
}

}  // namespace

Action define_devices(CLI::App& app) {
  const auto as_json = std::make_shared<bool>(false);
  app.add_flag("--json", *as_json, "Print JSON (halyard.devices/1)");
  return [as_json] { return run_devices(*as_json); };
}

}  // namespace halyard::command_line
