// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/version_command.h"

#include "halyard/version.h"

#include "tools/halyard/document.h"

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <iostream>
#include <memory>

namespace halyard::command_line {

Action define_version(CLI::App& app) {
  const auto as_json = std::make_shared<bool>(false);
  app.add_flag("--json", *as_json, "Print JSON (halyard.version/1)");
  return [as_json] {
    if (*as_json) {
      print_document({{"format", "halyard.version/1"}, {"version", halyard_version()}});
    } else {
      std::cout << "halyard " << halyard_version() << '\n';
    }
    return kDone;
  };
}

}  // namespace halyard::command_line
