// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/fleet_worker.h"

#include "runtime/base/text.h"
#include "runtime/fleet/claim_keeper.h"
#include "runtime/fleet/verification_request.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace halyard::fleet {
namespace {

using base::concat;
using base::ErrorCode;
using base::Result;
using base::Status;
using std::chrono::steady_clock;
using store::RequestStatus;

store::RequestSettlement failed(std::string outcome) {
  return {RequestStatus::kFailed, std::move(outcome), {}, {}};
}

bool has_target(const FleetDevice& device, const std::string& target) {
  return std::find(device.targets.begin(), device.targets.end(), target) != device.targets.end();
}

// Tells that a request is worked on, and for how long.
class BusyTime {
 public:
  explicit BusyTime(WorkerMetrics& metrics) : metrics_(metrics) { metrics_.is_busy = true; }
  BusyTime(const BusyTime&) = delete;
  BusyTime& operator=(const BusyTime&) = delete;
  ~BusyTime() {
    const auto time = steady_clock::now() - begin_;
    metrics_.busy_ms += std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    metrics_.is_busy = false;
  }

 private:
  WorkerMetrics& metrics_;
  const steady_clock::time_point begin_ = steady_clock::now();
};

}  // namespace

store::RequestFilter filter_of(const std::vector<FleetDevice>& devices) {
  store::RequestFilter filter;
  filter.kinds = {store::RequestKind::kVerification};
  for (const FleetDevice& device : devices)
    filter.targets.insert(filter.targets.end(), device.targets.begin(), device.targets.end());
  return filter;
}

FleetWorker::FleetWorker(store::KernelStore& store, store::KernelStore& keeper,
                         const std::vector<FleetDevice>& devices, FleetWorkerOptions options,
                         WorkerMetrics& metrics)
    : store_(store),
      keeper_(keeper),
      devices_(devices),
      options_(std::move(options)),
      metrics_(metrics),
      pause_(options_.least_pause) {}

void FleetWorker::report(WorkerEvent event, const std::string& sentence) const {
  if (options_.report) options_.report(event, sentence);
}

void FleetWorker::pause() {
  const auto end = steady_clock::now() + pause_;
  while (steady_clock::now() < end && !should_stop())
    std::this_thread::sleep_for(std::min(pause_, std::chrono::milliseconds(100)));
  pause_ = std::min(pause_ * 2, options_.longest_pause);
}

const FleetDevice& FleetWorker::device_for(const std::string& target) const {
  const auto found = std::find_if(devices_.begin(), devices_.end(), [&](const FleetDevice& device) {
    return has_target(device, target);
  });
  return found != devices_.end() ? *found : devices_.front();
}

Status FleetWorker::run() {
  const store::RequestFilter filter = filter_of(devices_);
  while (!should_stop()) {
    auto claim = store_.requests().claim_request(options_.owner, filter, options_.lease);
    if (!claim) {
      ++metrics_.store_failures;
      if (claim.error().code() != ErrorCode::kUnavailable) return std::move(claim.error());
      report(WorkerEvent::kWaiting, claim.error().message());
      pause();
    } else if (!*claim) {
      if (options_.once) return base::ok();
      pause();
    } else {
      pause_ = options_.least_pause;
      HALYARD_TRY(work_on(**claim));
    }
  }
  return base::ok();
}

Result<store::RequestSettlement> FleetWorker::settlement_of(const store::RequestClaim& claim,
                                                            const FleetDevice& device) {
  const auto kernel = parse_verification_request(claim.document);
  if (!kernel) return failed(kernel.error().message());
  HALYARD_TRY_ASSIGN(const auto package, store_.get_kernel(*kernel));
  if (!package) {
    return failed(concat("The store has no kernel ", store::digest_text(*kernel), "."));
  }
  HALYARD_TRY_ASSIGN(const KernelVerdict verdict, device.verify(*package));
  if (!verdict.is_decided) return failed(verdict.outcome);
  // Binaries are of their inputs, whoever keeps them; what is said about them is fenced.
  for (const KernelVerdict::Build& build : verdict.builds)
    HALYARD_TRY(keep_build(build));
  return store::RequestSettlement{RequestStatus::kDone, verdict.outcome, verdict.evidence,
                                  verdict.states};
}

