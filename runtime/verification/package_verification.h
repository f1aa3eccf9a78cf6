// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "kernel-store/kernel_package.h"
#include "runtime/base/result.h"
#include "runtime/operators/contract_catalog.h"
#include "runtime/verification/decision.h"
#include "runtime/verification/input_family.h"
#include "runtime/verification/supervised_runner.h"
#include "runtime/verification/timing.h"
#include "runtime/verification/verdict.h"
#include "runtime/verification/verified_device.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace halyard::verification {

struct VerificationOptions {
  std::uint64_t seed = 0;  // secret; 0: from the system's source of randomness
  bool times = true;       // with the stage of timing
  std::chrono::milliseconds launch_patience{10'000};
  // Of numerics, of stability and of timing, each for all binaries.
  std::chrono::milliseconds budget{600'000};
  worker::Isolation isolation =
      worker::Isolation::kFull;  // at most; less where the machine has less
  DecisionRules rules;
  bool is_foreign = true;  // false for kernels of the project: their rules about addresses differ
  // Only this binding of types, and in numerics only this launch: to reproduce a counter-example.
  std::optional<store::TypeBinding> types;
  std::optional<CounterExample> reproduce;
  std::function<void(Stage stage, const std::string& subject)> progress;  // may be empty
};

// What verification needs of its surroundings. Borrowed.
struct VerificationSetting {
  const operators::ContractCatalog* contracts = nullptr;
  const store::Bundle* bundle = nullptr;  // kernels of the project: the incumbents
  std::string data_directory;             // with prelude/ and descriptors/
  std::string worker_program;
};

struct StageReport {
  StageResult result;
  std::string subject;  // build and types: "x86_64-v3, T = f32"; empty for the package
  std::chrono::milliseconds wall{};
  std::string summary;  // what was done: "312 launches of 41 shapes"
};

struct TimingReport {
  std::string subject;
  std::string incumbent;  // name of the kernel; empty: none
  std::vector<ShapeTiming> shapes;
};

// The whole verdict on a package and a device.
struct VerificationReport {
  std::optional<store::KernelPackage> package;  // absent when the manifest does not load
  std::string directory;
  VerifiedDevice device;
  worker::Isolation isolation = worker::Isolation::kNone;
  std::string isolation_shortfall;
  std::vector<StageReport> stages;
  std::vector<store::KernelBuild> builds;
  std::vector<std::vector<std::byte>> codes;              // of builds
  std::vector<std::vector<store::EvidenceCheck>> checks;  // of builds, as far as they were run
  std::vector<TimingReport> timings;
  Decision decision;
  PromotionDecision promotion;
};

// Verifies the package in `directory` for one device. What is wrong with the package is in the
// report; only what keeps the verifier from its work is an error: PERMISSION_DENIED when the
// machine has less isolation than the rules accept, NOT_FOUND without the worker's program,
// UNAVAILABLE when no process can be had. Threads: one verification per device at a time.
base::Result<VerificationReport> verify_package(const std::string& directory,
                                                const VerifiedDevice& device,
                                                const VerificationSetting& setting,
                                                const VerificationOptions& options);

}  // namespace halyard::verification
