// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "kernel-store/kernel_store.h"
#include "kernel-store/trust/trust_list.h"
#include "runtime/base/result.h"
#include "runtime/operators/contract_catalog.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::stewardship {

// Where things lie; what is absent is as configured.
struct StorePlaces {
  std::optional<std::string> url;
  std::optional<std::string> data_directory;
  std::optional<std::string> trust_file;
};

// A store and what it takes to look after it: the bundled layer below, contracts, trusted keys.
// Threads: any number at once.
class StewardedStore {
 public:
  // Errors: kNotFound where no store is configured, or the data directory is missing;
  // kInvalidArgument; those of opening a store.
  static base::Result<StewardedStore> open(StorePlaces places);

  store::KernelStore& store() const { return *store_; }
  const store::Bundle& bundle() const { return *bundle_; }
  const operators::ContractCatalog& contracts() const { return *contracts_; }
  // Read anew each time, so that a key that was removed counts no more.
  base::Result<store::TrustList> trust() const;

 private:
  StewardedStore() = default;

  std::unique_ptr<store::KernelStore> store_;
  std::unique_ptr<store::Bundle> bundle_;
  std::unique_ptr<operators::ContractCatalog> contracts_;
  std::string trust_file_;  // Empty: nobody is trusted.
};

// A store of any engine by its URL.
base::Result<std::unique_ptr<store::KernelStore>> open_by_url(std::string_view url);

// The file of trusted keys as configured. Errors: kNotFound where none is.
base::Result<std::string> configured_trust_file();

// A kernel of either layer, which somebody has named.
struct NamedKernel {
  store::KernelId id{};
  std::string name;
  std::string version;
  std::string contract;
  std::vector<std::string> targets;
};

// The kernel with this id, 8 or more leading digits of it, or this name. Errors: kNotFound;
// kInvalidArgument when several match; those of the store.
base::Result<NamedKernel> find_kernel(const StewardedStore& stewarded, std::string_view reference);

// Milliseconds since 1970 UTC.
std::int64_t unix_now_ms();

}  // namespace halyard::stewardship
