// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/measure_command.h"

#include "tools/halyard/atomic_file.h"
#include "tools/halyard/document.h"
#include "tools/halyard/evaluation.h"
#include "tools/halyard/measure_report.h"
#include "tools/halyard/operation_request.h"
#include "tools/halyard/price_list.h"
#include "tools/halyard/suite_file.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

namespace halyard::command_line {
namespace {

struct MeasureOptions {
  std::string suite;
  std::string device;
  std::string kernel;
  std::string out;
  std::string prices;
  std::vector<std::string> axes;
  bool no_check = false;
  bool allow_reference = false;
  bool as_json = false;
};

using Axes = std::vector<std::pair<std::string, std::int64_t>>;

Results run_suite(const MeasureOptions& options, const Device& device, const Axes& axes,
                  const std::string& workload) {
  std::vector<halyard_workload_axis> values;
  for (const auto& [name, value] : axes)
    values.push_back({name.c_str(), value});
  halyard_evaluation_desc desc = HALYARD_EVALUATION_DESC_INIT;
  desc.axis_count = static_cast<std::uint32_t>(values.size());
  desc.axes = values.data();
  desc.kernel = options.kernel.empty() ? nullptr : options.kernel.c_str();
  desc.check = options.no_check ? 0 : 1;
  desc.measure = 1;
  desc.allow_reference = options.allow_reference ? 1 : 0;
  return evaluate(device, workload, desc);
}

std::string heading(const MeasureOptions& options, const Device& device, const Axes& axes) {
  std::string text = options.suite;
  for (const auto& [name, value] : axes)
    text += " " + name + "=" + std::to_string(value);
  return text + " on " + device.info().id + " (" + device.info().name + ")";
}

int run_measure(const MeasureOptions& options) {
  const Axes axes = parse_axes(options.axes);
  std::optional<PriceList> prices;
  if (!options.prices.empty()) prices = PriceList::read(options.prices);
  std::optional<AtomicFile> out;
  if (!options.out.empty()) out.emplace(options.out);
  const Instance instance = Instance::create();
  const Device device = instance.device(device_id(options.device));
  const std::string workload = read_file(find_suite(instance, options.suite));
  const Results results = run_suite(options, device, axes, workload);
  if (out) out->commit(results.json() + "\n");
  if (options.as_json) {
    std::cout << results.json() << '\n';
  } else {
    const auto document = parse_document(results.json(), "The results");
    std::cout << heading(options, device, axes) << '\n';
    print_measure_report(std::cout, document);
    if (prices) {
      std::cout << prices->value_line(device.info(), step_ns(document).value_or(0)) << '\n';
    }
    if (out) std::cerr << "Written to " << options.out << ".\n";
  }
  if (results.passed()) return kDone;
  std::cerr << "halyard: Some outputs are outside of their contract's tolerance.\n";
  return kFailed;
}

}  // namespace

Action define_measure(CLI::App& app) {
  const auto options = std::make_shared<MeasureOptions>();
  app.add_option("SUITE", options->suite,
                 "A suite's name (smoke, llama-3.1-8b-decode), or a file (halyard.workload/1)")
      ->required();
  add_device_option(app, options->device);
  add_axis_option(app, options->axes);
  app.add_option("--out", options->out, "Write the results to this file (halyard.results/1)");
  app.add_option("--kernel", options->kernel, "Just this kernel: its name or id");
  app.add_option("--prices", options->prices, "A file with prices of devices (halyard.prices/1)");
  app.add_flag("--no-check", options->no_check, "Do not compare with the f64 reference");
  app.add_flag("--allow-reference", options->allow_reference,
               "Without a kernel, run the slow f64 reference");
  app.add_flag("--json", options->as_json, "Print JSON (halyard.results/1)");
  return [options] { return run_measure(*options); };
}

}  // namespace halyard::command_line
