// SPDX-License-Identifier: Apache-2.0
#include "halyard/services/worker.h"

#include "kernel-store/postgres/open_postgres_store.h"
#include "kernel-store/process_identity.h"
#include "runtime/base/boundary.h"
#include "runtime/base/text.h"
#include "runtime/fleet/device_verifier.h"
#include "runtime/fleet/fleet_worker.h"
#include "runtime/fleet/loopback_listener.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace base = halyard::base;
namespace fleet = halyard::fleet;
namespace store = halyard::store;
namespace verification = halyard::verification;

constexpr std::uint32_t kMostLeaseMs = 24U * 3600 * 1000;

base::Result<verification::VerificationOptions> options_of(const halyard_worker_desc& desc) {
  verification::VerificationOptions options;
  options.times = desc.times != 0;
  switch (desc.least_isolation) {
    case HALYARD_ISOLATION_DEFAULT:
    case HALYARD_ISOLATION_REDUCED:
      return options;
    case HALYARD_ISOLATION_NONE:
      options.rules.accepts_none = true;
      return options;
    case HALYARD_ISOLATION_FULL:
      options.rules.accepts_reduced = false;
      return options;
    default:
      return base::invalid_argument(
          base::concat("There is no isolation number ", desc.least_isolation, "."));
  }
}

base::Result<std::chrono::seconds> lease_of(const halyard_worker_desc& desc) {
  if (desc.lease_ms == 0) return std::chrono::seconds(60);
  if (desc.lease_ms < 1000 || desc.lease_ms > kMostLeaseMs) {
    return base::invalid_argument(base::concat(
        "The lease (", desc.lease_ms, " ms) is not between 1000 and ", kMostLeaseMs, " ms."));
  }
  return std::chrono::seconds(desc.lease_ms / 1000);
}

// A second opening, so that the claim is renewed while the first one is busy.
base::Result<std::unique_ptr<store::KernelStore>> open_for_work(const std::string& url) {
  HALYARD_TRY_ASSIGN(auto opened, store::open_any_store(url));
  const base::Result<store::StoreCondition> condition = opened->condition();
  if (!condition) {
    // One that is away comes back.
    if (condition.error().code() == base::ErrorCode::kUnavailable) return opened;
    return condition.error();
  }
  if (condition->mode == store::StoreCondition::Mode::kReadWrite) return opened;
  return base::Error(
      base::ErrorCode::kPermissionDenied,
      base::concat("The store \"", opened->url(), "\" cannot be worked for: ",
                   condition->reason.empty() ? "It is in memory only." : condition->reason));
}

base::Status check_metrics_port(std::uint32_t port) {
  if (port <= 65535) return base::ok();
  return base::invalid_argument(base::concat("The port ", port, " is above 65535."));
}

base::Result<std::vector<fleet::FleetDevice>> devices_of(const halyard_worker_desc& desc) {
  HALYARD_TRY_ASSIGN(const verification::VerificationOptions options, options_of(desc));
  std::vector<fleet::FleetDevice> devices;
  for (std::uint32_t i = 0; i < desc.device_count; ++i) {
    HALYARD_TRY(base::require_not_null(desc.devices[i], "devices[]"));
    HALYARD_TRY_ASSIGN(fleet::FleetDevice device,
                       fleet::make_fleet_device(
                           desc.devices[i], desc.worker != nullptr ? desc.worker : "", options));
    devices.push_back(std::move(device));
  }
  return devices;
}

void count_queue(store::KernelStore& opened, const std::vector<fleet::FleetDevice>& devices,
                 fleet::WorkerMetrics& metrics) {
  const auto depth = opened.requests().count_pending(fleet::filter_of(devices));
  metrics.queue_depth = depth ? static_cast<std::int64_t>(*depth) : -1;
}

std::string ready_text(const std::string& url, const std::vector<fleet::FleetDevice>& devices,
                       std::uint32_t port) {
  std::vector<std::string> ids;
  for (const fleet::FleetDevice& device : devices)
    ids.push_back(device.id);
  std::string text = base::concat("Requests of ", url, " are taken for ", base::join(ids), ".");
  if (port != 0) text += base::concat(" Metrics are on http://127.0.0.1:", port, "/metrics.");
  return text;
}

base::Status run_worker(const halyard_worker_desc& desc) {
  fleet::FleetWorkerOptions options;
  HALYARD_TRY_ASSIGN(options.lease, lease_of(desc));
  HALYARD_TRY(check_metrics_port(desc.metrics_port));
  HALYARD_TRY_ASSIGN(const std::vector<fleet::FleetDevice> devices, devices_of(desc));
  HALYARD_TRY_ASSIGN(const auto opened, open_for_work(desc.store));
  HALYARD_TRY_ASSIGN(const auto keeper, store::open_any_store(desc.store));
  fleet::WorkerMetrics metrics;
  std::unique_ptr<fleet::LoopbackListener> listener;
  if (desc.metrics_port != 0) {
    HALYARD_TRY_ASSIGN(listener, fleet::LoopbackListener::start(
                                     static_cast<std::uint16_t>(desc.metrics_port), [&] {
                                       count_queue(*keeper, devices, metrics);
                                       return metrics.text();
                                     }));
  }
  const store::ProcessIdentity here = store::this_process();
  options.owner = base::concat(here.host, '/', here.pid);
  options.once = desc.once != 0;
  if (desc.stops != nullptr) {
    options.should_stop = [&desc] { return desc.stops(desc.user_data) != 0; };
  }
  std::mutex reporting;
  options.report = [&](fleet::WorkerEvent event, const std::string& sentence) {
    if (desc.callback == nullptr) return;
    const std::lock_guard lock(reporting);
    desc.callback(desc.user_data, static_cast<std::uint32_t>(event), sentence.c_str());
  };
  options.report(fleet::WorkerEvent::kReady,
                 ready_text(opened->url(), devices, listener ? listener->port() : 0));
  fleet::FleetWorker worker(*opened, *keeper, devices, std::move(options), metrics);
  return worker.run();
}

}  // namespace

extern "C" halyard_status halyard_worker_run(const halyard_worker_desc* given) {
  return base::guard([&]() -> base::Status {
    HALYARD_TRY_ASSIGN(const halyard_worker_desc desc,
                       base::read_struct(given, sizeof(halyard_worker_desc), "desc"));
    HALYARD_TRY(base::require_not_null(desc.store, "desc.store"));
    HALYARD_TRY(base::require_not_null(desc.devices, "desc.devices"));
    if (desc.device_count == 0) return base::invalid_argument("desc.device_count is 0.");
    return run_worker(desc);
  });
}
