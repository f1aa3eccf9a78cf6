// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "runtime/base/result.h"
#include "runtime/fleet/worker_metrics.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace halyard::fleet {

// What a verification says, in the words of the store.
struct KernelVerdict {
  struct Build {
    store::BuildInputs inputs;
    std::vector<std::byte> bytes;
  };

  std::string outcome;  // "accept", or the class and why.
  bool is_decided = true;
  std::vector<Build> builds;
  std::vector<store::EvidenceRecord> evidence;
  std::vector<store::StateChange> states;
};

// A device that verifies kernels.
struct FleetDevice {
  std::string id;
  std::vector<std::string> targets;  // What it takes.
  // Errors keep the device from its work and say nothing about the kernel.
  std::function<base::Result<KernelVerdict>(const store::KernelPackage&)> verify;
};

// The requests that these devices can do.
store::RequestFilter filter_of(const std::vector<FleetDevice>& devices);

enum class WorkerEvent : std::uint8_t {
  kReady = 1,
  kClaimed = 2,
  kSettled = 3,
  kLost = 4,
  kWaiting = 5,
  kGaveBack = 6,
};

struct FleetWorkerOptions {
  std::string owner;  // Of the claims: host and process.
  std::chrono::seconds lease{60};
  bool once = false;
  std::chrono::milliseconds least_pause{200};  // Before an empty or absent store is asked again.
  std::chrono::milliseconds longest_pause{10'000};
  std::function<bool()> should_stop;                                     // On any thread.
  std::function<void(WorkerEvent, const std::string& sentence)> report;  // On any thread, by one
                                                                         // at a time.
};

// Claims what its devices can verify, one request after another, until it shall stop. Stores,
// metrics and devices are borrowed. Threads: one.
class FleetWorker {
 public:
  // `keeper` is another opening of the same store, for the claim that is worked on.
  FleetWorker(store::KernelStore& store, store::KernelStore& keeper,
              const std::vector<FleetDevice>& devices, FleetWorkerOptions options,
              WorkerMetrics& metrics);

  // Errors: those of the store but kUnavailable, after which it is asked again.
  base::Status run();

 private:
  bool should_stop() const { return options_.should_stop && options_.should_stop(); }
  void report(WorkerEvent event, const std::string& sentence) const;
  void pause();
  base::Status work_on(const store::RequestClaim& claim);
  base::Result<store::RequestSettlement> settlement_of(const store::RequestClaim& claim,
                                                       const FleetDevice& device);
  base::Status keep_build(const KernelVerdict::Build& build);
  base::Status settle(const store::RequestClaim& claim, store::RequestSettlement settlement);
  const FleetDevice& device_for(const std::string& target) const;

  store::KernelStore& store_;
  store::KernelStore& keeper_;
  const std::vector<FleetDevice>& devices_;
  const FleetWorkerOptions options_;
  WorkerMetrics& metrics_;
  std::chrono::milliseconds pause_;
};

}  // namespace halyard::fleet
