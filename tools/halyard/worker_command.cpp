// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/worker_command.h"

#include "halyard/halyard.hpp"
#include "halyard/services/worker.h"

#include "tools/halyard/failure.h"

#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace halyard::command_line {
namespace {

struct WorkerOptions {
  std::string store;
  std::vector<std::string> devices;
  std::string isolation = "reduced";
  std::uint32_t metrics_port = 0;
  std::uint32_t lease_s = 60;
  bool once = false;
  bool times = true;
};

volatile sig_atomic_t g_signal = 0;

void note_signal(int number) {
  g_signal = number;
}

// A second signal ends the process as it would have without us.
void catch_signals() {
  struct sigaction action {};
  action.sa_handler = &note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGTERM, SIGINT})
    sigaction(number, &action, nullptr);
}

std::uint32_t is_stopped(void*) {
  return g_signal != 0 ? 1 : 0;
}

void print_event(void*, std::uint32_t event, const char* sentence) {
  std::cerr << "halyard: " << sentence << std::endl;
  // The request is open again. What is still running is confined, and ends with this process.
  if (event == HALYARD_WORKER_EVENT_GAVE_BACK && g_signal != 0) ::_exit(kDone);
}

std::uint32_t isolation_of(const std::string& word) {
  if (word == "full") return HALYARD_ISOLATION_FULL;
  if (word == "none") return HALYARD_ISOLATION_NONE;
  return HALYARD_ISOLATION_REDUCED;
}

int run_worker(const WorkerOptions& options) {
  const Instance instance = Instance::create();
  std::vector<Device> devices;
  std::vector<halyard_device*> handles;
  for (const std::string& id : options.devices)
    devices.push_back(instance.device(id.c_str()));
  for (const Device& device : devices)
    handles.push_back(device.get());
  catch_signals();
  halyard_worker_desc desc = HALYARD_WORKER_DESC_INIT;
  desc.once = options.once ? 1 : 0;
  desc.store = options.store.c_str();
  desc.devices = handles.data();
  desc.device_count = static_cast<std::uint32_t>(handles.size());
  desc.metrics_port = options.metrics_port;
  desc.lease_ms = options.lease_s * 1000;
  desc.least_isolation = isolation_of(options.isolation);
  desc.times = options.times ? 1 : 0;
  desc.callback = &print_event;
  desc.stops = &is_stopped;
  check(halyard_worker_run(&desc));
  return kDone;
}

}  // namespace

Action define_worker(CLI::App& app) {
  const auto options = std::make_shared<WorkerOptions>();
  options->devices = {"cpu:0"};
  app.add_option("--store", options->store, "The store that asks (postgresql://…, or a path)")
      ->required();
  app.add_option("--device", options->devices, "A device to verify on; once for each")
      ->capture_default_str();
  app.add_option("--isolation", options->isolation, "The least that is accepted")
      ->check(CLI::IsMember({"full", "reduced", "none"}))
      ->capture_default_str();
  app.add_option("--metrics", options->metrics_port,
                 "Offer metrics on this port of 127.0.0.1 (Prometheus)")
      ->check(CLI::Range(1, 65535));
  app.add_option("--lease", options->lease_s, "How long a claim holds unless renewed, in seconds")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  app.add_flag("--once", options->once, "End when nothing is left to do");
  app.add_flag("!--no-timing", options->times, "Leave the stage of timing out");
  return [options] { return run_worker(*options); };
}

}  // namespace halyard::command_line
