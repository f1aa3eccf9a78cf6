// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/lock_file.h"
#include "kernel-store/trust/policy.h"
#include "kernel-store/trust/trust_list.h"
#include "runtime/base/environment.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace halyard::selection {

// What may run, as the user's files say. Immutable.
struct ExecutionRules final : public base::RefCounted {
  store::Policy policy;
  store::TrustList trust;
  std::optional<store::LockFile> lock;
};

// The files of the rules, read when they are first asked for and again once they have changed.
// Threads: any number at once.
class RuleFiles {
 public:
  explicit RuleFiles(const base::Configuration& configuration);

  // An absent policy is the default, an absent trust file an empty list. Errors: those of
  // load_policy(), TrustList::load() and load_lock_file(); a policy or lock file that is named has
  // to exist.
  base::Result<base::Ref<const ExecutionRules>> current();
  // Looks whether a file is another than the one that current() has read; then it reads anew.
  bool forget_changed();

  // Empty where none is configured.
  const std::string& policy_path() const { return paths_[0]; }
  const std::string& trust_path() const { return paths_[1]; }
  const std::string& lock_path() const { return paths_[2]; }

 private:
  // What tells one content of a file from another without reading it; zeros for an absent file.
  struct Stamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t changed_ns = 0;

    bool operator==(const Stamp&) const = default;
  };
  using Stamps = std::array<Stamp, 3>;

  Stamps look() const;
  base::Result<base::Ref<const ExecutionRules>> read() const;

  const std::array<std::string, 3> paths_;
  const bool policy_is_named_;  // Not the default place.
  std::mutex mutex_;            // Guards what follows.
  base::Ref<const ExecutionRules> rules_;
  Stamps stamps_{};
};

}  // namespace halyard::selection