// Without an answer for as long as a lease, the claim holds no more.
Status FleetWorker::keep_build(const KernelVerdict::Build& build) {
  const auto end = steady_clock::now() + options_.lease;
  while (true) {
    Status kept = store_.put_build(build.inputs, build.bytes);
    if (kept || kept.error().code() != ErrorCode::kUnavailable) return kept;
    if (should_stop() || steady_clock::now() > end) return kept;
    ++metrics_.store_failures;
    report(WorkerEvent::kWaiting, kept.error().message());
    pause();
  }
}

Status FleetWorker::work_on(const store::RequestClaim& claim) {
  const FleetDevice& device = device_for(claim.target);
  const std::string name = store::digest_text(claim.id).substr(0, 16);
  report(WorkerEvent::kClaimed, concat("Request ", name, " is worked on by ", device.id, "."));
  const BusyTime busy(metrics_);
  ClaimKeeper keeper(
      keeper_.requests(), claim, options_.lease,
      options_.should_stop ? options_.should_stop : [] { return false; },
      [&] {
        ++metrics_.requests_given_back;
        report(WorkerEvent::kGaveBack,
               concat("Request ", name, " is given back: the worker ends."));
      });
  Result<store::RequestSettlement> settlement = settlement_of(claim, device);
  switch (keeper.end()) {
    case ClaimKeeper::Claim::kGivenBack:
      return base::ok();
    case ClaimKeeper::Claim::kLost:
      ++metrics_.claims_lost;
      report(WorkerEvent::kLost, concat("The claim of request ", name, " holds no more."));
      return base::ok();
    case ClaimKeeper::Claim::kHeld:
      break;
  }
  if (settlement) return settle(claim, *settlement);
  // What keeps this machine from its work may not keep another.
  const Status opened = store_.requests().settle_request(claim, {RequestStatus::kOpen, {}, {}, {}});
  ++(opened ? metrics_.requests_given_back : metrics_.store_failures);
  report(
      opened ? WorkerEvent::kGaveBack : WorkerEvent::kLost,
      concat("Request ", name, opened ? " is given back: " : " is left to the end of its lease: ",
             settlement.error().message()));
  if (settlement.error().code() != ErrorCode::kUnavailable) return std::move(settlement.error());
  pause();
  return base::ok();
}

// A verdict is kept as long as the claim holds; a store that does not answer is asked again.
Status FleetWorker::settle(const store::RequestClaim& claim, store::RequestSettlement settlement) {
  const std::string name = store::digest_text(claim.id).substr(0, 16);
  const auto end = steady_clock::now() + options_.lease;
  while (true) {
    Status settled = store_.requests().settle_request(claim, settlement);
    const bool is_denied = !settled && settled.error().code() == ErrorCode::kPermissionDenied;
    if (is_denied && !settlement.states.empty()) {
      // The rules may refuse the states (of a kernel that is retired) while the claim holds.
      settlement.states.clear();
      settlement.outcome += " (" + settled.error().message() + ")";
      settled = store_.requests().settle_request(claim, settlement);
    }
    if (settled) {
      ++(settlement.status == RequestStatus::kDone ? metrics_.requests_done
                                                   : metrics_.requests_failed);
      report(WorkerEvent::kSettled,
             concat("Request ", name, " is ", store::request_status_name(settlement.status), ": ",
                    settlement.outcome));
      return base::ok();
    }
    ++metrics_.store_failures;
    if (settled.error().code() == ErrorCode::kPermissionDenied) {
      ++metrics_.claims_lost;
      report(WorkerEvent::kLost, settled.error().message());
      return base::ok();
    }
    if (settled.error().code() != ErrorCode::kUnavailable || steady_clock::now() > end) {
      return settled.error();
    }
    report(WorkerEvent::kWaiting, settled.error().message());
    pause();
  }
}

}  // namespace halyard::fleet
