// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/lockable_kernel.h"

#include <algorithm>
#include <utility>

namespace halyard::stewardship {
namespace {

using base::Result;

Result<std::vector<store::KernelBuild>> stored_builds(store::KernelStore& store,
                                                      const store::KernelId& id) {
  HALYARD_TRY_ASSIGN(std::vector<store::BuildRecord> records, store.find_builds(id));
  std::vector<store::KernelBuild> builds;
  for (store::BuildRecord& record : records) {
    store::BuildInputs& inputs = record.inputs;
    builds.push_back({std::move(inputs.target),
                      std::move(inputs.types),
                      std::move(inputs.parameters),
                      {},
                      record.blob,
                      std::move(inputs.toolchain),
                      std::move(inputs.flags),
                      {}});
  }
  return builds;
}

Result<LockableKernel> of_bundle(const StewardedStore& stewarded,
                                 const store::BuiltKernel& kernel) {
  LockableKernel lockable{kernel.package, kernel.builds, {}, true};
  HALYARD_TRY_ASSIGN(lockable.history, stewarded.store().states(kernel.package.id, ""));
  return lockable;
}

Result<std::optional<LockableKernel>> of_store(const StewardedStore& stewarded,
                                               const store::KernelId& id) {
  HALYARD_TRY_ASSIGN(auto package, stewarded.store().get_kernel(id));
  if (!package) return std::optional<LockableKernel>();
  LockableKernel lockable{std::move(*package), {}, {}, false};
  HALYARD_TRY_ASSIGN(lockable.builds, stored_builds(stewarded.store(), id));
  HALYARD_TRY_ASSIGN(lockable.history, stewarded.store().states(id, ""));
  return std::optional(std::move(lockable));
}

}  // namespace

Result<std::vector<LockableKernel>> lockable_kernels(const StewardedStore& stewarded,
                                                     const std::string& contract) {
  std::vector<LockableKernel> kernels;
  HALYARD_TRY_ASSIGN(const auto* bundled, stewarded.bundle().kernels(contract));
  for (const store::BuiltKernel& kernel : bundled->kernels) {
    HALYARD_TRY_ASSIGN(LockableKernel lockable, of_bundle(stewarded, kernel));
    kernels.push_back(std::move(lockable));
  }
  HALYARD_TRY_ASSIGN(const auto stored, stewarded.store().list_kernels(contract));
  for (const store::KernelSummary& summary : stored) {
    const bool is_bundled = std::any_of(
        kernels.begin(), kernels.end(),
        [&](const LockableKernel& one) { return one.bundled && one.package.id == summary.id; });
    if (is_bundled) continue;
    HALYARD_TRY_ASSIGN(auto lockable, of_store(stewarded, summary.id));
    if (lockable) kernels.push_back(std::move(*lockable));
  }
  return kernels;
}

Result<std::optional<LockableKernel>> lockable_kernel(const StewardedStore& stewarded,
                                                      const store::KernelId& id) {
  HALYARD_TRY_ASSIGN(const store::BuiltKernel* bundled, stewarded.bundle().find_kernel(id));
  if (bundled == nullptr) return of_store(stewarded, id);
  HALYARD_TRY_ASSIGN(LockableKernel lockable, of_bundle(stewarded, *bundled));
  return std::optional(std::move(lockable));
}

const store::KernelBuild* build_for(const LockableKernel& kernel, const std::string& target,
                                    const store::TypeBinding& types) {
  const auto build =
      std::find_if(kernel.builds.begin(), kernel.builds.end(), [&](const store::KernelBuild& one) {
        if (one.target != target || one.types != types) return false;
        const auto defaults = kernel.package.record.default_parameters();
        return std::all_of(one.parameters.begin(), one.parameters.end(), [&](const auto& value) {
          const auto place = defaults.find(value.first);
          return place != defaults.end() && place->second == value.second;
        });
      });
  return build == kernel.builds.end() ? nullptr : &*build;
}

const store::StateChange* last_in_effect(const LockableKernel& kernel, const std::string& target) {
  const store::StateChange* last = nullptr;
  for (const store::StateChange* const change : store::changes_in_effect(kernel.history)) {
    if (change->target == target) last = change;
  }
  return last;
}

}  // namespace halyard::stewardship
