// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/doctor_command.h"

#include "tools/halyard/device_document.h"
#include "tools/halyard/document.h"
#include "tools/halyard/figure_text.h"
#include "tools/halyard/isolation_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <iostream>
#include <memory>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

struct DoctorOptions {
  bool brief = false;
  bool as_json = false;
};

// What the report says about one backend, and its devices.
struct BackendFindings {
  const json::object* report;
  std::vector<Device> devices;
};

std::string line_name(std::string name) {
  name.resize(std::max<std::size_t>(name.size() + 1, 10), ' ');
  return name;
}

std::string capability_text(const Device& device, const char* key, double unit,
                            const std::string& suffix) {
  const halyard_capability capability = device.capability(key);
  if (capability.known == 0) return "";
  return ", " + significant(capability.number / unit) + suffix;
}

std::string cores_text(const Device& device) {
  const halyard_capability units = device.capability("compute.units");
  if (units.known == 0) return "";
  const auto count = static_cast<std::uint64_t>(units.number);
  return ", " + std::to_string(count) + (count == 1 ? " core" : " cores");
}

std::string device_text(const Device& device) {
  const halyard_device_info info = device.info();
  std::string text = std::string(info.id) + "  " + info.name;
  if (info.kind == HALYARD_DEVICE_KIND_CPU) {
    text += cores_text(device);
  } else {
    text += std::string(", ") + kind_name(info.kind);
  }
  constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;
  text += capability_text(device, "memory.total_bytes", kGibibyte, " GiB");
  return text + ", " + info.target;
}

std::string device_details(const Device& device) {
  const halyard_device_info info = device.info();
  if (info.kind != HALYARD_DEVICE_KIND_CPU) return std::string("driver ") + info.driver;
  const std::string features = set_flags(device, "cpu.");
  return "features " + (features.empty() ? "none that kernels ask for" : features);
}

std::string store_text(const json::object& report) {
  const json::object& store = object_of(report, "store");
  const std::string reason = text_of(store, "reason");
  std::string text = text_of(store, "url") + " (" + text_of(store, "mode") + ")";
  if (!reason.empty()) text += ": " + reason;
  return text;
}

// What a file of rules says, or why it cannot be read.
std::string file_text(const json::object& report, const char* name) {
  const json::object& file = object_of(report, name);
  const std::string reason = text_of(file, "reason");
  if (!reason.empty()) return reason;
  const std::string path = text_of(file, "path");
  return text_of(file, "summary") + (path.empty() ? "" : ", " + path);
}

std::vector<std::string> changed_settings(const json::object& report) {
  std::vector<std::string> lines;
  for (const json::value& value : array_of(report, "settings")) {
    if (!value.is_object()) continue;
    const json::object& setting = value.as_object();
    if (text_of(setting, "origin") == "default") continue;
    lines.push_back(text_of(setting, "variable") + "=" + text_of(setting, "value") + " (" +
                    text_of(setting, "origin") + ")");
  }
  return lines;
}

std::string joined(const std::vector<std::string>& texts, const char* separator) {
  std::string text;
  for (const std::string& part : texts)
    text += (text.empty() ? "" : separator) + part;
  return text;
}

void print_full(const json::object& report, const std::vector<BackendFindings>& backends) {
  std::cout << line_name("Halyard") << text_of(report, "version") << '\n'
            << line_name("Data") << text_of(report, "data_directory") << '\n'
            << line_name("Store") << store_text(report) << '\n'
            << line_name("Policy") << file_text(report, "policy") << '\n'
            << line_name("Trust") << file_text(report, "trust") << '\n'
            << line_name("Lock") << file_text(report, "lock") << '\n'
            << line_name("Isolation") << isolation_text(object_of(report, "isolation")) << '\n';
  const auto settings = changed_settings(report);
  if (settings.empty()) std::cout << line_name("Settings") << "all default\n";
  for (const std::string& line : settings)
    std::cout << line_name("Setting") << line << '\n';
  for (const BackendFindings& backend : backends) {
    const std::string name = line_name(text_of(*backend.report, "name"));
    if (backend.devices.empty()) {
      std::cout << name << "no device: " << text_of(*backend.report, "reason") << '\n';
    }
    std::string prefix = name;
    for (const Device& device : backend.devices) {
      std::cout << prefix << device_text(device) << '\n';
      prefix.assign(name.size(), ' ');
      std::cout << prefix << std::string(std::string(device.info().id).size() + 2, ' ')
                << device_details(device) << '\n';
    }
    for (const json::value& note : array_of(*backend.report, "notes")) {
      std::cout << std::string(name.size(), ' ')
                << "note: " << (note.is_string() ? std::string(note.as_string()) : "") << '\n';
    }
  }
}

bool is_emulator(const Device& device) {
  return device.info().kind == HALYARD_DEVICE_KIND_EMULATOR;
}

std::string brief_backend(const BackendFindings& backend) {
  if (backend.devices.empty()) return "no device: " + text_of(*backend.report, "reason");
  std::vector<std::string> texts;
  for (const Device& device : backend.devices)
    texts.push_back(is_emulator(device) ? std::string(device.info().id) : device_text(device));
  if (is_emulator(backend.devices.front())) return joined(texts, ", ") + ", interpreted on the CPU";
  return joined(texts, "; ");
}

// A line each for Halyard, the store, up to three backends with devices, and all others.
void print_brief(const json::object& report, std::vector<BackendFindings> backends) {
  constexpr std::size_t kMostBackends = 3;
  const std::string settings = joined(changed_settings(report), ", ");
  std::cout << line_name("Halyard") << text_of(report, "version")
            << (settings.empty() ? "" : ", " + settings) << '\n'
            << line_name("Store") << store_text(report) << '\n';
  std::stable_partition(backends.begin(), backends.end(),
                        [](const BackendFindings& backend) { return !backend.devices.empty(); });
  for (std::size_t i = 0; i < backends.size(); ++i) {
    const std::string name = text_of(*backends[i].report, "name");
    std::cout << (i > kMostBackends ? "; " + name + " " : line_name(name))
              << brief_backend(backends[i]) << (i < kMostBackends ? "\n" : "");
  }
  if (backends.size() > kMostBackends) std::cout << '\n';
}

int run_doctor(const DoctorOptions& options) {
  const Instance instance = Instance::create();
  json::object report = parse_document(instance.report(), "The library's report");
  if (options.as_json || !options.brief) report["isolation"] = isolation_document();
  const auto devices = instance.devices();
  if (options.as_json) {
    json::array list;
    for (const Device& device : devices)
      list.push_back(device_document(device));
    report["devices"] = std::move(list);
    print_document(report);
    return kDone;
  }
  std::vector<BackendFindings> backends;
  for (const json::value& value : array_of(report, "backends")) {
    if (!value.is_object()) continue;
    BackendFindings findings{&value.as_object(), {}};
    for (const Device& device : devices) {
      if (text_of(*findings.report, "name") == device.info().backend) {
        findings.devices.push_back(device);
      }
    }
    backends.push_back(std::move(findings));
  }
  if (options.brief) {
    print_brief(report, std::move(backends));
  } else {
    print_full(report, backends);
  }
  return kDone;
}

}  // namespace

Action define_doctor(CLI::App& app) {
  const auto options = std::make_shared<DoctorOptions>();
  app.add_flag("--brief", options->brief, "At most six lines");
  app.add_flag("--json", options->as_json, "Print JSON (halyard.doctor/1)");
  return [options] { return run_doctor(*options); };
}

}  // namespace halyard::command_line
