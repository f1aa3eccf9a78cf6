// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "kernel-store/kernel_state.h"
#include "kernel-store/lock_file.h"
#include "runtime/base/result.h"
#include "runtime/stewardship/stewarded_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halyard::stewardship {

// A kernel with its binaries and history, as a lock sees it.
struct LockableKernel {
  store::KernelPackage package;
  std::vector<store::KernelBuild> builds;  // The newest first.
  std::vector<store::StateChange> history;
  bool bundled = false;
};

// Those of a contract: the bundled ones, then those of the store. Errors: those of the store.
base::Result<std::vector<LockableKernel>> lockable_kernels(const StewardedStore& stewarded,
                                                           const std::string& contract);
// Nothing when no kernel has the id.
base::Result<std::optional<LockableKernel>> lockable_kernel(const StewardedStore& stewarded,
                                                            const store::KernelId& id);

// The binary for a use with the kernel's default parameters; null without one.
const store::KernelBuild* build_for(const LockableKernel& kernel, const std::string& target,
                                    const store::TypeBinding& types);

// The last entry in effect on a target, whatever its drivers; null without one.
const store::StateChange* last_in_effect(const LockableKernel& kernel, const std::string& target);

}  // namespace halyard::stewardship
