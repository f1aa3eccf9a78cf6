// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"
#include "kernel-store/kernel_id.h"
#include "kernel-store/kernel_record.h"
#include "runtime/operators/contract.h"
#include "runtime/verification/verdict.h"

#include <vector>

namespace halyard::verification {

// A kernel package as it came, before anything of it is compiled. Borrows everything.
struct PackageUnderTest {
  const store::KernelRecord* record = nullptr;
  const store::PackageFiles* files = nullptr;  // without kernel.json
  base::Ref<const operators::Contract> contract;
  // Of the device; null: expressions over `device.*` are compiled and not evaluated, and its limits
  // are not looked at.
  const descriptors::CapabilitySet* capabilities = nullptr;
};

// What speaks against a package as it is described: another contract or types that it has not,
// targets that are none of the language, files that are not device code, arguments that name what
// is not there, outputs that no stage gets, and expressions that do not compile over the contract's
// axes, or whose values at its visible workloads no launch takes. Reads only; finds the manifest's
// faults (stage kManifest).
std::vector<Finding> check_package(const PackageUnderTest& package);

}  // namespace halyard::verification
