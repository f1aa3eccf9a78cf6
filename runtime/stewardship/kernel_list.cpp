// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/kernel_list.h"

#include "kernel-store/kernel_document.h"
#include "runtime/base/text.h"
#include "runtime/stewardship/lockable_kernel.h"

#include <set>
#include <utility>
#include <vector>

namespace halyard::stewardship {
namespace {

store::BuiltKernel built(LockableKernel lockable) {
  return {std::move(lockable.package), {}, std::move(lockable.builds)};
}

base::Result<std::vector<std::string>> contracts_to_list(const StewardedStore& stewarded,
                                                         const std::string& contract) {
  if (!contract.empty()) {
    HALYARD_TRY(stewarded.contracts().find(contract));
    return std::vector<std::string>{contract};
  }
  HALYARD_TRY_ASSIGN(const auto bundled, stewarded.bundle().contracts());
  HALYARD_TRY_ASSIGN(const auto stored, stewarded.store().list_kernels(""));
  std::set<std::string> names(bundled.begin(), bundled.end());
  for (const store::KernelSummary& summary : stored)
    names.insert(summary.contract);
  return std::vector<std::string>(names.begin(), names.end());
}

}  // namespace

base::Result<std::string> kernels_json(const StewardedStore& stewarded,
                                       const std::string& contract) {
  HALYARD_TRY_ASSIGN(const auto contracts, contracts_to_list(stewarded, contract));
  boost::json::array entries;
  for (const std::string& name : contracts) {
    HALYARD_TRY_ASSIGN(auto kernels, lockable_kernels(stewarded, name));
    for (LockableKernel& kernel : kernels) {
      const bool bundled = kernel.bundled;
      HALYARD_TRY_ASSIGN(auto members, store::kernel_members(stewarded.store(),
                                                             built(std::move(kernel)), bundled));
      entries.push_back(std::move(members));
    }
  }
  return store::kernels_document(std::move(entries));
}

base::Result<std::string> kernel_detail_json(const StewardedStore& stewarded,
                                             const std::string& kernel) {
  HALYARD_TRY_ASSIGN(const NamedKernel named, find_kernel(stewarded, kernel));
  HALYARD_TRY_ASSIGN(auto found, lockable_kernel(stewarded, named.id));
  if (!found) {
    return base::Error(base::ErrorCode::kNotFound,
                       base::concat("Kernel ", named.name, " is in the store no more."));
  }
  HALYARD_TRY_ASSIGN(const store::TrustList trust, stewarded.trust());
  const bool bundled = found->bundled;
  return store::kernel_detail_document(stewarded.store(), built(std::move(*found)), bundled, trust,
                                       unix_now_ms());
}

}  // namespace halyard::stewardship
