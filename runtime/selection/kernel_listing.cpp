// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/kernel_listing.h"

#include "kernel-store/kernel_document.h"
#include "runtime/base/text.h"
#include "runtime/selection/stored_kernel.h"

#include <boost/json/array.hpp>
#include <chrono>
#include <utility>
#include <vector>

namespace halyard::selection {
namespace {

// A kernel of either layer.
struct ListedKernel {
  const store::BuiltKernel* kernel = nullptr;  // of the bundle, or within `stored`
  base::Ref<const StoredKernel> stored;        // null for a bundled kernel
};

base::Status add_bundled(Instance& instance, const std::string& contract,
                         std::vector<ListedKernel>& out) {
  HALYARD_TRY_ASSIGN(const store::BundledContract* bundled, instance.bundle().kernels(contract));
  for (const store::BuiltKernel& kernel : bundled->kernels)
    out.push_back({&kernel, {}});
  return base::ok();
}

base::Result<std::vector<ListedKernel>> list(Instance& instance,
                                             const std::optional<std::string>& contract) {
  std::vector<ListedKernel> kernels;
  if (contract) {
    HALYARD_TRY(instance.contracts().find(*contract));
    HALYARD_TRY(add_bundled(instance, *contract, kernels));
  } else {
    HALYARD_TRY_ASSIGN(const auto names, instance.bundle().contracts());
    for (const std::string& name : names)
      HALYARD_TRY(add_bundled(instance, name, kernels));
  }
  HALYARD_TRY_ASSIGN(const auto stored, instance.store().list_kernels(contract.value_or("")));
  for (const store::KernelSummary& summary : stored) {
    HALYARD_TRY_ASSIGN(auto kernel, load_stored_kernel(instance.store(), summary.id, ""));
    if (kernel) kernels.push_back({&kernel->kernel, kernel});
  }
  return kernels;
}

}  // namespace

base::Result<std::string> kernels_json(Instance& instance,
                                       const std::optional<std::string>& contract) {
  HALYARD_TRY_ASSIGN(const auto kernels, list(instance, contract));
  boost::json::array entries;
  for (const ListedKernel& listed : kernels) {
    HALYARD_TRY_ASSIGN(auto members,
                       store::kernel_members(instance.store(), *listed.kernel, !listed.stored));
    entries.push_back(std::move(members));
  }
  return store::kernels_document(std::move(entries));
}

base::Result<std::string> kernel_detail_json(Instance& instance, std::string_view kernel) {
  HALYARD_TRY_ASSIGN(const auto kernels, list(instance, std::nullopt));
  const ListedKernel* found = nullptr;
  for (const ListedKernel& listed : kernels) {
    const store::KernelPackage& package = listed.kernel->package;
    const bool by_id = kernel.size() >= 8 && store::digest_text(package.id).starts_with(kernel);
    if (!by_id && package.record.name != kernel) continue;
    if (found != nullptr && found->kernel->package.id != package.id) {
      return base::Error(base::ErrorCode::kInvalidArgument,
                         base::concat("\"", kernel, "\" names several kernels, among them ",
                                      store::digest_text(found->kernel->package.id), " and ",
                                      store::digest_text(package.id), "."));
    }
    found = &listed;
  }
  if (found == nullptr) {
    return base::Error(base::ErrorCode::kNotFound,
                       base::concat("There is no kernel \"", kernel, "\"."));
  }
  HALYARD_TRY_ASSIGN(const auto rules, instance.rules().current());
  const auto now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  return store::kernel_detail_document(instance.store(), *found->kernel, !found->stored,
                                       rules->trust, now_ms.count());
}

}  // namespace halyard::selection
