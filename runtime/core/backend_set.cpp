// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/backend_set.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

namespace halyard::core {
namespace {

// What "default" prefers, best first. A device of another kind is used only when named.
constexpr std::array kDefaultKinds = {DeviceKind::kDiscreteGpu, DeviceKind::kIntegratedGpu,
                                      DeviceKind::kVirtualGpu, DeviceKind::kCpu};

bool is_called(const Device& device, std::string_view id, std::string_view within_backend) {
  return device.info().id == id ||
         (!within_backend.empty() && device.info().physical_id == within_backend);
}

base::Error not_found(std::string message) {
  return base::Error(base::ErrorCode::kNotFound, std::move(message));
}

}  // namespace

struct BackendSet::Entry {
  NamedBackendFactory factory;
  std::mutex mutex;  // guards all below until `enumerated` is set
  bool enumerated = false;
  std::unique_ptr<Backend> backend;
  std::vector<base::Ref<Device>> devices;
  std::string reason;  // for having no devices
};

BackendSet::BackendSet(std::span<const NamedBackendFactory> factories,
                       base::Ref<const BackendSettings> settings)
    : settings_(std::move(settings)),
      descriptors_(settings_) {
  for (const NamedBackendFactory& factory : factories) {
    entries_.push_back(std::make_unique<Entry>());
    entries_.back()->factory = factory;
  }
}

BackendSet::~BackendSet() = default;

std::vector<base::Ref<Device>> BackendSet::devices() {
  std::vector<base::Ref<Device>> all;
  for (const auto& each : entries_) {
    const Entry& entry = enumerate_once(*each);
    all.insert(all.end(), entry.devices.begin(), entry.devices.end());
  }
  return all;
}

base::Result<base::Ref<Device>> BackendSet::device(std::string_view id) {
  if (id == "default") return default_device();
  const std::size_t colon = id.find(':');
  const std::string_view name = id.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : id.substr(colon + 1);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const auto& entry) { return entry->factory.name == name; });
  if (found == entries_.end()) {
    std::vector<std::string_view> names;
    for (const auto& entry : entries_)
      names.push_back(entry->factory.name);
    return not_found(
        base::concat("Device \"", id, "\" names no backend; there are ", base::join(names), "."));
  }
  const Entry& entry = enumerate_once(**found);
  if (entry.devices.empty()) {
    return not_found(
        base::concat("Backend \"", name, "\" has no device \"", id, "\": ", entry.reason));
  }
  if (colon == std::string_view::npos) return entry.devices.front();
  std::vector<std::string_view> ids;
  for (const auto& device : entry.devices) {
    if (is_called(*device, id, rest)) return device;
    ids.push_back(device->info().id);
  }
  return not_found(base::concat("Backend \"", name, "\" has no device \"", id, "\"; it has ",
                                base::join(ids), "."));
}

base::Result<base::Ref<Device>> BackendSet::default_device() {
  const std::vector<base::Ref<Device>> all = devices();
  for (const DeviceKind kind : kDefaultKinds) {
    for (const auto& device : all) {
      if (device->info().kind == kind) return device;
    }
  }
  std::vector<std::string> reasons;
  for (const BackendReport& report : reports()) {
    reasons.push_back(base::concat(
        report.name, ": ", report.reason.empty() ? "only software devices." : report.reason));
  }
  return not_found(base::concat("There is no default device. ", base::join(reasons, " ")));
}

std::vector<BackendReport> BackendSet::reports() {
  std::vector<BackendReport> all;
  for (const auto& each : entries_) {
    const Entry& entry = enumerate_once(*each);
    BackendReport& report = all.emplace_back();
    report.name = std::string(entry.factory.name);
    report.device_count = entry.devices.size();
    report.reason = entry.reason;
    if (entry.backend != nullptr) report.notes = entry.backend->notes();
  }
  return all;
}

const BackendSet::Entry& BackendSet::enumerate_once(Entry& entry) {
  const std::lock_guard lock(entry.mutex);
  if (!std::exchange(entry.enumerated, true)) enumerate(entry);
  return entry;
}

void BackendSet::enumerate(Entry& entry) {
  if (!settings_->configuration.allows_backend(entry.factory.name)) {
    entry.reason = base::concat(
        "HALYARD_BACKENDS (",
        base::join(settings_->configuration.backends.value.value_or(std::vector<std::string>())),
        ") leaves it out.");
    return;
  }
  entry.backend = entry.factory.create(*settings_);
  auto devices = entry.backend->enumerate();
  if (devices) {
    entry.devices = std::move(*devices);
    for (const auto& device : entry.devices)
      descriptors_.merge_into(*device);
    if (entry.devices.empty()) entry.reason = "The driver lists no device.";
  } else {
    entry.reason = devices.error().message();
  }
  settings_->log.write(base::LogLevel::kInfo,
                       base::concat("Backend \"", entry.factory.name, "\" has ",
                                    entry.devices.size(), " devices. ", entry.reason));
}

}  // namespace halyard::core
