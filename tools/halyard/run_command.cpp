// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/run_command.h"

#include "tools/halyard/document.h"
#include "tools/halyard/evaluation.h"
#include "tools/halyard/explanation.h"
#include "tools/halyard/figure_text.h"
#include "tools/halyard/operation_request.h"

#include <CLI/CLI.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>
#include <memory>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

constexpr std::uint32_t kTimeBudgetMs = 2000;

struct RunOptions {
  OperationOptions operation;
  bool check = false;
  bool allow_reference = false;
  bool as_json = false;
};

void print_operation(const json::object& operation, bool checked) {
  std::cout << "kernel   " << text_of(operation, "kernel_name") << '\n'
            << "target   " << text_of(operation, "target") << '\n'
            << "state    " << text_of(operation, "state") << '\n'
            << "why      " << text_of(operation, "reason") << '\n';
  if (checked) {
    std::cout << "error    " << figure(number_of(operation, "error_ratio")) << " of the tolerance ("
              << text_of(operation, "checked") << ")\n";
  } else {
    std::cout << "error    not checked (--check compares with the f64 reference)\n";
  }
  std::cout << "time     " << duration(number_of(operation, "median_ns")) << ", spread "
            << duration(number_of(operation, "spread_ns")) << ", clock "
            << text_of(operation, "clock") << '\n'
            << "GB/s     "
            << rate(number_of(operation, "gbps"), number_of(operation, "bandwidth_fraction"))
            << (text_of(operation, "cache") == "warm" ? ", on data in the cache" : "") << '\n'
            << "GFLOP/s  "
            << rate(number_of(operation, "gflops"), number_of(operation, "arithmetic_fraction"))
            << '\n';
}

// What the percentages are of, or why there are none.
void print_ceiling(const json::object& results) {
  const json::object& ceilings = object_of(results, "ceilings");
  const json::object& bandwidth = object_of(ceilings, "bandwidth");
  if (bandwidth.empty()) {
    for (const json::value& note : array_of(ceilings, "notes"))
      std::cout << std::string(note.as_string()) << '\n';
    return;
  }
  std::cout << "Percentages are of the ceilings measured in the same run; memory gave "
            << figure(number_of(bandwidth, "value")) << ' ' << text_of(bandwidth, "unit") << ".\n";
}

int run_operation(const RunOptions& options) {
  const Instance instance = Instance::create();
  const OperationRequest request(instance, options.operation);
  const Device device = instance.device(device_id(options.operation.device));
  // Says what is wrong with a name or a value before anything is allocated.
  explain(device, request.desc());
  halyard_evaluation_desc desc = HALYARD_EVALUATION_DESC_INIT;
  desc.kernel = request.desc().kernel;
  desc.check = options.check ? 1 : 0;
  desc.measure = 1;
  desc.allow_reference = options.allow_reference ? 1 : 0;
  desc.time_budget_ms = kTimeBudgetMs;
  const Results results = evaluate(device, json::serialize(request.workload()), desc);
  if (options.as_json) {
    std::cout << results.json() << '\n';
  } else {
    const json::object document = parse_document(results.json(), "The results");
    std::cout << request.text() << " on " << device.info().id << " (" << device.info().name
              << ")\n";
    for (const json::value& operation : array_of(document, "operations"))
      print_operation(operation.as_object(), options.check);
    print_ceiling(document);
  }
  if (results.passed()) return kDone;
  std::cerr << "halyard: The outputs are outside of the contract's tolerance.\n";
  return kFailed;
}

}  // namespace

Action define_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  add_operation_options(app, options->operation);
  app.add_flag("--check", options->check, "Compare the outputs with the f64 reference");
  app.add_flag("--allow-reference", options->allow_reference,
               "Without a kernel, run the slow f64 reference");
  app.add_flag("--json", options->as_json, "Print JSON (halyard.results/1)");
  return [options] { return run_operation(*options); };
}

}  // namespace halyard::command_line
