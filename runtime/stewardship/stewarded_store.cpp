// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/stewarded_store.h"

#include "kernel-store/postgres/open_postgres_store.h"
#include "runtime/base/data_directory.h"
#include "runtime/base/environment.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace halyard::stewardship {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::size_t kLeastIdDigits = 8;

NamedKernel named(const store::KernelPackage& package) {
  const store::KernelRecord& record = package.record;
  return {package.id, record.name, record.version, record.contract, record.targets};
}

// The ids that a name or leading digits stand for, each once.
Result<std::vector<store::KernelId>> matching_ids(const StewardedStore& stewarded,
                                                  std::string_view reference) {
  std::vector<store::KernelId> ids;
  const auto consider = [&](std::string_view name, const store::KernelId& id) {
    const bool by_id =
        reference.size() >= kLeastIdDigits && store::digest_text(id).starts_with(reference);
    if (!by_id && name != reference) return;
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  };
  HALYARD_TRY_ASSIGN(const auto contracts, stewarded.bundle().contracts());
  for (const std::string& contract : contracts) {
    HALYARD_TRY_ASSIGN(const auto* bundled, stewarded.bundle().kernels(contract));
    for (const store::BuiltKernel& kernel : bundled->kernels)
      consider(kernel.package.record.name, kernel.package.id);
  }
  HALYARD_TRY_ASSIGN(const auto stored, stewarded.store().list_kernels(""));
  for (const store::KernelSummary& summary : stored)
    consider(summary.name, summary.id);
  return ids;
}

Result<std::optional<NamedKernel>> kernel_with_id(const StewardedStore& stewarded,
                                                  const store::KernelId& id) {
  HALYARD_TRY_ASSIGN(const store::BuiltKernel* bundled, stewarded.bundle().find_kernel(id));
  if (bundled != nullptr) return std::optional(named(bundled->package));
  HALYARD_TRY_ASSIGN(const auto package, stewarded.store().get_kernel(id));
  if (!package) return std::optional<NamedKernel>();
  return std::optional(named(*package));
}

}  // namespace

Result<StewardedStore> StewardedStore::open(StorePlaces places) {
  HALYARD_TRY_ASSIGN(base::Configuration configuration, base::read_configuration({}));
  constexpr auto kApplication = base::SettingOrigin::kApplication;
  if (places.url) configuration.store_url = {places.url, kApplication};
  if (places.data_directory) configuration.data_directory = {places.data_directory, kApplication};
  if (places.trust_file) configuration.trust_file = {places.trust_file, kApplication};
  if (!configuration.store_url.value) {
    return Error(ErrorCode::kNotFound,
                 "Neither HALYARD_STORE, XDG_DATA_HOME nor HOME says where the store is.");
  }
  HALYARD_TRY_ASSIGN(const std::string data, base::find_data_directory(configuration));
  StewardedStore stewarded;
  HALYARD_TRY_ASSIGN(stewarded.store_, open_by_url(*configuration.store_url.value));
  HALYARD_TRY_ASSIGN(store::Bundle bundle, store::Bundle::open(data));
  stewarded.bundle_ = std::make_unique<store::Bundle>(std::move(bundle));
  stewarded.contracts_ = std::make_unique<operators::ContractCatalog>(data);
  stewarded.trust_file_ = configuration.trust_file.value.value_or("");
  return stewarded;
}

Result<store::TrustList> StewardedStore::trust() const {
  if (trust_file_.empty()) return store::TrustList();
  return store::TrustList::load(trust_file_);
}

Result<std::unique_ptr<store::KernelStore>> open_by_url(std::string_view url) {
  return store::open_any_store(url);
}

Result<std::string> configured_trust_file() {
  HALYARD_TRY_ASSIGN(const base::Configuration configuration, base::read_configuration({}));
  if (configuration.trust_file.value) return *configuration.trust_file.value;
  return Error(ErrorCode::kNotFound,
               "Neither HALYARD_TRUST, XDG_CONFIG_HOME nor HOME says where the trusted keys are.");
}

Result<NamedKernel> find_kernel(const StewardedStore& stewarded, std::string_view reference) {
  std::vector<store::KernelId> ids;
  if (const auto id = store::digest_from_text(reference)) {
    ids.push_back(*id);
  } else {
    HALYARD_TRY_ASSIGN(ids, matching_ids(stewarded, reference));
  }
  if (ids.size() > 1) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("\"", reference, "\" names ", ids.size(), " kernels, among them ",
                        store::digest_text(ids[0]), " and ", store::digest_text(ids[1]), "."));
  }
  if (!ids.empty()) {
    HALYARD_TRY_ASSIGN(auto kernel, kernel_with_id(stewarded, ids.front()));
    if (kernel) return std::move(*kernel);
  }
  return Error(ErrorCode::kNotFound, concat("There is no kernel \"", reference, "\" in the store ",
                                            stewarded.store().url(), " or bundled."));
}

std::int64_t unix_now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace halyard::stewardship
