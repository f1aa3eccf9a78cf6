// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/verify_command.h"

#include "halyard/halyard.hpp"
#include "halyard/services/verification.h"

#include "tools/halyard/document.h"
#include "tools/halyard/failure.h"
#include "tools/halyard/figure_text.h"
#include "tools/halyard/progress_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

struct VerifyOptions {
  std::string directory;
  std::string device = "cpu:0";
  std::string counter_example;
  std::string isolation = "reduced";
  std::uint64_t seed = 0;
  std::uint32_t budget_s = 600;
  std::uint32_t patience_ms = 10'000;
  bool leaves_out_timing = false;
  bool keeps = false;
  bool as_json = false;
};

class VerdictDocument
    : public Handle<halyard_document, halyard_document_retain, halyard_document_release> {
 public:
  using Handle::Handle;
  std::string text() const { return halyard_document_text(get()); }
};

std::uint32_t isolation_of(const std::string& word) {
  if (word == "full") return HALYARD_ISOLATION_FULL;
  if (word == "none") return HALYARD_ISOLATION_NONE;
  return HALYARD_ISOLATION_REDUCED;
}

// "types T=f32, batch=1 hidden=3, inputs normal: y[0, 2] is 0, expected 1.25".
std::string example_text(const json::object& example) {
  std::string text = pairs_text(object_of(example, "types"));
  const std::string attributes = pairs_text(object_of(example, "attributes"));
  if (!attributes.empty()) text += " " + attributes;
  text += ", " + pairs_text(object_of(example, "axes")) + ", inputs " + text_of(example, "inputs");
  if (example.contains("tensor")) {
    text += ": " + text_of(example, "tensor");
    if (example.contains("index")) text += "[" + join(array_of(example, "index"), ", ") + "]";
  }
  if (example.contains("got")) {
    text += " is " + text_of(example, "got") + ", expected " + text_of(example, "expected");
  }
  return text;
}

void print_finding(const json::object& finding) {
  std::cout << "stage     " << text_of(finding, "stage") << '\n'
            << "because   " << text_of(finding, "sentence") << '\n';
  if (finding.contains("held_out")) {
    std::cout << "smallest  not shown: the launch is one of those held out\n";
  }
  if (!finding.contains("counter_example")) return;
  std::cout << "smallest  " << example_text(object_of(finding, "counter_example")) << '\n'
            << "again     " << text_of(finding, "reproduce") << '\n';
}

void print_stages(const json::object& verdict) {
  for (const json::value& value : array_of(verdict, "stages")) {
    const json::object& stage = value.as_object();
    std::string name = text_of(stage, "stage");
    name.resize(std::max<std::size_t>(name.size(), 12), ' ');
    const double ms = number_of(stage, "ms").value_or(0);
    std::cout << "  " << name << text_of(stage, "result") << ", "
              << (ms < 1 ? "less than 1 ms" : duration(ms * 1e6));
    for (const char* const part : {"subject", "summary"}) {
      if (stage.contains(part)) std::cout << ", " << text_of(stage, part);
    }
    std::cout << '\n';
  }
}

void print_verdict(const json::object& verdict) {
  const json::object& kernel = object_of(verdict, "kernel");
  if (!kernel.empty()) {
    std::cout << "kernel    " << text_of(kernel, "name") << ' ' << text_of(kernel, "version")
              << " of " << text_of(kernel, "contract") << ", " << text_of(kernel, "id") << '\n';
  }
  std::cout << "device    " << text_of(object_of(verdict, "device"), "id") << '\n'
            << "isolation " << text_of(verdict, "isolation");
  if (verdict.contains("isolation_shortfall")) {
    std::cout << ": " << text_of(verdict, "isolation_shortfall");
  }
  std::cout << "\nverdict   " << text_of(verdict, "class") << '\n';
  if (verdict.contains("finding")) print_finding(object_of(verdict, "finding"));
  const json::object& promotion = object_of(verdict, "promotion");
  if (!promotion.empty()) {
    std::cout << "promotion " << text_of(promotion, "answer") << ": "
              << text_of(promotion, "reason") << '\n';
  }
  print_stages(verdict);
}

void show_progress(void* line, const char* stage, const char* subject) {
  static_cast<ProgressLine*>(line)->show(std::string(stage) + " " + subject);
}

int run_verification(const VerifyOptions& options) {
  const Instance instance = Instance::create();
  const Device device = instance.device(options.device.c_str());
  halyard_verification_desc desc = HALYARD_VERIFICATION_DESC_INIT;
  desc.times = options.leaves_out_timing ? 0 : 1;
  desc.seed = options.seed;
  desc.least_isolation = isolation_of(options.isolation);
  desc.keeps = options.keeps ? 1 : 0;
  desc.budget_ms = options.budget_s * 1000;
  desc.launch_patience_ms = options.patience_ms;
  if (!options.counter_example.empty()) desc.counter_example = options.counter_example.c_str();
  halyard_document* document = nullptr;
  std::uint32_t accepted = 0;
  {
    ProgressLine progress;
    desc.progress = &show_progress;
    desc.progress_user_data = &progress;
    check(halyard_verification_run(device.get(), options.directory.c_str(), &desc, &document,
                                   &accepted));
  }
  const VerdictDocument verdict(document);
  if (options.as_json) {
    std::cout << verdict.text() << '\n';
  } else {
    print_verdict(parse_document(verdict.text(), "The verdict"));
  }
  return accepted != 0 ? kDone : kFailed;
}

}  // namespace

Action define_verify(CLI::App& app) {
  const auto options = std::make_shared<VerifyOptions>();
  app.add_option("DIR", options->directory, "The folder with kernel.json")->required();
  app.add_option("--device", options->device, "The device to verify for")->capture_default_str();
  app.add_option("--counter-example", options->counter_example,
                 "Make only this launch, as a verdict shows it (JSON)");
  app.add_option("--isolation", options->isolation, "The least that is accepted")
      ->check(CLI::IsMember({"full", "reduced", "none"}))
      ->capture_default_str();
  app.add_option("--seed", options->seed, "Of inputs and shapes; 0: a fresh secret");
  app.add_option("--budget", options->budget_s, "Seconds for each of numerics, stability, timing")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  app.add_option("--patience", options->patience_ms, "Milliseconds before a launch counts as hung")
      ->check(CLI::Range(1, 3'600'000))
      ->capture_default_str();
  app.add_flag("--no-timing", options->leaves_out_timing,
               "Leave the stage of timing out, which takes minutes");
  app.add_flag("--keep", options->keeps, "Keep package, builds, evidence and state in the store");
  app.add_flag("--json", options->as_json, "Print JSON (halyard.verdict/1)");
  return [options] { return run_verification(*options); };
}

}  // namespace halyard::command_line
