// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/disassemble_command.h"

#include "tools/halyard/descriptor_catalog.h"
#include "tools/halyard/document.h"

#include <CLI/CLI.hpp>
#include <boost/json/object.hpp>
#include <iostream>
#include <memory>

namespace halyard::command_line {
namespace {

struct DisassembleOptions {
  std::string path;
  std::string target;
  bool as_json = false;
};

int run_disassemble(const DisassembleOptions& options) {
  const DescriptorCatalog catalog = DescriptorCatalog::open();
  const char* const target = options.target.empty() ? nullptr : options.target.c_str();
  const std::string text =
      read_document(halyard_disassemble, catalog.get(), options.path.c_str(), target);
  if (options.as_json) {
    print_document({{"format", "halyard.disassembly/1"}, {"file", options.path}, {"text", text}});
    return kDone;
  }
  std::cout << text;
  return kDone;
}

}  // namespace

Action define_disassemble(CLI::App& app) {
  const auto options = std::make_shared<DisassembleOptions>();
  app.add_option("FILE", options->path, "An AMDGCN code object (ELF)")->required();
  app.add_option("--target", options->target, "Read it as code for this target (gfx1100)");
  app.add_flag("--json", options->as_json, "Print JSON (halyard.disassembly/1)");
  return [options] { return run_disassemble(*options); };
}

}  // namespace halyard::command_line
