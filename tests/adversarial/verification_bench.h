// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.h"

#include "runtime/base/result.h"
#include "runtime/verification/build_stage.h"
#include "runtime/verification/package_verification.h"
#include "tests/adversarial/package.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halyard::adversarial {

struct BenchRequest {
  bool is_foreign = true;
  bool has_one_type = false;  // only the first binding of types
};

// A verifier with the devices of this machine, "cpu:0", the software device of Vulkan and the
// emulators. Verifies
// without times, with a secret seed each time. One thread at a time.
class VerificationBench {
 public:
  // Made by the first caller; a test that has none fails.
  static VerificationBench* shared();
  ~VerificationBench();

  // Why the package cannot be verified here: no such device, or the device lacks what it requires.
  std::optional<std::string> shortfall(const Package& package) const;

  base::Result<verification::VerificationReport> verify(const Package& package,
                                                        const BenchRequest& request) const;
  // The binaries, or what the compiler has against the source.
  base::Result<verification::BuildOutcome> build(const Package& package) const;

 private:
  VerificationBench() = default;
  std::string open();
  void open_device(const char* id);
  const verification::VerifiedDevice* device_of(const Package& package) const;

  halyard_instance* instance_ = nullptr;
  std::vector<halyard_device*> handles_;
  std::vector<verification::VerifiedDevice> devices_;
  std::unique_ptr<operators::ContractCatalog> contracts_;
  std::optional<store::Bundle> bundle_;
};

// "numeric", and the reason.
std::string verdict_text(const verification::VerificationReport& report);

}  // namespace halyard::adversarial
