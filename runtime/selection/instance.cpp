// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/instance.h"

#include "kernel-store/open_store.h"
#include "kernel-store/process_identity.h"
#include "runtime/base/data_directory.h"
#include "runtime/base/text.h"

#include <utility>
#include <vector>

namespace halyard::selection {
namespace {

// Beyond this many different warnings an instance repeats itself rather than keep more.
constexpr std::size_t kMaxLogged = 1000;

std::vector<std::string_view> names_of(std::span<const core::NamedBackendFactory> backends) {
  std::vector<std::string_view> names;
  for (const auto& backend : backends)
    names.push_back(backend.name);
  return names;
}

}  // namespace

base::Result<base::Ref<Instance>> Instance::create(
    InstanceOptions options, std::span<const core::NamedBackendFactory> backends) {
  HALYARD_TRY_ASSIGN(base::Configuration configuration,
                     base::read_configuration(names_of(backends)));
  constexpr auto kApplication = base::SettingOrigin::kApplication;
  if (options.log_level) configuration.log_level = {*options.log_level, kApplication};
  if (options.data_directory) configuration.data_directory = {options.data_directory, kApplication};
  if (options.store_url) configuration.store_url = {options.store_url, kApplication};
  auto instance = base::Ref<Instance>::adopt(new Instance());
  auto settings = base::make_ref<core::BackendSettings>(std::move(configuration));
  if (options.log_callback) settings->log.set_callback(std::move(options.log_callback));
  const base::Configuration& chosen = settings->configuration;
  HALYARD_TRY_ASSIGN(const std::string data, base::find_data_directory(chosen));
  HALYARD_TRY_ASSIGN(store::Bundle bundle, store::Bundle::open(data));
  if (chosen.store_url.value) {
    HALYARD_TRY_ASSIGN(instance->store_, store::open_store(*chosen.store_url.value));
  } else {
    instance->store_ = store::open_memory_store(
        "Neither HALYARD_STORE, XDG_DATA_HOME nor HOME says where to keep the store.");
  }
  instance->rules_ = std::make_unique<RuleFiles>(chosen);
  instance->bundle_ = std::make_unique<store::Bundle>(std::move(bundle));
  instance->contracts_ = std::make_unique<operators::ContractCatalog>(data);
  instance->settings_ = settings;
  instance->backends_ = std::make_unique<core::BackendSet>(backends, instance->settings_);
  return instance;
}

store::KernelStore& Instance::store() {
  std::call_once(store_condition_logged_, [&] {
    const auto condition = store_->condition();
    const std::string reason = condition ? condition->reason : condition.error().message();
    if (!reason.empty()) settings_->log.write(base::LogLevel::kWarning, reason);
  });
  return *store_;
}

void Instance::log_once(const std::string& sentence) {
  {
    const std::scoped_lock lock(logged_mutex_);
    if (logged_.size() < kMaxLogged && !logged_.insert(sentence).second) return;
  }
  settings_->log.write(base::LogLevel::kWarning, sentence);
}

void Instance::log_store_failure(const base::Error& failure) {
  const auto condition = store().condition();
  const bool is_logged = condition && condition->mode == store::StoreCondition::Mode::kReadOnly &&
                         failure.code() == base::ErrorCode::kPermissionDenied;
  if (!is_logged) log_once(failure.message());
}

const std::string& Instance::host() {
  std::call_once(host_asked_, [&] { host_ = store::this_process().host; });
  return host_;
}

void Instance::choose_again_at(std::int64_t moment_ms) {
  std::int64_t earliest = choose_again_ms_.load(std::memory_order_relaxed);
  while (moment_ms < earliest && !choose_again_ms_.compare_exchange_weak(earliest, moment_ms)) {
  }
}

bool Instance::moment_has_come() {
  const std::int64_t now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                                  std::chrono::system_clock::now().time_since_epoch())
                                  .count();
  std::int64_t moment_ms = choose_again_ms_.load(std::memory_order_relaxed);
  return moment_ms <= now_ms && choose_again_ms_.compare_exchange_strong(moment_ms, kNever);
}

std::uint64_t Instance::choice_generation() {
  const std::int64_t now_ns = std::chrono::steady_clock::now().time_since_epoch().count();
  std::int64_t due_ns = next_poll_ns_.load(std::memory_order_relaxed);
  const std::int64_t next_ns = now_ns + std::chrono::nanoseconds(kStorePoll).count();
  if (now_ns >= due_ns && next_poll_ns_.compare_exchange_strong(due_ns, next_ns)) {
    const auto found = store().generation();
    if (!found) {
      log_store_failure(found.error());
    } else if (polled_generation_.exchange(*found) != *found) {
      store_changes_.fetch_add(1, std::memory_order_acq_rel);
    }
    if (rules_->forget_changed() || moment_has_come()) {
      store_changes_.fetch_add(1, std::memory_order_acq_rel);
    }
  }
  return generation() + store_changes_.load(std::memory_order_acquire);
}

std::optional<std::string> Instance::self_test_result(const std::string& key) {
  const std::scoped_lock lock(results_mutex_);
  const auto it = results_.find(key);
  if (it == results_.end()) return std::nullopt;
  return it->second;
}

void Instance::remember_self_test(const std::string& key, std::string message) {
  const std::scoped_lock lock(results_mutex_);
  results_.insert_or_assign(key, std::move(message));
}

}  // namespace halyard::selection
