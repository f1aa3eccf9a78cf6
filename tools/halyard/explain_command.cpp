// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/explain_command.h"

#include "tools/halyard/document.h"
#include "tools/halyard/explanation.h"
#include "tools/halyard/operation_request.h"
#include "tools/halyard/table_printer.h"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <iostream>
#include <memory>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

struct ExplainOptions {
  OperationOptions operation;
  bool as_json = false;
};

int run_explain(const ExplainOptions& options) {
  const Instance instance = Instance::create();
  const OperationRequest request(instance, options.operation);
  const Device device = instance.device(device_id(options.operation.device));
  halyard_operation_desc desc = request.desc();
  desc.flags |= HALYARD_OPERATION_ASSUME_CONSTANTS;
  const std::string text = explain(device, desc);
  if (options.as_json) {
    std::cout << text << '\n';
    return kDone;
  }
  const json::object document = parse_document(text, "The explanation");
  std::cout << request.text() << " on " << device.info().id << " (" << device.info().name << ")\n";
  const auto& candidates = array_of(document, "candidates");
  if (candidates.empty()) {
    std::cout << "The store has no kernel of this contract for the device.\n";
    return kDone;
  }
  TablePrinter table({"kernel", "target", "state", "verdict", "reason"});
  bool can_run = false;
  for (const json::value& value : candidates) {
    const json::object& candidate = value.as_object();
    can_run = can_run || text_of(candidate, "verdict") != "refused";
    std::string reason = text_of(candidate, "reason");
    const std::string note = text_of(candidate, "note");
    if (!note.empty()) reason += " " + note;
    table.add_row({text_of(candidate, "kernel"), text_of(candidate, "target"),
                   text_of(candidate, "state"), text_of(candidate, "verdict"), reason});
  }
  table.print(std::cout);
  if (request.has_constants()) {
    std::cout << "Tensors that the contract lets be constant count as bound to constants.\n";
  }
  if (!can_run) {
    std::cout << (text_of(document, "reference") == "true" ? "The f64 reference would run.\n"
                                                           : "No kernel can run.\n");
  }
  return kDone;
}

}  // namespace

Action define_explain(CLI::App& app) {
  const auto options = std::make_shared<ExplainOptions>();
  add_operation_options(app, options->operation);
  app.add_flag("--json", options->as_json, "Print JSON (halyard.explanation/1)");
  return [options] { return run_explain(*options); };
}

}  // namespace halyard::command_line
