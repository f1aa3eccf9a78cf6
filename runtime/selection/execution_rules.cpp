// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/execution_rules.h"

#include "runtime/base/file.h"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

namespace halyard::selection {

RuleFiles::RuleFiles(const base::Configuration& configuration)
    : paths_{configuration.policy_file.value.value_or(""),
             configuration.trust_file.value.value_or(""),
             configuration.lock_file.value.value_or("")},
      policy_is_named_(configuration.policy_file.origin != base::SettingOrigin::kDefault) {}

base::Result<base::Ref<const ExecutionRules>> RuleFiles::current() {
  const std::scoped_lock lock(mutex_);
  if (rules_) return rules_;
  // Before reading, so that a change meanwhile is seen as one.
  stamps_ = look();
  HALYARD_TRY_ASSIGN(rules_, read());
  return rules_;
}

bool RuleFiles::forget_changed() {
  const std::scoped_lock lock(mutex_);
  if (!rules_ || look() == stamps_) return false;
  rules_ = {};
  return true;
}

RuleFiles::Stamps RuleFiles::look() const {
  Stamps stamps;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    struct stat found {};
    if (paths_[i].empty() || ::stat(paths_[i].c_str(), &found) != 0) continue;
    stamps[i] = {static_cast<std::uint64_t>(found.st_dev), static_cast<std::uint64_t>(found.st_ino),
                 static_cast<std::int64_t>(found.st_size),
                 found.st_ctim.tv_sec * std::int64_t{1'000'000'000} + found.st_ctim.tv_nsec};
  }
  return stamps;
}

base::Result<base::Ref<const ExecutionRules>> RuleFiles::read() const {
  auto rules = base::make_ref<ExecutionRules>();
  struct stat found {};
  // Who names a policy means it to hold; the default may let run what it refuses.
  if (policy_is_named_ && !policy_path().empty() && ::stat(policy_path().c_str(), &found) != 0) {
    return base::system_error(errno, "Cannot read", policy_path());
  }
  if (!policy_path().empty()) {
    HALYARD_TRY_ASSIGN(rules->policy, store::load_policy(policy_path()));
  }
  if (!trust_path().empty()) {
    HALYARD_TRY_ASSIGN(rules->trust, store::TrustList::load(trust_path()));
  }
  if (!lock_path().empty()) {
    HALYARD_TRY_ASSIGN(rules->lock, store::load_lock_file(lock_path()));
  }
  return base::Ref<const ExecutionRules>(std::move(rules));
}

}  // namespace halyard::selection
