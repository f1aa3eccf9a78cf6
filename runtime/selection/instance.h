// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "kernel-store/kernel_store.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/backend_set.h"
#include "runtime/core/handle.h"
#include "runtime/operators/contract_catalog.h"
#include "runtime/selection/choice_cache.h"
#include "runtime/selection/execution_rules.h"
#include "runtime/selection/named_mutexes.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace halyard::selection {

struct InstanceOptions {
  std::optional<std::string> store_url;       // wins over the configuration
  std::optional<std::string> data_directory;  // wins over the configuration
  std::optional<base::LogLevel> log_level;    // wins over the configuration
  base::Log::Callback log_callback;           // empty: standard error
};

// What operations are prepared from: configuration, contracts, bundled kernels, the store and the
// backends. Creating one reads the configuration and nothing else.
// Threads: any number at once.
class Instance final : public ::halyard_instance, public base::RefCounted {
 public:
  static base::Result<base::Ref<Instance>> create(
      InstanceOptions options, std::span<const core::NamedBackendFactory> backends);

  const core::BackendSettings& settings() const { return *settings_; }
  core::BackendSet& backends() { return *backends_; }
  const operators::ContractCatalog& contracts() const { return *contracts_; }
  const store::Bundle& bundle() const { return *bundle_; }
  // The first use opens the store, and logs the one warning about what it cannot do.
  store::KernelStore& store();
  // Logs a warning, the first time that it is said.
  void log_once(const std::string& sentence);
  // log_once() of a failure of the store, unless it is that of a store that cannot be written,
  // which store() has logged.
  void log_store_failure(const base::Error& failure);

  RuleFiles& rules() { return *rules_; }
  // The machine and its name, which shares of hosts are taken of.
  const std::string& host();
  // Choices that were made before this moment (ms since 1970 UTC) are made anew after it, such as
  // when an approval expires.
  void choose_again_at(std::int64_t moment_ms);

  // What self-tests have found in this process, so that the store is asked once per use. The key
  // names kernel, target, types, parameters, device and driver.
  std::optional<std::string> self_test_result(const std::string& key);
  // An empty message is a pass.
  void remember_self_test(const std::string& key, std::string message);
  // Held while a kernel is tried on a device, by what is tried: a driver that hangs holds up only
  // those who want the same of it.
  NamedMutexes& trial_mutexes() { return trial_mutexes_; }

  // Grows when something in this process may change a choice.
  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  void advance_generation() { generation_.fetch_add(1, std::memory_order_acq_rel); }

  ChoiceCache& choices() { return choices_; }
  // As generation(), and grows with what other processes add to the store, with changes of the
  // policy, the trusted keys and the lock file, and with approvals that expire; all of it is looked
  // up once in kStorePoll at most.
  std::uint64_t choice_generation();
  static constexpr std::chrono::milliseconds kStorePoll{100};

 private:
  Instance() = default;
  bool moment_has_come();

  base::Ref<const core::BackendSettings> settings_;
  std::unique_ptr<core::BackendSet> backends_;
  std::unique_ptr<operators::ContractCatalog> contracts_;
  std::unique_ptr<store::Bundle> bundle_;
  std::unique_ptr<store::KernelStore> store_;
  std::unique_ptr<RuleFiles> rules_;
  std::once_flag host_asked_;
  std::string host_;
  std::once_flag store_condition_logged_;
  std::atomic<std::uint64_t> generation_{1};
  ChoiceCache choices_;
  std::atomic<std::int64_t> next_poll_ns_{0};  // of the steady clock
  std::atomic<std::uint64_t> polled_generation_{0};
  std::atomic<std::uint64_t> store_changes_{0};  // seen by polling
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> choose_again_ms_{kNever};
  NamedMutexes trial_mutexes_;
  std::mutex logged_mutex_;  // guards logged_
  std::set<std::string> logged_;
  std::mutex results_mutex_;  // guards results_
  std::map<std::string, std::string, std::less<>> results_;
};

}  // namespace halyard::selection
